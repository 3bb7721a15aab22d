/** Which replicas move if some stay: one assignment of all of them, or none. */
import { describe, expect, it } from 'vitest';
import { assignOthers } from '../../../../shared/karmada/assignment/assign-others.ts';
import { capacityOf } from '../../../../shared/karmada/assignment/available-replicas.ts';
import { schedulingText } from '../../../../shared/karmada/assignment/scheduling-decision.ts';
import {
  type BindingParts,
  byStaticWeight,
  cluster,
  clusters,
  DYNAMIC,
  type Numbers,
  placedBinding,
  replicasOf,
} from '../../../placed-objects.ts';

function others(parts: BindingParts, staying: Numbers, { free, drained }: { free: Numbers; drained?: string }): string {
  const binding = placedBinding(parts);
  const kept = { clusters: replicasOf(staying), ...(drained !== undefined && { drained }) };
  return schedulingText(assignOthers({ binding, clusters: clusters(free), available: capacityOf(binding) }, kept));
}

const six: BindingParts = { replicas: 6, current: { m1: 2, m2: 2, m3: 2 } };
const tolerant = { replicaScheduling: DYNAMIC, clusterTolerations: [{ operator: 'Exists' }] };

describe('the replicas that do not stay', () => {
  const weighted = { ...six, placement: { replicaScheduling: byStaticWeight({ m1: 1, m2: 1, m3: 1 }) } };
  const short = 'Unschedulable: Clusters available replicas 1 are not enough to schedule.';
  it.each<[string, BindingParts, Numbers, string]>([
    ['go to the cluster with capacity', six, { m1: 9, m2: 9, m3: 0 }, 'm2: 4, m3: 2'],
    ['are divided by capacity', six, { m1: 9, m2: 5, m3: 5 }, 'm2: 3, m3: 3'],
    ['stay all where there is capacity for some only', six, { m1: 9, m2: 1, m3: 0 }, short],
    ['by static weights go to the others in their proportion', weighted, { m1: 9, m2: 9, m3: 9 }, 'm2: 3, m3: 3'],
  ])('%s', (_, parts, free, text) => {
    expect(others(parts, { m2: 2, m3: 2 }, { free, drained: 'm1' })).toBe(text);
  });

  it('do not return to a cluster that loses some', () => {
    expect(others(six, { m1: 1, m2: 2, m3: 2 }, { free: { m1: 99, m2: 1, m3: 0 } })).toBe('m1: 1, m2: 3, m3: 2');
  });

  it('by static weights return neither to a cluster that loses some', () => {
    const placement = { replicaScheduling: byStaticWeight({ m1: 1, m2: 1, m3: 1 }) };
    const twelve = { replicas: 12, current: { m1: 4, m2: 4, m3: 4 }, placement };
    expect(others(twelve, { m1: 2, m2: 4, m3: 4 }, { free: { m1: 9, m2: 9, m3: 9 } })).toBe('m1: 2, m2: 5, m3: 5');
  });

  it.each([
    ['by capacity', DYNAMIC],
    ['by static weights', byStaticWeight({ m1: 1, m2: 1, m3: 1 })],
  ])('go %s to no other cluster that is drained, which keeps its own', (_, replicaScheduling) => {
    const binding = placedBinding({ ...six, placement: { replicaScheduling } });
    const taints = [{ key: 'evenkeel.dev/drain', value: 'm2', effect: 'NoSchedule' }];
    const found = assignOthers(
      {
        binding,
        clusters: [cluster('m1'), cluster('m2', { taints }), cluster('m3')],
        available: capacityOf(binding),
      },
      { clusters: replicasOf({ m2: 2, m3: 2 }), drained: 'm1' },
    );
    expect(schedulingText(found)).toBe('m2: 2, m3: 4');
  });

  it('go to no drained cluster, also if its taints are tolerated and it has the most capacity', () => {
    const free = { m1: 99, m2: 3, m3: 3 };
    const parts = { ...six, placement: tolerant };
    expect(others(parts, { m2: 2, m3: 2 }, { free, drained: 'm1' })).toBe('m2: 3, m3: 3');
    const weights = {
      replicaScheduling: byStaticWeight({ m1: 8, m2: 1, m3: 1 }),
      clusterTolerations: [{ operator: 'Exists' }],
    };
    expect(others({ ...six, placement: weights }, { m2: 2, m3: 2 }, { free, drained: 'm1' })).toBe('m2: 3, m3: 3');
  });

  it('name a kept replica that the placement no longer allows', () => {
    const placement = { replicaScheduling: DYNAMIC, clusterAffinity: { clusterNames: ['m1', 'm3'] } };
    expect(others({ ...six, placement }, { m2: 2, m3: 2 }, { free: { m1: 9, m2: 9, m3: 9 }, drained: 'm1' })).toBe(
      'Unschedulable: its placement no longer allows the 2 replicas on cluster m2',
    );
  });
});
