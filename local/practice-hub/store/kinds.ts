/** The table of all kinds that the practice hub serves, for the store, routes, discovery and columns. */
import { policyColumns, policyNameRule, policyNames } from '../../../shared/rebalance-policy/policy-crd.ts';
import { policyRules } from '../../../shared/rebalance-policy/policy-schema.ts';
import { POLICY_GROUP } from '../../../shared/rebalance-policy/rebalance-policy.ts';
import * as columns from '../api/printer-columns.ts';
import { builtInKinds } from './built-in-kinds.ts';
import { clusterManagementKinds } from './cluster-management-kinds.ts';
import { type KindDefinition, storeNameOf, wholeObject } from './kind-definition.ts';
import { kindRules } from './kind-rules.ts';
import * as schemas from './kind-schemas.ts';

const crd = { builtIn: false, nameRule: 'subdomain', shortNames: [] } as const;
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

export const kinds: readonly KindDefinition[] = [
  ...builtInKinds,
  {
    ...crd,
    group: 'apps.karmada.io',
    version: 'v1alpha1',
    plural: 'workloadrebalancers',
    singular: 'workloadrebalancer',
    kind: 'WorkloadRebalancer',
    namespaced: false,
    subresources: ['status'],
    schema: wholeObject(schemas.workloadRebalancer),
    columns: columns.defaultColumns,
    description: 'Asks for a fresh scheduling of workloads, once.',
  },
  {
    ...crd,
    ...policyNames,
    group: POLICY_GROUP,
    version: 'v1alpha1',
    namespaced: false,
    subresources: ['status'],
    schema: wholeObject(schemas.rebalancePolicy),
    rules: kindRules([policyNameRule('object'), ...policyRules('object.spec')]),
    columns: columns.customColumns(policyColumns),
    description: 'Has workloads rebalanced by itself, as clusters come and go.',
  },
  {
    ...work,
    plural: 'resourcebindings',
    singular: 'resourcebinding',
    kind: 'ResourceBinding',
    shortNames: ['rb'],
    namespaced: true,
    schema: wholeObject(schemas.binding),
    columns: columns.bindingColumns,
    description: 'Binds a namespaced workload to the clusters it runs on.',
  },
  {
    ...work,
    plural: 'clusterresourcebindings',
    singular: 'clusterresourcebinding',
    kind: 'ClusterResourceBinding',
    shortNames: ['crb'],
    namespaced: false,
    schema: wholeObject(schemas.binding),
    columns: columns.bindingColumns,
    description: 'Binds a cluster-scoped resource to the clusters it goes to.',
  },
  {
    ...policy,
    plural: 'propagationpolicies',
    singular: 'propagationpolicy',
    kind: 'PropagationPolicy',
    shortNames: ['pp'],
    namespaced: true,
    schema: wholeObject(schemas.propagationPolicy),
    columns: columns.propagationPolicyColumns,
    description: 'Which resources of its namespace go to which clusters, and how their replicas are divided.',
  },
  {
    ...policy,
    plural: 'clusterpropagationpolicies',
    singular: 'clusterpropagationpolicy',
    kind: 'ClusterPropagationPolicy',
    shortNames: ['cpp'],
    namespaced: false,
    schema: wholeObject(schemas.propagationPolicy),
    columns: columns.propagationPolicyColumns,
    description: 'A PropagationPolicy for any namespace and for cluster-scoped resources.',
  },
  ...clusterManagementKinds,
];

const byName = new Map(kinds.map((kind) => [storeNameOf(kind), kind]));

/** The kind with this name in the store. */
export function kindOf(storeName: string): KindDefinition | undefined {
  return byName.get(storeName);
}
