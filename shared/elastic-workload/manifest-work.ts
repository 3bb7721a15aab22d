/** The ManifestWork that delivers an ElasticWorkload to one cluster: how it is written, and what its status reports about the managed cluster. */
import * as z from 'zod/mini';
import type { Instant } from '../core/time.ts';
import { objectMeta, parseObject, timestamp } from '../kubernetes/hub-object.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { FIELD_MANAGER } from '../kubernetes/resource.ts';
import { type ElasticWorkload, OWNER_LABEL, ownerLabel, workName } from './elastic-workload.ts';
import { numberAt, withNumber } from './number-at.ts';
import type { ScalePaths } from './scale-paths.ts';
import { manifestIdentity } from './target.ts';

/** On a ManifestWork: digest of its content without the replicas. */
const CONTENT = 'evenkeel.dev/content';

/** On a ManifestWork: the manual override on the cluster, to restore lost reconciler state. */
const SCALED_THERE = 'evenkeel.dev/scaled-there';

/** On its manifest: how often in a row a drifted number was reset. */
const PUT_BACKS = 'evenkeel.dev/put-back';

/** The fields that are read. */
export interface Work {
  readonly cluster: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly deleting: boolean;
  /** The object that it carries (targetIdentity); undefined if another client changed the spec. */
  readonly target: string | undefined;
  /** When we last wrote it. */
  readonly writtenAt: Instant;
  /** Digest of its content, with the replicas. */
  readonly content: string | undefined;
  /** Another client changed the spec. */
  readonly edited: boolean;
  /** The number in its manifest. */
  readonly written: number | undefined;
  /** The manual override that it was written for. */
  readonly scaledThere: number | undefined;
  readonly putBacks: number | undefined;
  readonly upToDate: boolean;
  /** The agent's message if it could not apply the manifest. */
  readonly rejected: string | undefined;
  readonly replicasOnCluster: number | undefined;
  /** A report without ready replicas omits the number: 0 if the object exists. */
  readonly ready: number;
}

/** A ManifestWork to write, and the existing one; undefined for a new one. */
export interface WorkWrite {
  readonly cluster: string;
  readonly object: ReturnType<typeof workOf>;
  readonly work: Work | undefined;
}

/** Whether two versions differ at most in what agents report while pods become ready. */
export function isSameContent(a: Work, b: Work | undefined): boolean {
  return contentOf(a) === contentOf(b);
}

function contentOf(work: Work | undefined): string {
  const { uid, content, written, putBacks, edited, deleting, replicasOnCluster } = work ?? {};
  return JSON.stringify([uid, content, written, putBacks, edited, deleting, replicasOnCluster]);
}

const condition = z.object({
  type: z.string(),
  status: z.string(),
  message: z._default(z.string(), ''),
  observedGeneration: z.nullish(z.number()),
});

const feedbackRule = z.object({
  jsonPaths: z.nullish(z.array(z.object({ name: z.string(), path: z.string() }))),
});

const schema = z.object({
  metadata: z.extend(objectMeta, {
    managedFields: z._default(
      z.array(
        z.object({
          manager: z.optional(z.string()),
          subresource: z.optional(z.string()),
          time: z.optional(timestamp),
          fieldsV1: z.optional(z.record(z.string(), z.unknown())),
        }),
      ),
      [],
    ),
  }),
  spec: z.nullish(
    z.object({
      workload: z.nullish(z.object({ manifests: z.nullish(z.array(z.unknown())) })),
      manifestConfigs: z.nullish(z.array(z.object({ feedbackRules: z.nullish(z.array(feedbackRule)) }))),
    }),
  ),
  status: z.nullish(
    z.object({
      conditions: z.nullish(z.array(condition)),
      resourceStatus: z.nullish(
        z.object({
          manifests: z.nullish(
            z.array(
              z.object({
                conditions: z.nullish(z.array(condition)),
                statusFeedback: z.nullish(
                  z.object({
                    values: z.nullish(
                      z.array(z.object({ name: z.string(), fieldValue: z.object({ integer: z.nullish(z.number()) }) })),
                    ),
                  }),
                ),
              }),
            ),
          ),
        }),
      ),
    }),
  ),
});

const annotated = z.object({ metadata: z.object({ annotations: z.record(z.string(), z.string()) }) });

/** Keeps only the number of the manifest: a hub may have thousands of half a megabyte. Feedback values outlive a deleted object, so only those of an available manifest count. */
function parseWork(object: unknown): Work {
  const { metadata, spec, status } = parseObject(schema, object, 'ManifestWork');
  const [manifest] = status?.resourceStatus?.manifests ?? [];
  const applied = status?.conditions?.find(({ type }) => type === 'Applied');
  const here = manifest?.conditions?.find(({ type }) => type === 'Available')?.status === 'True';
  const values = new Map(
    (here ? (manifest?.statusFeedback?.values ?? []) : []).map(({ name, fieldValue }) => [
      name,
      fieldValue.integer ?? undefined,
    ]),
  );
  const writers = metadata.managedFields.filter(({ subresource }) => !subresource);
  const ours = writers.find(({ manager }) => manager === FIELD_MANAGER);
  const rules = spec?.manifestConfigs?.[0]?.feedbackRules?.flatMap(({ jsonPaths }) => jsonPaths ?? []) ?? [];
  const path = rules.find(({ name }) => name === 'replicas')?.path;
  const edited = writers.some(
    ({ manager, fieldsV1 }) => manager !== FIELD_MANAGER && fieldsV1?.['f:spec'] !== undefined,
  );
  const upToDate = applied?.observedGeneration === metadata.generation;
  return {
    cluster: metadata.namespace,
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    deleting: metadata.deletionTimestamp !== undefined,
    writtenAt: ours?.time ?? metadata.creationTimestamp,
    content: metadata.annotations[CONTENT],
    edited,
    target: edited ? undefined : manifestIdentity(spec?.workload?.manifests?.[0]),
    written: path === undefined ? undefined : numberAt(spec?.workload?.manifests?.[0], path),
    scaledThere: wholeNumber(metadata.annotations[SCALED_THERE]),
    putBacks: wholeNumber(annotationOf(spec?.workload?.manifests?.[0], PUT_BACKS)),
    upToDate,
    rejected:
      upToDate && applied.status === 'False' ? rejectionOf(manifest?.conditions ?? [], applied.message) : undefined,
    replicasOnCluster: values.get('replicas'),
    ready: values.get('ready') ?? 0,
  };
}

function annotationOf(manifest: unknown, name: string): string | undefined {
  return z.safeParse(annotated, manifest).data?.metadata.annotations[name];
}

function wholeNumber(text = ''): number | undefined {
  return /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}

/** The manifest's own condition is more specific than that of the ManifestWork. */
function rejectionOf(conditions: readonly z.output<typeof condition>[], message: string): string {
  return conditions.find(({ type, status }) => type === 'Applied' && status === 'False')?.message ?? message;
}

export const manifestWorks: Resource<Work> = {
  group: 'work.open-cluster-management.io',
  version: 'v1',
  kind: 'ManifestWork',
  plural: 'manifestworks',
  namespaced: true,
  // A manifest in one may weigh 500 KiB.
  pageSize: 100,
  parse: parseWork,
};

/** Names only: to find the owners of thousands. */
export const workNames: Resource<ObjectKey> = {
  ...manifestWorks,
  pageSize: 500,
  metadataOnly: true,
  parse: (object) => {
    const { namespace, name } = parseObject(z.object({ metadata: objectMeta }), object, 'ManifestWork').metadata;
    return { namespace, name };
  },
};

export interface WorkContent {
  readonly elastic: Pick<ElasticWorkload, 'group' | 'key' | 'uid' | 'spec'>;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly paths: ScalePaths;
}

export interface Numbered {
  readonly cluster: string;
  readonly replicas: number;
  readonly digest: string;
  /** The manual override on the cluster, if any. */
  readonly scaledThere?: number | undefined;
  readonly putBacks?: number | undefined;
}

/**
 * The manifest contains our number. The agent ignores another number on the cluster until the manifest is edited,
 * so a manual override must be read, and written here, before any other edit.
 */
export function workOf(
  { elastic, manifest, paths }: WorkContent,
  { cluster, replicas, digest, scaledThere, putBacks }: Numbered,
) {
  const { spec } = elastic;
  const { name } = manifest.metadata as { name: string };
  const { group, resource, specReplicasPath, readyReplicasPath } = paths;
  return {
    metadata: {
      name: workName(elastic),
      namespace: cluster,
      labels: { [OWNER_LABEL]: ownerLabel(elastic) },
      annotations: {
        [CONTENT]: digest,
        ...(scaledThere !== undefined && { [SCALED_THERE]: String(scaledThere) }),
      },
    },
    spec: {
      workload: { manifests: [withNumber(counted(manifest, putBacks), specReplicasPath, replicas)] },
      manifestConfigs: [
        {
          resourceIdentifier: { group, resource, name, namespace: spec.spokeNamespace },
          updateStrategy: {
            type: 'ServerSideApply',
            serverSideApply: {
              force: true,
              ignoreFields: [{ condition: 'OnSpokeChange', jsonPaths: [specReplicasPath] }],
            },
          },
          feedbackScrapeType: spec.statusCollection.type === 'Feedback' ? 'Watch' : 'Poll',
          feedbackRules: [
            {
              type: 'JSONPaths',
              jsonPaths: [
                { name: 'replicas', path: specReplicasPath },
                { name: 'ready', path: readyReplicasPath },
              ],
            },
          ],
        },
      ],
    },
  };
}

function counted(manifest: WorkContent['manifest'], putBacks: number | undefined): WorkContent['manifest'] {
  if (putBacks === undefined) return manifest;
  const metadata = manifest.metadata as { readonly annotations?: Readonly<Record<string, string>> };
  return {
    ...manifest,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [PUT_BACKS]: String(putBacks) } },
  };
}
