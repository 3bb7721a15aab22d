/** Every kind that the practice hub serves, in one table that store, routes, discovery and columns read. */
import * as columns from '../api/printer-columns.ts';
import * as schemas from './kind-schemas.ts';
import type { KubeObject } from './objects.ts';
import type { KindNames } from './status-error.ts';
import type { StructuralSchema } from './structural-schema.ts';

export type Subresource = 'status' | 'scale';

export interface KindDefinition extends KindNames {
  readonly version: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  /** Names of groups of kinds, for `kubectl get all`. */
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /**
   * A kind compiled into a real API server rather than added by a CRD: it takes strategic merge patches, and a PUT
   * without a resourceVersion.
   */
  readonly builtIn: boolean;
  readonly subresources: readonly Subresource[];
  readonly nameRule: 'subdomain' | 'label' | 'path-segment';
  /** Of the whole object but its metadata. Without one nothing is pruned or validated. */
  readonly schema?: StructuralSchema;
  readonly columns: readonly columns.Column[];
  /** What a field selector may name beside metadata.name and metadata.namespace. */
  readonly selectableFields?: readonly string[];
  readonly says: string;
  /** What the API server itself fills in at creation. */
  readonly atCreation?: (object: KubeObject) => KubeObject;
}

const crd = { builtIn: false, nameRule: 'subdomain', shortNames: [] } as const;
const builtIn = { builtIn: true, nameRule: 'subdomain', shortNames: [], subresources: [] } as const;
const work = {
  ...crd,
  group: 'work.karmada.io',
  version: 'v1alpha2',
  subresources: ['status'],
  categories: ['karmada-io'],
} as const;
const policy = {
  ...crd,
  group: 'policy.karmada.io',
  categories: ['karmada-io'],
  version: 'v1alpha1',
  subresources: [],
} as const;
const header: StructuralSchema = { properties: { apiVersion: {}, kind: {}, metadata: {} } };

function whole(schema: StructuralSchema): StructuralSchema {
  return { ...schema, properties: { ...header.properties, ...schema.properties } };
}

export const kinds: readonly KindDefinition[] = [
  {
    ...builtIn,
    group: '',
    version: 'v1',
    plural: 'namespaces',
    singular: 'namespace',
    kind: 'Namespace',
    shortNames: ['ns'],
    namespaced: false,
    nameRule: 'label',
    columns: columns.namespaceColumns,
    says: 'A scope for names.',
    atCreation: (object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        labels: { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name },
      },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    }),
  },
  {
    ...builtIn,
    group: '',
    version: 'v1',
    plural: 'events',
    singular: 'event',
    kind: 'Event',
    shortNames: ['ev'],
    namespaced: true,
    columns: columns.eventColumns,
    selectableFields: [
      ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'fieldPath'].map((field) => `involvedObject.${field}`),
      ...['reason', 'type', 'reportingComponent'],
    ],
    says: 'Something that happened to an object.',
  },
  {
    ...builtIn,
    group: 'apps',
    version: 'v1',
    plural: 'deployments',
    singular: 'deployment',
    kind: 'Deployment',
    shortNames: ['deploy'],
    categories: ['all'],
    namespaced: true,
    subresources: ['status', 'scale'],
    schema: whole(schemas.deployment),
    columns: columns.deploymentColumns,
    says: 'A workload: so many replicas of one pod.',
  },
  {
    ...builtIn,
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    plural: 'clusterroles',
    singular: 'clusterrole',
    kind: 'ClusterRole',
    namespaced: false,
    nameRule: 'path-segment',
    columns: columns.clusterRoleColumns,
    says: 'Rules of who may do what; here only a cluster-scoped thing to propagate.',
  },
  {
    ...crd,
    group: 'apps.karmada.io',
    version: 'v1alpha1',
    plural: 'workloadrebalancers',
    singular: 'workloadrebalancer',
    kind: 'WorkloadRebalancer',
    namespaced: false,
    subresources: ['status'],
    schema: whole(schemas.workloadRebalancer),
    columns: columns.defaultColumns,
    says: 'Asks for a fresh scheduling of workloads, once.',
  },
  {
    ...work,
    plural: 'resourcebindings',
    singular: 'resourcebinding',
    kind: 'ResourceBinding',
    shortNames: ['rb'],
    namespaced: true,
    schema: whole(schemas.binding),
    columns: columns.bindingColumns,
    says: 'Binds a namespaced workload to the clusters it runs on.',
  },
  {
    ...work,
    plural: 'clusterresourcebindings',
    singular: 'clusterresourcebinding',
    kind: 'ClusterResourceBinding',
    shortNames: ['crb'],
    namespaced: false,
    schema: whole(schemas.binding),
    columns: columns.bindingColumns,
    says: 'Binds a cluster-scoped resource to the clusters it goes to.',
  },
  {
    ...builtIn,
    group: 'cluster.karmada.io',
    version: 'v1alpha1',
    plural: 'clusters',
    singular: 'cluster',
    kind: 'Cluster',
    namespaced: false,
    subresources: ['status'],
    schema: whole(schemas.anything),
    columns: columns.clusterColumns,
    says: 'A member cluster.',
  },
  {
    ...policy,
    plural: 'propagationpolicies',
    singular: 'propagationpolicy',
    kind: 'PropagationPolicy',
    shortNames: ['pp'],
    namespaced: true,
    schema: whole(schemas.propagationPolicy),
    columns: columns.policyColumns,
    says: 'Which resources of its namespace go to which clusters, and how their replicas are divided.',
  },
  {
    ...policy,
    plural: 'clusterpropagationpolicies',
    singular: 'clusterpropagationpolicy',
    kind: 'ClusterPropagationPolicy',
    shortNames: ['cpp'],
    namespaced: false,
    schema: whole(schemas.propagationPolicy),
    columns: columns.policyColumns,
    says: 'A PropagationPolicy for any namespace and for cluster-scoped resources.',
  },
];

const byPlural = new Map(kinds.map((kind) => [kind.plural, kind]));

/** The kind of a plural name; no two groups served here share one. */
export function kindOf(plural: string): KindDefinition | undefined {
  return byPlural.get(plural);
}

export function apiVersionOf({ group, version }: KindDefinition): string {
  return group === '' ? version : `${group}/${version}`;
}
