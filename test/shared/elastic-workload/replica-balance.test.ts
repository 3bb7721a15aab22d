/** Dynamic balancing over time: which replicas are borrowed by which cluster, when they return, and that the balance never flaps. */
import { describe, expect, it } from 'vitest';
import { balanceReplicas } from '../../../shared/elastic-workload/replica-balance.ts';
import { ampleLimits, ManagedClusters, none, settled, specOf } from './managed-clusters.ts';

describe('balanceReplicas', () => {
  it('assigns every cluster its share, and then moves no replica', () => {
    const fleet = settled();
    expect(fleet.shown()).toEqual(['a 4/4', 'b 4/4', 'c 4/4']);
    expect(fleet.writes).toBe(3);
    fleet.pass(1000);
    expect(fleet.writes).toBe(3);
    expect(fleet.last?.reconcileAt).toBe(Number.POSITIVE_INFINITY);
  });

  it('moves its share to a cluster that joins, growing first', () => {
    const fleet = settled();
    fleet.join('d');
    fleet.onStep = () => expect(fleet.ready()).toBeGreaterThanOrEqual(12);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 3/3', 'b 3/3', 'c 3/3', 'd 3/3']);
  });

  it('removes a cluster that is no longer in the PlacementDecision, once the others are ready', () => {
    const fleet = settled();
    fleet.of('c').selected = false;
    fleet.onStep = () => expect(fleet.ready()).toBeGreaterThanOrEqual(12);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 6/6', 'b 6/6']);
  });

  it('moves replicas that a cluster cannot run to other clusters after the hesitation, and not before', () => {
    const fleet = settled();
    fleet.of('b').capacity = 2;
    fleet.of('b').ready = 2;
    fleet.pass(299);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 2/4', 'c 4/4']);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 2/2', 'c 5/5']);
  });

  it('restarts the hesitation with every replica that becomes ready', () => {
    const fleet = settled();
    fleet.of('b').capacity = 2;
    fleet.of('b').ready = 2;
    fleet.pass(250);
    fleet.of('b').capacity = 3;
    fleet.pass(250);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 3/4', 'c 4/4']);
    fleet.pass(80);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 3/3', 'c 5/5']);
  });

  it('returns them when the cluster has capacity again: makes the first attempt after a hesitation, then after twice as long', () => {
    const fleet = settled();
    fleet.of('b').capacity = 2;
    fleet.of('b').ready = 2;
    fleet.pass(310);
    expect(fleet.shown()[1]).toBe('b 2/2');
    // Tried without success: all borrowed replicas stay where they are meanwhile.
    fleet.onStep = () => expect(fleet.ready()).toBeGreaterThanOrEqual(12);
    fleet.pass(310);
    expect(fleet.of('b').written).toBe(4);
    fleet.pass(300);
    expect(fleet.of('b').written).toBe(2);
    fleet.of('b').capacity = 100;
    fleet.pass(500);
    expect(fleet.of('b').written).toBe(2);
    fleet.pass(110);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 4/4', 'c 4/4']);
  });

  it('never flaps: a cluster that keeps failing is tried ever more seldom', () => {
    const fleet = settled();
    fleet.of('b').capacity = 2;
    fleet.of('b').ready = 2;
    const before = fleet.writes;
    fleet.pass(24 * 3600);
    // Once an hour at the end, and each trial is a number up and a number down on b alone.
    expect(fleet.writes - before).toBeLessThan(70);
  });

  it('borrows nothing with balance None', () => {
    const fleet = settled(none);
    fleet.of('b').capacity = 2;
    fleet.of('b').ready = 2;
    fleet.pass(2000);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 2/4', 'c 4/4']);
    expect(fleet.writes).toBe(3);
  });

  it('borrows nothing beyond the total if the minimums together exceed it', () => {
    const fleet = new ManagedClusters(
      specOf({ total: 1, balance: { type: 'LimitRange', limitRange: { min: 2, max: 9 } } }),
      ['a', 'b', 'c'],
    );
    fleet.look();
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 2/2', 'b 2/2', 'c 2/2']);
    fleet.scale('b', 0);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 2/2', 'b 0/0', 'c 2/2']);
    fleet.spec = specOf({ total: 5, balance: { type: 'LimitRange', limitRange: { min: 2, max: 9 } } });
    fleet.pass(30);
    fleet.scale('b', 0);
    fleet.pass(30);
    expect(fleet.of('a').written).toBe(5 - (fleet.of('c').written ?? 0));
  });

  it('never borrows beyond the max, and leaves replicas that no cluster may take where they are', () => {
    const fleet = settled({ type: 'LimitRange', limitRange: { min: 1, max: 5 } });
    fleet.of('b').capacity = 0;
    fleet.of('b').ready = 0;
    fleet.pass(330);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 0/2', 'c 5/5']);
    expect(fleet.last?.unborrowed).toBe(2);
  });

  it('borrows first up to the soft limit, then up to the hard limit', () => {
    const classful = { type: 'Classful', classful: { assured: 1, softLimit: 5, hardLimit: 9 } };
    const fleetWithout = (...failing: readonly string[]) => {
      const fleet = new ManagedClusters(specOf({ total: 12, balance: classful, type: 'Weighted' }), ['a', 'b']);
      fleet.join('c', 4);
      fleet.look();
      fleet.pass(30);
      expect(fleet.shown()).toEqual(['a 2/2', 'b 2/2', 'c 8/8']);
      for (const name of failing) Object.assign(fleet.of(name), { capacity: 0, ready: 0 });
      fleet.pass(330);
      return fleet;
    };
    // By weight c would be next; b is under its soft limit, and c over it.
    expect(fleetWithout('a').shown()).toEqual(['a 0/0', 'b 4/4', 'c 8/8']);
    const both = fleetWithout('a', 'b');
    expect(both.of('c').written).toBe(9);
    expect(both.last?.unborrowed).toBe(3);
  });

  it('borrows the replicas of an unreachable cluster after the hesitation, and returns them after another', () => {
    const fleet = settled();
    fleet.of('b').available = false;
    fleet.pass(330);
    expect(fleet.shown()).toEqual(['a 6/6', 'b 4/0', 'c 6/6']);
    fleet.pass(4000);
    expect(fleet.of('b').written).toBe(0);
    fleet.of('b').available = true;
    fleet.pass(340);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 4/4', 'c 4/4']);
  });

  it('moves no replica when its state is lost, and continues from the written numbers', () => {
    const fleet = settled();
    fleet.of('b').capacity = 2;
    fleet.of('b').ready = 2;
    fleet.pass(340);
    const borrowed = ['a 5/5', 'b 2/2', 'c 5/5'];
    expect(fleet.shown()).toEqual(borrowed);
    fleet.memory = undefined;
    fleet.pass(200);
    expect(fleet.shown()).toEqual(borrowed);
    fleet.of('b').capacity = 100;
    fleet.pass(150);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 4/4', 'c 4/4']);
  });

  it('treats numbers inferred from the ManifestWorks as estimates: other clusters wait until replicas are ready', () => {
    const fleet = settled();
    // Both at once: the rest of the total resembles borrowed replicas.
    fleet.of('c').selected = false;
    fleet.memory = undefined;
    fleet.look();
    expect(fleet.last?.observations.get('a')?.cap?.guessed).toBe(true);
    fleet.of('b').weight = 0;
    fleet.onStep = () => expect(fleet.ready()).toBeGreaterThanOrEqual(12);
    fleet.pass(700);
    expect(fleet.shown()).toEqual(['a 12/12', 'b 0/0']);
  });

  it('switches everything off with a total of 0', () => {
    const fleet = settled();
    fleet.spec = specOf({ total: 0, balance: ampleLimits });
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 0/0', 'b 0/0', 'c 0/0']);
  });

  it('shrinks first and grows into the freed replicas if the transfer is Conservative', () => {
    const fleet = settled({ ...ampleLimits, transfer: 'Conservative' });
    fleet.join('d');
    fleet.onStep = () => expect(fleet.there()).toBeLessThanOrEqual(12);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 3/3', 'b 3/3', 'c 3/3', 'd 3/3']);
  });

  it('counts replicas that a concurrent reconcile assigned, before it observes the write, if the transfer is Conservative', () => {
    const spec = specOf({ total: 12, balance: { ...ampleLimits, transfer: 'Conservative' } });
    const fleet = new ManagedClusters(spec, ['a', 'b']);
    fleet.look();
    fleet.pass(30);
    // One look shrinks a, so that b may grow once that is gone; another has seen that, and given b what is free.
    const view = (cluster: string, written: number) => {
      const numbers = { written, replicasOnCluster: written, ready: written, writtenAt: fleet.now };
      return { cluster, selected: true, reachable: true, deleting: false, upToDate: true, ...numbers };
    };
    const views = [view('a', 4), view('b', 6), view('c', 0)];
    const weights = new Map(['a', 'b', 'c'].map((name) => [name, 1]));
    const asked = (given: number) => {
      const observations = { a: { written: 4 }, b: { written: given }, c: { written: 0 } };
      const memory = { strategy: fleet.memory?.strategy ?? '', observations };
      return balanceReplicas({ uid: 'uid', spec, views, weights, memory, now: fleet.now });
    };
    expect([...asked(6).next]).toEqual(Object.entries({ a: 4, b: 4, c: 2 }));
    const another = asked(8);
    expect([...another.next]).toEqual(Object.entries({ a: 4, b: 4, c: 0 }));
    expect(another.reconcileAt).toBe(fleet.now + 1000);
  });

  it('leaves a cluster for good though no other manages its replicas', () => {
    const fleet = settled();
    fleet.of('a').capacity = 4;
    fleet.of('b').capacity = 4;
    fleet.of('c').selected = false;
    fleet.pass(200);
    expect(fleet.of('c').written).toBe(4);
    fleet.pass(200);
    expect(fleet.of('c').written).toBe(undefined);
  });
});
