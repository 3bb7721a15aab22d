/** How a kind is scaled: the paths of its desired and its ready replicas. They are built in, or read from a CustomResourceDefinition. */
import * as z from 'zod/mini';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { ElasticSpec } from './elastic-workload-schema.ts';

/** The kind of a manifest. */
export interface ManifestKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface ScalePaths {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural name. */
  readonly resource: string;
  readonly specReplicasPath: string;
  readonly readyReplicasPath: string;
}

const builtIn = { specReplicasPath: '.spec.replicas', readyReplicasPath: '.status.readyReplicas' };
const builtIns: readonly ScalePaths[] = [
  { group: 'apps', version: 'v1', kind: 'Deployment', resource: 'deployments', ...builtIn },
  { group: 'apps', version: 'v1', kind: 'StatefulSet', resource: 'statefulsets', ...builtIn },
  { group: 'apps', version: 'v1', kind: 'ReplicaSet', resource: 'replicasets', ...builtIn },
  { group: '', version: 'v1', kind: 'ReplicationController', resource: 'replicationcontrollers', ...builtIn },
];

export interface CustomKind {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
  readonly versions: readonly CustomVersion[];
}

interface CustomVersion {
  readonly name: string;
  readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string };
  readonly reportsReady: boolean;
}

const anySchema = z.object({ properties: z.optional(z.record(z.string(), z.unknown())) });
const crdSchema = z.object({
  metadata: objectMeta,
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string(), plural: z.string() }),
    versions: z.array(
      z.object({
        name: z.string(),
        subresources: z.nullish(
          z.object({ scale: z.nullish(z.object({ specReplicasPath: z.string(), statusReplicasPath: z.string() })) }),
        ),
        schema: z.nullish(z.object({ openAPIV3Schema: z.nullish(anySchema) })),
      }),
    ),
  }),
});

export const customKinds: Resource<CustomKind> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
  // Their schemas are large.
  pageSize: 50,
  parse: (object) => {
    const { metadata, spec } = parseObject(crdSchema, object, 'CustomResourceDefinition');
    const versions = spec.versions.map(({ name, subresources, schema }): CustomVersion => {
      const { scale } = subresources ?? {};
      const status = z.safeParse(anySchema, schema?.openAPIV3Schema?.properties?.status);
      const reportsReady = status.success && status.data.properties?.readyReplicas !== undefined;
      return { name, reportsReady, ...(scale && { scale }) };
    });
    return { name: metadata.name, group: spec.group, kind: spec.names.kind, resource: spec.names.plural, versions };
  },
};

/** Paths that need no read from the hub; undefined if a CustomResourceDefinition is needed. */
export function knownPaths(kind: ManifestKind, scale: ElasticSpec['target']['scale']): ScalePaths | undefined {
  const [group, version] = partsOf(kind);
  if (scale !== undefined) return { group, version, kind: kind.kind, ...scale };
  return builtIns.find((known) => known.kind === kind.kind && known.group === group && known.version === version);
}

/** The most likely name of its CustomResourceDefinition. */
export function pluralGuess(kind: ManifestKind): string {
  return `${kind.kind.toLowerCase()}s.${partsOf(kind)[0]}`;
}

/** Why a kind can't be scaled: the hub does not serve it, or it has no scale subresource. */
export type NoPaths = 'UnknownKind' | 'NoScalePath';

/** If a kind does not report ready replicas, its status replicas count as ready. */
export function customPaths(kind: ManifestKind, customs: readonly CustomKind[]): ScalePaths | NoPaths {
  const [group, version] = partsOf(kind);
  const custom = customs.find((each) => each.group === group && each.kind === kind.kind);
  const found = custom?.versions.find(({ name }) => name === version);
  if (custom === undefined || found === undefined) return 'UnknownKind';
  if (found.scale === undefined) return 'NoScalePath';
  const { specReplicasPath, statusReplicasPath } = found.scale;
  const readyReplicasPath = found.reportsReady ? '.status.readyReplicas' : statusReplicasPath;
  return { group, version, kind: kind.kind, resource: custom.resource, specReplicasPath, readyReplicasPath };
}

export function partsOf({ apiVersion }: ManifestKind): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
