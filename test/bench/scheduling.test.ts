import { describe, expect, it } from 'vitest';
import { decision, modes, strategies } from '../../bench/scheduling/decisions.ts';
import { workOf } from '../work.ts';

const kinds = strategies.flatMap((strategy) => modes.map((mode) => [strategy, mode] as const));

describe.each(kinds)('a scheduling decision, %s, %s', (strategy, mode) => {
  const work = (clusters: number, replicas: number) => workOf(decision(strategy, mode, { clusters, replicas }));

  it('takes at most 1.5 times the work for 1,000 times the replicas', async () => {
    expect((await work(100, 1_000_000)) / (await work(100, 1000))).toBeLessThan(1.5);
  });

  it('takes at most linear work plus sorting for ten times the clusters', async () => {
    // Each rule of static weights is evaluated for each cluster, and there is one rule per cluster: quadratic.
    const limit = strategy === 'StaticWeight' ? 100 : 15;
    expect((await work(1000, 1000)) / (await work(100, 1000))).toBeLessThan(limit);
  });
});
