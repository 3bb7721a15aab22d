import { describe, expect, it } from 'vitest';
import { clusterWeights } from '../../../shared/elastic-workload/cluster-weights.ts';

const known = new Map([
  ['a', { labels: { region: 'eu' } }],
  ['b', { labels: { region: 'us' } }],
]);
const total = { totalReplicas: 1 } as const;

function weights(weighted: Parameters<typeof clusterWeights>[0]['weighted']): Record<string, number> {
  const strategy = { ...total, type: 'Weighted', ...(weighted && { weighted }) } as const;
  return Object.fromEntries(clusterWeights(strategy, ['a', 'b', 'c'], { known }));
}

describe('weights', () => {
  it('are equal if the distribution is Even, regardless of other fields', () => {
    const weighted = { defaultWeight: 5, overrides: [{ clusterName: 'a', weight: 0 }] };
    expect([...clusterWeights({ ...total, type: 'Even', weighted }, ['a', 'b'], { known }).values()]).toEqual([1, 1]);
    expect(weights(undefined)).toEqual({ a: 1, b: 1, c: 1 });
  });

  it('are overridden by name and by label, and the first that matches counts', () => {
    const overrides = [
      { clusterName: 'a', weight: 7 },
      { clusterSelector: { matchLabels: { region: 'eu' } }, weight: 3 },
      { clusterSelector: { matchExpressions: [{ key: 'region', operator: 'Exists' as const }] }, weight: 2 },
    ];
    expect(weights({ defaultWeight: 4, overrides })).toEqual({ a: 7, b: 2, c: 4 });
  });
});
