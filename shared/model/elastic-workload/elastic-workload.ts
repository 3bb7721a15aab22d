/** ElasticWorkload, read into what decisions need, and the names by which its ManifestWorks are known as its own. */
import * as z from 'zod/mini';
import { digest } from '../digest.ts';
import { objectMeta, parseObject } from '../hub-object.ts';
import type { ObjectKey } from '../object-key.ts';
import type { Resource } from '../resource.ts';
import type { Instant } from '../time.ts';
import { type ElasticSpec, type ElasticStatus, elasticSpec, elasticStatus } from './elastic-workload-schema.ts';

/** Keeps the object until its ManifestWorks are gone. */
export const FINALIZER = 'evenkeel.dev/elastic-workload';
/** On a ManifestWork: names the ElasticWorkload that it belongs to, as ownerLabel gives it. */
export const OWNER_LABEL = 'evenkeel.dev/elastic-workload';

/** On an ElasticWorkload: names what it runs, as targetLabel gives it. */
export const TARGET_LABEL = 'evenkeel.dev/target';

/** The kind is served twice, and the two are different objects even where namespace and name are the same. */
const prefixes = {
  'workload.open-cluster-management.io': 'elasticworkload',
  'scheduling.open-cluster-management.io': 'elasticworkload-scheduling',
} as const;

export type ElasticGroup = keyof typeof prefixes;
export const elasticGroups = Object.keys(prefixes) as [ElasticGroup, ...ElasticGroup[]];

/** Who it is, without what it says. */
export interface Claim {
  readonly group: ElasticGroup;
  readonly key: ObjectKey;
  readonly uid: string;
  readonly creationTimestamp: Instant;
}

export interface ElasticWorkload extends Claim {
  readonly resourceVersion: string;
  readonly generation: number;
  readonly deletionTimestamp?: Instant;
  readonly labels: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: ElasticSpec;
  readonly status: ElasticStatus;
}

const schema = z.object({
  metadata: z.extend(objectMeta, {
    labels: z._default(z.record(z.string(), z.string()), {}),
    finalizers: z._default(z.array(z.string()), []),
  }),
  spec: elasticSpec,
  status: z.nullish(elasticStatus),
});

/** Reads the object as the API server sends it. */
function parseElasticWorkload(group: ElasticGroup, object: unknown): ElasticWorkload {
  const { metadata, spec, status } = parseObject(schema, object, 'ElasticWorkload');
  const { namespace, name, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp } = metadata;
  return {
    group,
    key: { namespace, name },
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    labels: metadata.labels,
    finalizers: metadata.finalizers,
    annotations: metadata.annotations,
    spec,
    status: status ?? {},
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

/** The same by their metadata alone: their manifests may be large. */
export const elasticClaims: readonly Resource<Claim>[] = elasticWorkloads.map(({ group, ...kind }) => ({
  ...kind,
  group,
  pageSize: 500,
  metadataOnly: true,
  parse: (object) => {
    const { metadata } = parseObject(z.object({ metadata: objectMeta }), object, 'ElasticWorkload');
    const { namespace, name, uid, creationTimestamp } = metadata;
    return { group, key: { namespace, name }, uid, creationTimestamp };
  },
}));

const byGroup = new Map(elasticWorkloads.map((resource) => [resource.group, resource]));

export function elasticKind(group: ElasticGroup): Resource<ElasticWorkload> {
  const resource = byGroup.get(group);
  if (resource === undefined) throw new Error(`No ElasticWorkload in the group ${group}`);
  return resource;
}

/** The same in every cluster's namespace. */
export function workName({ group, key }: Pick<ElasticWorkload, 'group' | 'key'>): string {
  return `${prefixes[group]}.${key.namespace}.${key.name}`;
}

/** A label holds 63 characters at most, and the name may have more. */
export function ownerLabel(elastic: Pick<ElasticWorkload, 'group' | 'key'>): string {
  return digest(workName(elastic));
}

/** Whose work it is by its name; neither a namespace nor an ElasticWorkload has a dot in its name. */
export function elasticOfWork(name: string): (ObjectKey & { readonly group: ElasticGroup }) | undefined {
  const [prefix, namespace, own, ...rest] = name.split('.');
  const group = elasticGroups.find((one) => prefixes[one] === prefix);
  if (group === undefined || !namespace || !own || rest.length > 0) return undefined;
  return { group, namespace, name: own };
}
