/** The CustomResourceDefinition of MoveBudget: printed by `evenkeel hub manifests`, and served by the practice hub. */
import { clusterCrd, crdNames, crdSchema, openApiOf } from '../kubernetes/crd-parts.ts';
import { policyNameRule } from '../rebalance-policy/policy-crd.ts';
import { budgetObject, budgetRules } from './budget-schema.ts';
import { moveBudgets } from './move-budget.ts';

export function budgetCrd(): object {
  const schema = crdSchema(openApiOf(budgetObject), { ofSpec: budgetRules('self'), ofName: policyNameRule('self') });
  const columns = [
    {
      name: 'PER',
      type: 'string',
      jsonPath: '.spec.limits[*].per',
      description: 'What its limits are of.',
    },
    { name: 'REPLICAS', type: 'string', jsonPath: '.spec.limits[*].replicas', description: 'How many they allow.' },
    {
      name: 'AGE',
      type: 'date',
      jsonPath: '.metadata.creationTimestamp',
      description: 'Since when there is the budget.',
    },
  ] as const;
  return clusterCrd(moveBudgets, { schema, names: crdNames(moveBudgets, 'mvb'), columns });
}
