/** How many replicas of a workload a ClusterDrain with a percentage moves. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DRAINED, drainedAnnotation, leavingReplicas } from '../../../shared/workload-rebalancer/drain-share.ts';
import { parseShare, shareText } from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { placedBinding } from '../../placed-objects.ts';

const on = (replicas: number, { name = 'web', annotations = {} } = {}) =>
  placedBinding({ replicas: replicas + 1, current: { m1: replicas, m2: 1 }, name, metadata: { annotations } });
const share = (percent: number) => ({ drain: 'u1', percent });

describe('the share of a drain', () => {
  it('is read as it was written, and is absent for any other text', () => {
    expect(parseShare(shareText(share(33)))).toEqual(share(33));
    expect(['', '33', '101 u1', 'x u1', '33 '].map(parseShare)).toEqual(Array(5).fill(undefined));
  });

  it('is all replicas without a percentage, and none of a cluster without replicas', () => {
    expect([leavingReplicas(on(5), 'm1', undefined), leavingReplicas(on(5), 'm9', share(50))]).toEqual([5, 0]);
  });

  it('is the percentage of the replicas, rounded up or down, over many workloads on average', () => {
    const names = Array.from({ length: 300 }, (_, i) => `app-${i}`);
    const leaving = names.map((name) => leavingReplicas(on(1, { name }), 'm1', share(33)));
    const all = leaving.reduce((sum, one) => sum + one, 0);
    expect(all).toBeGreaterThan(70);
    expect(all).toBeLessThan(130);
  });

  it('of several growing percentages is that of the last, however many there were', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 40 }),
        fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 20 }),
        fc.stringMatching(/^[a-z]{1,8}$/),
        (before, percents, name) => {
          const growing = [...percents].sort((a, b) => a - b);
          let binding = on(before, { name });
          for (const percent of growing) {
            const leaves = leavingReplicas(binding, 'm1', share(percent));
            const annotations =
              leaves > 0 ? drainedAnnotation(binding, 'm1', share(percent)) : binding.metadata.annotations;
            const replicas = (binding.spec.clusters.find((each) => each.name === 'm1')?.replicas ?? 0) - leaves;
            binding = on(replicas, { name, annotations });
          }
          const left = binding.spec.clusters.find((each) => each.name === 'm1')?.replicas ?? 0;
          const last = growing.at(-1) ?? 0;
          expect(Math.abs(before - left - (before * last) / 100)).toBeLessThan(1);
        },
      ),
    );
  });

  it('of a drain counts on after another drain has moved replicas of the workload', () => {
    const first = drainedAnnotation(on(4), 'm1', share(50));
    const other = { drain: 'u2', percent: 100 };
    const second = drainedAnnotation(on(3, { annotations: first }), 'm2', other);
    expect(leavingReplicas(on(2, { annotations: second }), 'm1', share(50))).toBe(0);
    expect(leavingReplicas(on(2, { annotations: second }), 'm1', share(75))).toBe(1);
    const third = drainedAnnotation(on(2, { annotations: second }), 'm1', share(75));
    expect(third).toEqual({ [DRAINED]: 'u1 4 3, u2 1 1' });
  });

  it('is forgotten after eight others, so that the annotation stays short', () => {
    const annotations = Array.from({ length: 20 }, (_, i) => ({ drain: `d${i}`, percent: 100 })).reduce<
      Readonly<Record<string, string>>
    >((before, each) => drainedAnnotation(on(4, { annotations: before }), 'm1', each), {});
    const kept = annotations[DRAINED]?.split(', ').map((each) => each.split(' ')[0]);
    expect(kept).toEqual(['d19', 'd18', 'd17', 'd16', 'd15', 'd14', 'd13', 'd12']);
  });

  it('starts anew for another drain', () => {
    const annotations = { [DRAINED]: 'u0 10 10' };
    expect(leavingReplicas(on(4, { annotations }), 'm1', share(100))).toBe(4);
  });
});
