import { describe, expect, it } from 'vitest';
import { askClusters } from '../../../shared/estimator/ask-clusters.ts';

describe('one request to many clusters', () => {
  it('keeps the answer or the error of each', async () => {
    const { answers, faults } = await askClusters(['a', 'b', 'c', 'd'], 2, async (cluster) => {
      if (cluster === 'b') throw new Error('away');
      return cluster === 'c' ? undefined : cluster.codePointAt(0);
    });
    expect([...answers]).toEqual([
      ['a', 97],
      ['d', 100],
    ]);
    expect([...faults].map(([cluster, { message }]) => [cluster, message])).toEqual([['b', 'Error: away']]);
  });

  it.each([
    [3, 10, 3],
    [10, 4, 4],
  ])('has at most %i open at once, of %i clusters', async (inFlight, clusters, expected) => {
    let [open, most, asked] = [0, 0, 0];
    const names = Array.from({ length: clusters }, (_, i) => `m${i}`);
    await askClusters(names, inFlight, async () => {
      asked += 1;
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return undefined;
    });
    expect([most, asked]).toEqual([expected, clusters]);
  });
});
