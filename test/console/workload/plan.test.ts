import { describe, expect, it } from 'vitest';
import { planRows } from '../../../console/workload/plan.ts';

const plan = { moves: 2, outcome: 'Moves', reason: '' };

describe('the plan of a workload', () => {
  it('lists every cluster that has, had or would have replicas, in one order', () => {
    const rows = planRows({
      clusters: [{ name: 'member2', assigned: 6, ready: 5, held: { replicas: 2 } }],
      plan: { ...plan, steady: { member2: 6 }, fresh: { member1: 2, member2: 4 } },
    });
    expect(rows).toEqual([
      { name: 'member1', now: 0, ready: 0, held: undefined, steady: 0, fresh: 2 },
      { name: 'member2', now: 6, ready: 5, held: { replicas: 2 }, steady: 6, fresh: 4 },
    ]);
  });

  it('has no numbers without a plan', () => {
    const clusters = [{ name: 'member1', assigned: 3, ready: 3 }];
    expect(planRows({ clusters, plan: { ...plan, steady: null, fresh: null } })).toEqual([
      { name: 'member1', now: 3, ready: 3, held: undefined, steady: null, fresh: null },
    ]);
  });
});
