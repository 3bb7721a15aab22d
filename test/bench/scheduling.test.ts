import { describe, expect, it } from 'vitest';
import { measureScheduling } from '../../bench/scheduling/decisions.ts';

describe('a scheduling decision', () => {
  const measured = measureScheduling({ rounds: 5 });
  const of = (clusters: number, replicas: number) =>
    measured.filter((one) => one.clusters === clusters && one.replicas === replicas);

  it.each(of(1000, 1_000_000).map((one) => [one.strategy, one.mode, one] as const))(
    '%s, %s, for 1,000 clusters and 1,000,000 replicas takes milliseconds, not seconds',
    (_, __, { ms }) => {
      // A few on a quiet machine; this is for one that is busy. Static weights ask each rule of each cluster.
      expect(ms.min).toBeLessThan(250);
    },
  );

  it.each(of(100, 1_000_000).map((one) => [one.strategy, one.mode, one] as const))(
    '%s, %s, costs no more for 1,000 times the replicas than a few clusters more would',
    (_, __, { ratio }) => {
      expect(ratio?.median).toBeLessThan(5);
    },
  );
});
