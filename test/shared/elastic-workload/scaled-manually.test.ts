/** Manual scaling on a managed cluster: the override is kept and the other clusters compensate, until the next edit. */
import { describe, expect, it } from 'vitest';
import { ampleLimits, none, settled, specOf } from './managed-clusters.ts';

describe('balanceReplicas, after manual scaling on a managed cluster,', () => {
  it('moves replicas of a cluster that was scaled down to the others at once, without a reset', () => {
    const fleet = settled();
    fleet.scale('b', 1);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 1/1', 'c 6/6']);
    fleet.pass(7200);
    expect(fleet.of('b').written).toBe(1);
    fleet.scale('b', 4);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 4/4', 'c 4/4']);
    expect(fleet.last?.observations.get('b')?.pin).toBe(undefined);
  });

  it('recognises manual scaling in the moment after its own write', () => {
    const fleet = settled();
    fleet.spec = specOf({ total: 15, balance: ampleLimits });
    fleet.look();
    expect(fleet.of('b').written).toBe(5);
    // The agent has applied 5, and no reconcile ran before a user set 2.
    Object.assign(fleet.of('b'), { replicas: 2, ready: 2 });
    fleet.agentsHaveSeen();
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 6/6', 'b 2/2', 'c 7/7']);
    expect(fleet.last?.observations.get('b')?.pin).toBe(2);
  });

  it('never takes its own earlier number for a manual override, however far an agent is behind', () => {
    const fleet = settled();
    for (const total of [15, 18, 21]) {
      fleet.spec = specOf({ total, balance: ampleLimits });
      fleet.look();
    }
    fleet.agentsHaveSeen();
    for (const behind of [4, 5, 6]) {
      for (const name of ['a', 'b', 'c']) Object.assign(fleet.of(name), { replicas: behind });
      fleet.look();
      expect(fleet.last?.observations.get('b')?.pin).toBe(undefined);
      expect(fleet.of('b').written).toBe(7);
    }
  });

  it('keeps the replicas of a cluster that was scaled up, and takes them from the others', () => {
    const fleet = settled();
    fleet.scale('b', 6);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 3/3', 'b 6/6', 'c 3/3']);
  });

  it('takes no override from a cluster with more than its share that was scaled to its share: the next edit applies to it as to the others', () => {
    const fleet = settled();
    fleet.of('c').available = false;
    fleet.pass(330);
    expect(fleet.of('b').written).toBe(6);
    fleet.scale('b', 4);
    fleet.pass(30);
    expect(fleet.last?.observations.get('b')?.pin).toBe(undefined);
    expect(fleet.of('b').replicas).toBe(4);
    fleet.of('c').available = true;
    fleet.spec = specOf({ total: 15, balance: ampleLimits });
    fleet.pass(700);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 5/5', 'c 5/5']);
  });

  it('takes manual scaling of a short cluster as an override until the next edit, and no longer', () => {
    const fleet = settled();
    fleet.of('c').capacity = 0;
    Object.assign(fleet.of('c'), { ready: 0 });
    fleet.pass(400);
    expect(fleet.of('c').written).toBe(0);
    fleet.scale('c', 3);
    fleet.pass(5);
    expect(fleet.last?.observations.get('c')?.pin).toBe(3);
    fleet.of('c').capacity = 100;
    fleet.spec = specOf({ total: 15, balance: ampleLimits });
    fleet.pass(8000);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 5/5', 'c 5/5']);
  });

  it('resets a number beyond the max', () => {
    const fleet = settled({ type: 'LimitRange', limitRange: { min: 1, max: 5 } });
    fleet.scale('b', 9);
    fleet.pass(30);
    expect(fleet.of('b').written).toBe(5);
    expect(fleet.of('b').replicas).toBe(5);
  });

  it('resets it if the max is already written, with half the frequency each time', () => {
    const fleet = settled({ type: 'LimitRange', limitRange: { min: 1, max: 4 } });
    fleet.scale('b', 9);
    fleet.pass(2);
    expect(fleet.of('b')).toMatchObject({ replicas: 4, written: 4, putBacks: 1 });
    const waits = [60, 120, 240].map((wait) => {
      fleet.scale('b', 9);
      fleet.pass(wait - 9);
      const before = fleet.of('b').replicas;
      fleet.pass(9);
      return [before, fleet.of('b').replicas];
    });
    expect(waits).toEqual([
      [9, 4],
      [9, 4],
      [9, 4],
    ]);
    fleet.pass(4000);
    expect(fleet.last?.reconcileAt).toBe(Number.POSITIVE_INFINITY);
  });

  it('resets an override that could not be detected, also with balance None', () => {
    const fleet = settled(none);
    fleet.spec = specOf({ total: 15, balance: none });
    fleet.look();
    // Applied, and reset to the earlier number by a user, between two reconciles.
    Object.assign(fleet.of('b'), { replicas: 4, ready: 4 });
    fleet.agentsHaveSeen();
    fleet.pass(20);
    expect(fleet.of('b').replicas).toBe(4);
    fleet.pass(20);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 5/5', 'c 5/5']);
  });

  it('does not change the other clusters with balance None, whatever number a managed cluster has', () => {
    const fleet = settled(none);
    fleet.scale('b', 1);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 1/1', 'c 4/4']);
  });

  it('treats an edit of the strategies as new intent: all manual overrides end', () => {
    const fleet = settled();
    fleet.scale('b', 1);
    fleet.pass(30);
    fleet.spec = specOf({ total: 15, balance: ampleLimits });
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 5/5', 'c 5/5']);
  });
});
