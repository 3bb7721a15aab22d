/** Dynamic balancing over time: what is lent, to whom, when it comes back, and that it never flaps. */
import { describe, expect, it } from 'vitest';
import { balanceReplicas } from '../../../../shared/model/elastic-workload/balance-replicas.ts';
import { none, roomy, Spokes, settled, specOf } from './spokes.ts';

describe('balanceReplicas', () => {
  it('gives every cluster its share, and then moves nothing', () => {
    const fleet = settled();
    expect(fleet.shown()).toEqual(['a 4/4', 'b 4/4', 'c 4/4']);
    expect(fleet.writes).toBe(3);
    fleet.pass(1000);
    expect(fleet.writes).toBe(3);
    expect(fleet.last?.lookAt).toBe(Number.POSITIVE_INFINITY);
  });

  it('moves its share to a cluster that joins, growing first', () => {
    const fleet = settled();
    fleet.join('d');
    fleet.onStep = () => expect(fleet.ready()).toBeGreaterThanOrEqual(12);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 3/3', 'b 3/3', 'c 3/3', 'd 3/3']);
  });

  it('takes a cluster away that the PlacementDecision no longer names, once the others are ready', () => {
    const fleet = settled();
    fleet.of('c').selected = false;
    fleet.onStep = () => expect(fleet.ready()).toBeGreaterThanOrEqual(12);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 6/6', 'b 6/6']);
  });

  it('lends what a cluster does not manage after the hesitation, and not before', () => {
    const fleet = settled();
    fleet.of('b').capacity = 2;
    fleet.of('b').ready = 2;
    fleet.pass(299);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 2/4', 'c 4/4']);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 2/2', 'c 5/5']);
  });

  it('begins the hesitation anew with every replica that gets ready', () => {
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

  it('gives it back when the cluster has room again: tried first after a hesitation, then after twice as long', () => {
    const fleet = settled();
    fleet.of('b').capacity = 2;
    fleet.of('b').ready = 2;
    fleet.pass(310);
    expect(fleet.shown()[1]).toBe('b 2/2');
    // Tried, and not managed: everything that was lent stays where it is meanwhile.
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

  it('lends nothing with balance None', () => {
    const fleet = settled(none);
    fleet.of('b').capacity = 2;
    fleet.of('b').ready = 2;
    fleet.pass(2000);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 2/4', 'c 4/4']);
    expect(fleet.writes).toBe(3);
  });

  it('lends nothing that is beyond the total, where the least of each is more than that together', () => {
    const fleet = new Spokes(specOf({ total: 1, balance: { type: 'LimitRange', limitRange: { min: 2, max: 9 } } }), [
      'a',
      'b',
      'c',
    ]);
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

  it('lends nobody more than the max, and leaves what nobody may take where it is', () => {
    const fleet = settled({ type: 'LimitRange', limitRange: { min: 1, max: 5 } });
    fleet.of('b').capacity = 0;
    fleet.of('b').ready = 0;
    fleet.pass(330);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 0/2', 'c 5/5']);
    expect(fleet.last?.unlent).toBe(2);
  });

  it('lends first up to the soft limit, then up to the hard one', () => {
    const classful = { type: 'Classful', classful: { assured: 1, softLimit: 5, hardLimit: 9 } };
    const fleetWithout = (...failing: readonly string[]) => {
      const fleet = new Spokes(specOf({ total: 12, balance: classful, type: 'Weighted' }), ['a', 'b']);
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
    expect(both.last?.unlent).toBe(3);
  });

  it('lends what an unreachable cluster has after the hesitation, and returns it after another', () => {
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

  it('moves nothing when its memory is lost, and goes on from what is written', () => {
    const fleet = settled();
    fleet.of('b').capacity = 2;
    fleet.of('b').ready = 2;
    fleet.pass(340);
    const lent = ['a 5/5', 'b 2/2', 'c 5/5'];
    expect(fleet.shown()).toEqual(lent);
    fleet.memory = undefined;
    fleet.pass(200);
    expect(fleet.shown()).toEqual(lent);
    fleet.of('b').capacity = 100;
    fleet.pass(150);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 4/4', 'c 4/4']);
  });

  it('takes what it reads off what is written for no more than a guess: others wait until replicas are ready', () => {
    const fleet = settled();
    // Both at once: what is left of the total looks as if somebody had lent.
    fleet.of('c').selected = false;
    fleet.memory = undefined;
    fleet.look();
    expect(fleet.last?.sights.get('a')?.cap?.guessed).toBe(true);
    fleet.of('b').weight = 0;
    fleet.onStep = () => expect(fleet.ready()).toBeGreaterThanOrEqual(12);
    fleet.pass(700);
    expect(fleet.shown()).toEqual(['a 12/12', 'b 0/0']);
  });

  it('switches everything off with a total of 0', () => {
    const fleet = settled();
    fleet.spec = specOf({ total: 0, balance: roomy });
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 0/0', 'b 0/0', 'c 0/0']);
  });

  it('shrinks first and grows into what is free where it is Conservative', () => {
    const fleet = settled({ ...roomy, transfer: 'Conservative' });
    fleet.join('d');
    fleet.onStep = () => expect(fleet.there()).toBeLessThanOrEqual(12);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 3/3', 'b 3/3', 'c 3/3', 'd 3/3']);
  });

  it('counts what another look has given, whose write it does not see yet, where it is Conservative', () => {
    const spec = specOf({ total: 12, balance: { ...roomy, transfer: 'Conservative' } });
    const fleet = new Spokes(spec, ['a', 'b']);
    fleet.look();
    fleet.pass(30);
    // One look shrinks a, so that b may grow once that is gone; another has seen that, and given b what is free.
    const view = (cluster: string, written: number) => {
      const numbers = { written, onSpoke: written, ready: written, writtenAt: fleet.now };
      return { cluster, selected: true, reachable: true, deleting: false, upToDate: true, ...numbers };
    };
    const views = [view('a', 4), view('b', 6), view('c', 0)];
    const weights = new Map(['a', 'b', 'c'].map((name) => [name, 1]));
    const asked = (given: number) => {
      const sights = { a: { written: 4 }, b: { written: given }, c: { written: 0 } };
      const memory = { strategy: fleet.memory?.strategy ?? '', sights };
      return balanceReplicas({ uid: 'uid', spec, views, weights, memory, now: fleet.now });
    };
    expect([...asked(6).next]).toEqual(Object.entries({ a: 4, b: 4, c: 2 }));
    const another = asked(8);
    expect([...another.next]).toEqual(Object.entries({ a: 4, b: 4, c: 0 }));
    expect(another.lookAt).toBe(fleet.now + 1000);
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
