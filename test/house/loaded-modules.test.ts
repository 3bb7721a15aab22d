/** A cold start loads what its function uses: a shell names its ports one by one. */
import { expect, it } from 'vitest';
import { modulesLoadedBy } from '../../scripts/source-files.ts';

it('loads at most 60 modules of ours for the smallest function that consumes from a queue', () => {
  const loaded = modulesLoadedBy('functions/workload-rebalancer/expire-rebalancer.lambda.ts');
  expect(loaded).toContain('shared/kubernetes/client/kubernetes-hub.ts');
  // Every function that calls a hub reads its record and its circuit breaker, and takes of its budget; this one uses no other store.
  const registry = [
    ...['dynamodb-hub-budgets', 'dynamodb-hub-circuits', 'dynamodb-hub-registry', 'hub-row', 'row-formats', 'table'],
  ].map((name) => `shared/aws/dynamodb/${name}.ts`);
  const others = [...loaded].filter((path) => path.includes('dynamodb') || path.includes('estimator'));
  expect(others.toSorted()).toEqual(registry.toSorted());
  expect(loaded.size).toBeLessThanOrEqual(60);
});
