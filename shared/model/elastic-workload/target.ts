/** What an ElasticWorkload runs: the manifest that goes to the spokes, freed of what belongs to its place on the hub. */
import { digest } from '../digest.ts';
import type { Claim } from './elastic-workload.ts';
import type { ElasticSpec } from './elastic-workload-schema.ts';
import { type Kind, partsOf } from './scale-paths.ts';

/** As Open Cluster Management's webhook limits the manifests of one ManifestWork. */
export const MANIFEST_LIMIT = 500 * 1024;

export type Manifest = Readonly<Record<string, unknown>>;

/** Kind and name; undefined where the block of its type is missing. */
export function targetOf({ target }: Pick<ElasticSpec, 'target'>): (Kind & { readonly name: string }) | undefined {
  if (target.type === 'Import') return target.import;
  const { inline } = target;
  return inline && { apiVersion: inline.apiVersion, kind: inline.kind, name: inline.metadata.name };
}

/** Names the object on the spokes, as a label: two ElasticWorkloads of one of these would fight for it. */
export function targetLabel(spec: ElasticSpec): string | undefined {
  const target = targetOf(spec);
  if (target === undefined) return undefined;
  const [group] = partsOf(target);
  return digest(`${group}/${target.kind}/${spec.spokeNamespace}/${target.name}`);
}

/** Where two claim one target, who came first has it. */
export function isBefore(a: Claim, b: Claim): boolean {
  if (a.creationTimestamp !== b.creationTimestamp) return a.creationTimestamp < b.creationTimestamp;
  return a.uid < b.uid;
}

/** What the API server, kubectl and controllers of the hub wrote into it is of no use elsewhere. */
const ofThatPlace = /^(kubectl\.kubernetes\.io\/last-applied-configuration|deployment\.kubernetes\.io\/revision)$/;

export function manifestFrom(object: Manifest, { spokeNamespace }: Pick<ElasticSpec, 'spokeNamespace'>): Manifest {
  const { status: _, metadata, ...rest } = object;
  const { name, labels, annotations } = metadata as {
    name: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !ofThatPlace.test(key));
  return {
    ...rest,
    metadata: {
      name,
      namespace: spokeNamespace,
      ...(labels !== undefined && { labels }),
      ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
    },
  };
}

/** In bytes, as it is sent. */
export function sizeOf(manifest: Manifest): number {
  return new TextEncoder().encode(JSON.stringify(manifest)).length;
}
