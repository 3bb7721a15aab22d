/** The CustomResourceDefinition of ClusterDrain: printed by `evenkeel hub manifests`, and served by the practice hub. */
import { type CrdColumn, clusterCrd, crdNames, crdSchema, openApiOf } from '../kubernetes/crd-parts.ts';
import { clusterDrains } from './cluster-drain.ts';
import { drainObject, drainRules, drainTransitions } from './drain-schema.ts';
import { policyColumns, policyNameRule } from './policy-crd.ts';

const [STATE, ...others] = policyColumns;
const columns: readonly CrdColumn[] = [
  { name: 'CLUSTER', type: 'string', jsonPath: '.spec.cluster', description: 'The cluster that is drained.' },
  ...(STATE ? [{ ...STATE, description: 'What the drain is doing.' }] : []),
  {
    name: 'DRAINED',
    type: 'string',
    jsonPath: ".status.conditions[?(@.type=='Drained')].status",
    description: 'Whether no workload has replicas on the cluster that can move.',
  },
  {
    name: 'UNTIL',
    type: 'string',
    jsonPath: '.spec.until',
    priority: 1,
    description: 'When the drain ends; empty: when it is deleted.',
  },
  ...others.filter(({ name }) => name !== 'NEXT'),
];

export function drainCrd(): object {
  const ofSpec = [...drainRules('self'), ...drainTransitions('self', 'oldSelf')];
  const schema = crdSchema(openApiOf(drainObject), { ofSpec, ofName: policyNameRule('self') });
  return clusterCrd(clusterDrains, { schema, names: crdNames(clusterDrains, 'drain'), columns });
}
