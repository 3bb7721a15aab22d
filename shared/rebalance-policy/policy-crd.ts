/** The CustomResourceDefinition of RebalancePolicy: printed by `evenkeel hub manifests`, and served by the practice hub. */
import type { KindRule } from '../kubernetes/crd-fields.ts';
import { type CrdColumn, clusterCrd, crdNames, crdSchema, openApiOf } from '../kubernetes/crd-parts.ts';
import { policyObject, policyRules } from './policy-schema.ts';
import { LONGEST_POLICY_NAME, rebalancePolicies } from './rebalance-policy.ts';

export const policyNames = crdNames(rebalancePolicies, 'rebp');

/** State, progress and next schedule. NEXT is a string: date columns of the API server show no future dates. */
export const policyColumns: readonly CrdColumn[] = [
  { name: 'STATE', type: 'string', jsonPath: '.status.state', description: 'What the policy is doing.' },
  { name: 'LAST-RUN', type: 'string', jsonPath: '.status.lastRun.state', description: 'What became of its last run.' },
  { name: 'WAVES', type: 'integer', jsonPath: '.status.lastRun.waves', description: 'Waves of the last run.' },
  { name: 'DONE', type: 'integer', jsonPath: '.status.lastRun.wavesDone', description: 'Waves that are ready again.' },
  { name: 'MOVED', type: 'integer', jsonPath: '.status.lastRun.moved', description: 'Replicas that it moved so far.' },
  { name: 'SUSPEND', type: 'boolean', jsonPath: '.spec.suspend', description: 'Whether it is to start nothing.' },
  { name: 'DRY-RUN', type: 'boolean', jsonPath: '.spec.dryRun', priority: 1, description: 'Whether it only records.' },
  {
    name: 'SKIPPED',
    type: 'integer',
    jsonPath: '.status.lastRun.skipped',
    priority: 1,
    description: 'Workloads of the last run that were left alone.',
  },
  {
    name: 'MESSAGE',
    type: 'string',
    jsonPath: '.status.message',
    priority: 1,
    description: 'Why it is in this state.',
  },
  { name: 'NEXT', type: 'string', jsonPath: '.status.nextScheduleTime', description: 'When its calendar is next due.' },
  {
    name: 'AGE',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
    description: 'Since when there is the policy.',
  },
];

/** Bounds the name of a wave's rebalancer, which contains policy, run and wave and is a label value. `object` is the name of the object in CEL. */
export function policyNameRule(object: string): KindRule {
  return {
    field: 'metadata.name',
    expression: `size(${object}.metadata.name) <= ${LONGEST_POLICY_NAME}`,
    message: `'metadata.name is ' + ${object}.metadata.name + '; give it a name of at most ${LONGEST_POLICY_NAME} characters, for the names of its waves begin with it'`,
  };
}

/** Of the whole object but its metadata, as OpenAPI. */
export const policyOpenApi = openApiOf(policyObject);

export function policyCrd(): object {
  const schema = crdSchema(policyOpenApi, { ofSpec: policyRules('self'), ofName: policyNameRule('self') });
  return clusterCrd(rebalancePolicies, { schema, names: policyNames, columns: policyColumns });
}
