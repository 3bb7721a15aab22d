/** Which workloads of a run get their assignment from before it, and why others do not. */
import { describe, expect, it } from 'vitest';
import { planUndo } from '../../../cli/undo/plan-undo.ts';
import { inPortions } from '../../../cli/undo/portions.ts';
import type { RunAnswer } from '../../../shared/console-api/operations/decisions.ts';
import { parseCluster } from '../../../shared/karmada/assignment/cluster.ts';
import { keyText } from '../../../shared/kubernetes/object-key.ts';
import { deployment } from '../../builders.ts';
import {
  type BindingParts,
  byStaticWeight,
  clusterObject,
  clusters,
  DUPLICATED,
  DYNAMIC,
  placedBinding,
} from '../../placed-objects.ts';

type Decision = RunAnswer['decisions'][number];

const all = clusters({ m1: 20, m2: 20 });
const divided = { replicas: 6, placement: { replicaScheduling: DYNAMIC }, current: { m1: 2, m2: 4 } };
const decided = (name: string, over: Partial<Decision> = {}): Decision => ({
  workload: deployment(name),
  outcome: 'Moved',
  moves: 2,
  current: { m1: 4, m2: 2 },
  next: { m1: 2, m2: 4 },
  reason: 'rescheduled and ready',
  ...over,
});

function undo(decisions: readonly Decision[], bindings: Readonly<Record<string, BindingParts>>, on = all) {
  const placed = Object.entries(bindings).map(([name, parts]) => placedBinding({ ...parts, name }));
  const byKey = new Map(placed.map((binding) => [keyText(binding.metadata), binding]));
  const { restored, left } = planUndo(decisions, { bindings: byKey, clusters: on });
  return {
    restored: restored.map(({ workload, before, moves }) => [workload.name, before, moves]),
    left: left.map(({ workload, reason }) => `${workload.name}: ${reason}`),
  };
}

describe('the plan to undo a run', () => {
  it('restores the assignment from before it', () => {
    expect(undo([decided('web')], { web: divided })).toEqual({
      restored: [['web', { m1: 4, m2: 2 }, 2]],
      left: [],
    });
  });

  it.each<[string, Partial<Decision>, BindingParts, string]>([
    ['was moved since', {}, { ...divided, current: { m1: 3, m2: 3 } }, 'it was assigned otherwise since the run'],
    ['has it again', {}, { ...divided, current: { m1: 4, m2: 2 } }, 'it has its assignment from before the run'],
    [
      'was scaled since, without another assignment',
      {},
      { ...divided, replicas: 8 },
      'it was scaled since: the assignment is of 6 replicas, and it has 8',
    ],
    [
      'is Duplicated now',
      {},
      { ...divided, placement: { replicaScheduling: DUPLICATED } },
      'it is Duplicated: each cluster of its placement has all of its replicas',
    ],
    [
      'may not be on the cluster any more',
      { current: { m1: 4, m3: 2 }, next: { m1: 2, m2: 4 } },
      divided,
      'cluster m3 does not fit its placement now',
    ],
    [
      'has other weights now',
      {},
      { ...divided, placement: { replicaScheduling: byStaticWeight({ m1: 1, m2: 2 }) } },
      'its placement no longer allows the 4 replicas on cluster m1',
    ],
    [
      'is in flight',
      { outcome: 'Moving' },
      divided,
      'its wave is still in flight; undo the run again when that is over',
    ],
  ])('leaves a workload that %s', (_, over, parts, reason) => {
    expect(undo([decided('web', over)], { web: parts })).toEqual({ restored: [], left: [`web: ${reason}`] });
  });

  it('leaves a workload whose binding was deleted, and does not mention what the run did not move', () => {
    const unmoved = ['Unmoved', 'Skipped', 'PutOff'].map((outcome) => decided('other', { outcome }));
    expect(undo([decided('web'), ...unmoved], {}).left).toEqual(['web: it has no binding any more']);
  });

  it('uses capacity once, in the reverse order of the run', () => {
    const gone = undo([decided('a'), decided('b')], { a: divided, b: divided }, clusters({ m1: 2, m2: 20 }));
    expect(gone).toEqual({
      restored: [['b', { m1: 4, m2: 2 }, 2]],
      left: ['a: cluster m1 has capacity for 0 of the 2 replicas that it is to get'],
    });
  });

  it('moves nothing to a tainted cluster', () => {
    const taints = [{ key: 'evenkeel.dev/drain', effect: 'NoSchedule' }];
    const tainted = [parseCluster(clusterObject('m1', { taints })), ...clusters({ m2: 20 })];
    const back = decided('web', { current: { m1: 6 }, next: { m2: 6 } });
    expect(undo([back], { web: { ...divided, current: { m2: 6 } } }, tainted).left).toEqual([
      'web: cluster m1 does not fit its placement now',
    ]);
  });
});

describe('the WorkloadRebalancers of an undone run', () => {
  const restored = (count: number, before: Readonly<Record<string, number>>) =>
    Array.from({ length: count }, (_, i) => ({
      workload: deployment(`web-${i}`),
      binding: placedBinding({ ...divided, name: `web-${i}` }),
      now: {},
      before,
      moves: 1,
    }));

  it('name at most 500 workloads', () => {
    expect(inPortions(restored(1001, { m1: 1 })).map(({ length }) => length)).toEqual([500, 500, 1]);
    expect(inPortions([])).toEqual([]);
  });

  it('have annotations that fit in an object', () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`cluster-with-a-long-name-${i}`, 1]));
    const portions = inPortions(restored(200, wide));
    expect(portions.flat()).toHaveLength(200);
    for (const portion of portions) {
      const text = JSON.stringify(
        Object.fromEntries(portion.map(({ binding, before }) => [keyText(binding.metadata), before])),
      );
      expect(text.length).toBeLessThan(256 * 1024);
    }
  });
});
