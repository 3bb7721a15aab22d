/** The target of an ElasticWorkload: the manifest for the managed clusters, without hub-specific metadata. */
import * as z from 'zod/mini';
import { digest } from '../core/digest.ts';
import type { ElasticWorkloadIdentity } from './elastic-workload.ts';
import type { ElasticSpec } from './elastic-workload-schema.ts';
import { type ManifestKind, partsOf } from './scale-paths.ts';

/** Limit of Open Cluster Management's webhook on the manifests of one ManifestWork. */
export const MANIFEST_LIMIT = 500 * 1024;

export type Manifest = Readonly<Record<string, unknown>>;

/** Kind and name; undefined where the block of its type is missing. */
export function targetOf({
  target,
}: Pick<ElasticSpec, 'target'>): (ManifestKind & { readonly name: string }) | undefined {
  if (target.type === 'Import') return target.import;
  const { inline } = target;
  return inline && { apiVersion: inline.apiVersion, kind: inline.kind, name: inline.metadata.name };
}

/** Identity of the object on the managed clusters, without its version. */
export function targetIdentity(spec: ElasticSpec): string | undefined {
  const target = targetOf(spec);
  return target && identityOf(target, spec.spokeNamespace);
}

function identityOf({ name, ...kind }: ManifestKind & { readonly name: string }, namespace: string): string {
  const [group] = partsOf(kind);
  return `${group}/${kind.kind}/${namespace}/${name}`;
}

/** The identity as a label, to find other ElasticWorkloads of the same object. */
export function targetLabel(spec: ElasticSpec): string | undefined {
  const identity = targetIdentity(spec);
  return identity === undefined ? undefined : digest(identity);
}

const identified = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string(), namespace: z.string() }),
});

/** Identity of the object in a ManifestWork's manifest; undefined if it has none. */
export function manifestIdentity(manifest: unknown): string | undefined {
  const { data } = z.safeParse(identified, manifest);
  if (data === undefined) return undefined;
  const { apiVersion, kind, metadata } = data;
  return identityOf({ apiVersion, kind, name: metadata.name }, metadata.namespace);
}

/** The oldest claim of a target wins. */
export function isBefore(a: ElasticWorkloadIdentity, b: ElasticWorkloadIdentity): boolean {
  if (a.creationTimestamp !== b.creationTimestamp) return a.creationTimestamp < b.creationTimestamp;
  return a.uid < b.uid;
}

/** Annotations that the API server, kubectl and controllers of the hub write; they do not apply elsewhere. */
const hubOnly = /^(kubectl\.kubernetes\.io\/last-applied-configuration|deployment\.kubernetes\.io\/revision)$/;

export function manifestFrom(object: Manifest, { spokeNamespace }: Pick<ElasticSpec, 'spokeNamespace'>): Manifest {
  const { status: _, metadata, ...rest } = object;
  const { name, labels, annotations } = metadata as {
    name: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  const kept = Object.entries(annotations ?? {}).filter(([key]) => !hubOnly.test(key));
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
