/** A cold start loads what its function uses: a shell names its ports one by one. */
import { expect, it } from 'vitest';
import { modulesLoadedBy } from '../../scripts/source-files.ts';

it('loads at most 40 modules of ours for the smallest function that consumes from a queue', () => {
  const loaded = modulesLoadedBy('functions/workload-rebalancer/expire-rebalancer.lambda.ts');
  expect(loaded).toContain('shared/kubernetes/client/kubernetes-hub.ts');
  expect([...loaded].filter((path) => path.includes('dynamodb') || path.includes('estimator'))).toEqual([]);
  expect(loaded.size).toBeLessThanOrEqual(40);
});
