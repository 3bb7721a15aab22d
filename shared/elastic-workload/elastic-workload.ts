/** Parses ElasticWorkloads, and names their ManifestWorks. */
import * as z from 'zod/mini';
import { digest } from '../core/digest.ts';
import type { Instant } from '../core/time.ts';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { scoreSourceOf } from './addon-score.ts';
import { type ElasticGroup, elasticGroups, elasticPrefixes } from './elastic-groups.ts';
import { type ElasticSpec, type ElasticStatus, elasticSpec, elasticStatus } from './elastic-workload-schema.ts';

/** Keeps the object until its ManifestWorks are deleted. */
export const FINALIZER = 'evenkeel.dev/elastic-workload';
/** On a ManifestWork: its ElasticWorkload (ownerLabel). */
export const OWNER_LABEL = 'evenkeel.dev/elastic-workload';

/** On an ElasticWorkload: its target (targetLabel). */
export const TARGET_LABEL = 'evenkeel.dev/target';

/** On an ElasticWorkload whose weights are scores: the name of their AddOnPlacementScores (scoreLabel). */
export const SCORE_LABEL = 'evenkeel.dev/score';

/** The identity of an ElasticWorkload, without its spec. */
export interface ElasticWorkloadIdentity {
  readonly group: ElasticGroup;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly creationTimestamp: Instant;
  readonly deletionTimestamp?: Instant;
  readonly finalizers: readonly string[];
}

export interface ElasticWorkload extends ElasticWorkloadIdentity {
  readonly resourceVersion: string;
  readonly generation: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: ElasticSpec;
  readonly status: ElasticStatus;
}

const claimMeta = z.extend(objectMeta, { finalizers: z._default(z.array(z.string()), []) });

const schema = z.object({
  metadata: z.extend(claimMeta, { labels: z._default(z.record(z.string(), z.string()), {}) }),
  spec: elasticSpec,
  status: z.nullish(elasticStatus),
});

/** Reads the object as the API server sends it. */
function parseElasticWorkload(group: ElasticGroup, object: unknown): ElasticWorkload {
  const { metadata, spec, status } = parseObject(schema, object, 'ElasticWorkload');
  const { resourceVersion, generation, labels, annotations } = metadata;
  return {
    ...claimIn(group, metadata),
    resourceVersion,
    generation,
    labels,
    annotations,
    spec,
    status: status ?? {},
  };
}

function claimIn(group: ElasticGroup, metadata: z.output<typeof claimMeta>): ElasticWorkloadIdentity {
  const { namespace, name, uid, creationTimestamp, deletionTimestamp, finalizers } = metadata;
  return {
    group,
    key: { namespace, name },
    uid,
    creationTimestamp,
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    finalizers,
  };
}

export const elasticWorkloads: readonly (Resource<ElasticWorkload> & { readonly group: ElasticGroup })[] =
  elasticGroups.map((group) => ({
    group,
    version: 'v1',
    kind: 'ElasticWorkload',
    plural: 'elasticworkloads',
    namespaced: true,
    // A manifest in one may weigh 500 KiB.
    pageSize: 25,
    parse: (object) => parseElasticWorkload(group, object),
  }));

/** Metadata only: the manifests may be large. */
export const elasticClaims: readonly Resource<ElasticWorkloadIdentity>[] = elasticWorkloads.map(
  ({ group, ...kind }) => ({
    ...kind,
    group,
    pageSize: 500,
    metadataOnly: true,
    parse: (object) => {
      const { metadata } = parseObject(z.object({ metadata: claimMeta }), object, 'ElasticWorkload');
      return claimIn(group, metadata);
    },
  }),
);

const byGroup = new Map(elasticWorkloads.map((resource) => [resource.group, resource]));

export function elasticKind(group: ElasticGroup): Resource<ElasticWorkload> {
  const resource = byGroup.get(group);
  if (resource === undefined) throw new Error(`No ElasticWorkload in the group ${group}`);
  return resource;
}

/** The same in every cluster's namespace. */
export function workName({ group, key }: Pick<ElasticWorkload, 'group' | 'key'>): string {
  return `${elasticPrefixes[group]}.${key.namespace}.${key.name}`;
}

/** A label value is limited to 63 characters, and the name may be longer. */
export function ownerLabel(elastic: Pick<ElasticWorkload, 'group' | 'key'>): string {
  return digest(workName(elastic));
}

/** Undefined if its weights are not scores. */
export function scoreLabel({ distributionStrategy }: ElasticSpec): string | undefined {
  const source = scoreSourceOf(distributionStrategy);
  return source && digest(source.resourceName);
}

/** Selects the ElasticWorkloads whose weights are scores of AddOnPlacementScores of this name. */
export function scoreSelector(resourceName: string): string {
  return `${SCORE_LABEL}=${digest(resourceName)}`;
}

/** The ElasticWorkload of a ManifestWork, by name; neither a namespace nor an ElasticWorkload has a dot in its name. */
export function elasticOfWork(name: string): (ObjectKey & { readonly group: ElasticGroup }) | undefined {
  const [prefix, namespace, own, ...rest] = name.split('.');
  const group = elasticGroups.find((one) => elasticPrefixes[one] === prefix);
  if (group === undefined || !namespace || !own || rest.length > 0) return undefined;
  return { group, namespace, name: own };
}
