/** What is scaled on a spoke by whoever may: a wish that is kept and made up for by the others, until the next edit. */
import { describe, expect, it } from 'vitest';
import { none, roomy, settled, specOf } from './spokes.ts';

describe('balanceReplicas, of what was scaled on a spoke,', () => {
  it('lends at once what was scaled down on the spoke, and does not fight it', () => {
    const fleet = settled();
    fleet.scale('b', 1);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 1/1', 'c 6/6']);
    fleet.pass(7200);
    expect(fleet.of('b').written).toBe(1);
    fleet.scale('b', 4);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 4/4', 'c 4/4']);
    expect(fleet.last?.sights.get('b')?.pin).toBe(undefined);
  });

  it('knows what was scaled on the spoke in the moment after our own write for what it is', () => {
    const fleet = settled();
    fleet.spec = specOf({ total: 15, balance: roomy });
    fleet.look();
    expect(fleet.of('b').written).toBe(5);
    // The agent has taken 5 over, and nobody looked before a person made it 2.
    Object.assign(fleet.of('b'), { replicas: 2, ready: 2 });
    fleet.agentsHaveSeen();
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 6/6', 'b 2/2', 'c 7/7']);
    expect(fleet.last?.sights.get('b')?.pin).toBe(2);
  });

  it("takes no number of its own from before for somebody else's, however far an agent is behind", () => {
    const fleet = settled();
    for (const total of [15, 18, 21]) {
      fleet.spec = specOf({ total, balance: roomy });
      fleet.look();
    }
    fleet.agentsHaveSeen();
    for (const behind of [4, 5, 6]) {
      for (const name of ['a', 'b', 'c']) Object.assign(fleet.of(name), { replicas: behind });
      fleet.look();
      expect(fleet.last?.sights.get('b')?.pin).toBe(undefined);
      expect(fleet.of('b').written).toBe(7);
    }
  });

  it('keeps what was scaled up on the spoke, and takes it from the others', () => {
    const fleet = settled();
    fleet.scale('b', 6);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 3/3', 'b 6/6', 'c 3/3']);
  });

  it('takes a spoke that was scaled to its share, when it had more, for no wish: the next edit counts for it as for the others', () => {
    const fleet = settled();
    fleet.of('c').available = false;
    fleet.pass(330);
    expect(fleet.of('b').written).toBe(6);
    fleet.scale('b', 4);
    fleet.pass(30);
    expect(fleet.last?.sights.get('b')?.pin).toBe(undefined);
    expect(fleet.of('b').replicas).toBe(4);
    fleet.of('c').available = true;
    fleet.spec = specOf({ total: 15, balance: roomy });
    fleet.pass(700);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 5/5', 'c 5/5']);
  });

  it('takes what was scaled on a spoke that is short for a wish until the next edit, and not beyond it', () => {
    const fleet = settled();
    fleet.of('c').capacity = 0;
    Object.assign(fleet.of('c'), { ready: 0 });
    fleet.pass(400);
    expect(fleet.of('c').written).toBe(0);
    fleet.scale('c', 3);
    fleet.pass(5);
    expect(fleet.last?.sights.get('c')?.pin).toBe(3);
    fleet.of('c').capacity = 100;
    fleet.spec = specOf({ total: 15, balance: roomy });
    fleet.pass(8000);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 5/5', 'c 5/5']);
  });

  it('takes back what was scaled beyond the max', () => {
    const fleet = settled({ type: 'LimitRange', limitRange: { min: 1, max: 5 } });
    fleet.scale('b', 9);
    fleet.pass(30);
    expect(fleet.of('b').written).toBe(5);
    expect(fleet.of('b').replicas).toBe(5);
  });

  it('takes it back where the max is written already, and half as often each time', () => {
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
    expect(fleet.last?.lookAt).toBe(Number.POSITIVE_INFINITY);
  });

  it('takes back what nobody could know for a wish, with balance None as well', () => {
    const fleet = settled(none);
    fleet.spec = specOf({ total: 15, balance: none });
    fleet.look();
    // Taken over, and made what it was before by a person, between two looks.
    Object.assign(fleet.of('b'), { replicas: 4, ready: 4 });
    fleet.agentsHaveSeen();
    fleet.pass(20);
    expect(fleet.of('b').replicas).toBe(4);
    fleet.pass(20);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 5/5', 'c 5/5']);
  });

  it('leaves the others alone with balance None, whatever a spoke makes of its number', () => {
    const fleet = settled(none);
    fleet.scale('b', 1);
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 4/4', 'b 1/1', 'c 4/4']);
  });

  it('takes an edit of the strategies for a new wish: nobody keeps what was scaled by hand', () => {
    const fleet = settled();
    fleet.scale('b', 1);
    fleet.pass(30);
    fleet.spec = specOf({ total: 15, balance: roomy });
    fleet.pass(30);
    expect(fleet.shown()).toEqual(['a 5/5', 'b 5/5', 'c 5/5']);
  });
});
