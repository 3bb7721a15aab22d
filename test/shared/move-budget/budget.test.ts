/** Which moves the budgets of a hub allow, and until when the others wait. */
import { describe, expect, it } from 'vitest';
import { createBudget, type MoveRequest, previewBudget } from '../../../shared/move-budget/budget.ts';
import type { MoveLimit } from '../../../shared/move-budget/move-budget.ts';
import { type LedgerMove, WRITTEN_WITHIN } from '../../../shared/move-budget/move-ledger.ts';
import { at } from '../../builders.ts';

const MINUTE = 60_000;
const NOW = at(3600);

const number = (value: number) => ({ value, isPercent: false });
const percent = (value: number) => ({ value, isPercent: true });
const hub = (over: Partial<MoveLimit> = {}): MoveLimit => ({
  of: 'MoveBudget b',
  per: 'Hub',
  replicas: number(10),
  ...over,
});

function move(name: string, leaves: Readonly<Record<string, number>>, over: Partial<MoveRequest> = {}): MoveRequest {
  const binding = { namespace: 'shop', name };
  return { binding, reason: 'Policy', mover: `wave of ${name}`, leaves, generation: 1, replicas: 20, ...over };
}

function counted(name: string, leaves: Readonly<Record<string, number>>, over: Partial<LedgerMove> = {}): LedgerMove {
  return {
    binding: { namespace: 'shop', name },
    reason: 'Policy',
    mover: 'x',
    generation: 1,
    at: NOW,
    leaves,
    ...over,
  };
}

function budget(limits: readonly MoveLimit[], moves: readonly LedgerMove[] = [], now = NOW) {
  return createBudget({ limits, moves, pods: new Map([['m1', 50]]), now });
}

describe('a limit per hub', () => {
  it('allows moves as long as their sum is within it, and the others wait for them', () => {
    const all = budget([hub()]);
    expect([6, 4, 1].map((n) => all.take(move(`w${n}`, { m1: n })))).toEqual([
      { result: 'granted' },
      { result: 'granted' },
      {
        result: 'waits',
        reason: 'MoveBudget b: at most 10 replicas of the hub at once, of which 10 are moving; this would move 1',
      },
    ]);
    expect(all.waitsForMoves()).toBe(true);
    expect(all.granted()?.map(({ binding: { name }, leaves, at }) => [name, leaves.m1, at])).toEqual([
      ['w6', 6, NOW],
      ['w4', 4, NOW],
    ]);
  });

  it('counts no move that is over, and none after a day', () => {
    const over = [counted('a', { m1: 9 }, { over: true }), counted('b', { m1: 9 }, { at: NOW - 25 * 60 * MINUTE })];
    const all = budget([hub()], over);
    expect(all.take(move('c', { m1: 10 })).result).toBe('granted');
    expect(all.granted()?.map(({ binding: { name } }) => name)).toEqual(['c']);
  });

  it('rejects a move that exceeds it alone', () => {
    expect(budget([hub()]).take(move('w', { m1: 6, m2: 5 }))).toEqual({
      result: 'exceeds',
      reason: 'MoveBudget b: at most 10 replicas of the hub at once, of which 0 are moving; this would move 11',
    });
  });

  it('grants a redelivered request again, and counts it once', () => {
    const all = budget([hub()], [counted('w', { m1: 10 }, { mover: 'wave of w', at: NOW - MINUTE })]);
    expect(all.take(move('w', { m1: 9 })).result).toBe('granted');
    expect(all.granted()).toEqual([counted('w', { m1: 10 }, { mover: 'wave of w' })]);
  });

  it('is in percent of the pods of all clusters', () => {
    const all = createBudget({
      ...{ limits: [hub({ replicas: percent(10) })], moves: [], now: NOW },
      pods: new Map([
        ['m1', 50],
        ['m2', 30],
      ]),
    });
    expect([8, 1].map((n) => all.take(move(`w${n}`, { m1: n })).result)).toEqual(['granted', 'waits']);
  });

  it('has no move wait for others that exceeds it alone', () => {
    const all = budget([hub()]);
    all.take(move('w', { m1: 11 }));
    expect(all.waitsForMoves()).toBe(false);
  });

  it('counts nothing for a workload none of whose replicas would leave', () => {
    const all = budget([hub({ replicas: number(0) })]);
    expect(all.take(move('w', {})).result).toBe('granted');
    expect(all.granted()).toBeUndefined();
  });
});

describe('a limit within a window', () => {
  const within = hub({ window: 10 * MINUTE });

  it('counts moves that are over, and has the others wait until enough of them are out of it', () => {
    const moves = [3, 2, 1].map((minutes) =>
      counted(`w${minutes}`, { m1: 3 }, { at: NOW - minutes * MINUTE, over: true }),
    );
    expect(budget([within], moves).take(move('w', { m1: 1 })).result).toBe('granted');
    expect(budget([within], moves).take(move('w', { m1: 5 }))).toEqual({
      result: 'waits',
      reason:
        'MoveBudget b: at most 10 replicas of the hub within 10 minutes, of which 9 have moved; this would move 5',
      until: NOW - 2 * MINUTE + 10 * MINUTE,
    });
  });

  it('has a move wait for no more of the earlier ones than it needs, in the order of their times', () => {
    const moves = [2, 3, 1].map((minutes) =>
      counted(`w${minutes}`, { m1: 3 }, { at: NOW - minutes * MINUTE, over: true }),
    );
    expect(budget([within], moves).take(move('w', { m1: 4 }))).toMatchObject({ until: NOW + 7 * MINUTE });
    expect(budget([within], moves).take(move('w', { m1: 5 }))).toMatchObject({ until: NOW + 8 * MINUTE });
  });

  it('counts no move that is as old as the window', () => {
    const moves = [counted('a', { m1: 10 }, { at: NOW - 10 * MINUTE }), counted('b', { m1: 1 })];
    const limits = [within, hub({ replicas: number(100), window: 20 * MINUTE })];
    expect(budget(limits, moves).take(move('c', { m1: 9 })).result).toBe('granted');
  });

  it('of a workload counts its own moves', () => {
    const limit = hub({ per: 'Workload', window: 10 * MINUTE });
    const moves = ['a', 'b'].map((name, i) => counted(name, { m1: 6 }, { over: true, at: NOW - (5 - i) * MINUTE }));
    expect(budget([limit], moves).take(move('b', { m1: 5 }))).toEqual({
      result: 'waits',
      reason:
        'MoveBudget b: at most 10 replicas of the workload within 10 minutes, of which 6 have moved; this would move 5',
      until: NOW + 6 * MINUTE,
    });
    expect(budget([limit], moves).take(move('c', { m1: 10 })).result).toBe('granted');
  });

  it('longer than a day keeps moves that a limit at once counts no more', () => {
    const limits = [hub(), hub({ replicas: number(100), window: 3 * 24 * 60 * MINUTE })];
    const old = [counted('a', { m1: 5 }, { over: true }), counted('b', { m1: 5 }, { at: NOW - 24 * 60 * MINUTE })];
    expect(budget(limits, old).take(move('c', { m1: 10 })).result).toBe('granted');
    expect(budget([hub({ window: 3 * 24 * 60 * MINUTE })], old).take(move('c', { m1: 1 })).result).toBe('waits');
  });

  it('keeps a move until it is out of the longest window', () => {
    const over = [counted('a', { m1: 1 }, { over: true, at: NOW - 9 * MINUTE })];
    const all = budget([within], [...over, counted('b', { m1: 1 }, { over: true, at: NOW - 11 * MINUTE })]);
    all.take(move('c', { m1: 1 }));
    expect(all.granted()?.map(({ binding: { name } }) => name)).toEqual(['a', 'c']);
  });
});

describe('a limit per cluster', () => {
  const cluster = hub({ per: 'Cluster', replicas: percent(10) });

  it('counts the replicas that leave it, in percent of its pods, rounded up', () => {
    const all = budget([cluster], [counted('a', { m1: 2, m2: 40 })]);
    expect(all.take(move('b', { m1: 3 })).result).toBe('granted');
    expect(all.take(move('c', { m1: 1 }))).toMatchObject({
      reason: 'MoveBudget b: at most 5 replicas of m1 at once, of which 5 are moving; this would move 1',
    });
  });

  it('is not exceeded by a move that takes nothing from a cluster beyond it', () => {
    const all = budget([hub({ per: 'Cluster', replicas: number(2) })], [counted('a', { m1: 5 })]);
    expect(all.take(move('b', { m1: 0, m2: 1 })).result).toBe('granted');
  });

  it('has a move from a cluster that reports no pods wait', () => {
    expect(budget([cluster]).take(move('a', { m2: 1 }))).toEqual({
      result: 'waits',
      reason: 'MoveBudget b: a percentage of the replicas of m2, which reports no pods',
    });
  });
});

describe('a limit per workload', () => {
  it('is of its replicas, rounded up', () => {
    const all = budget([hub({ per: 'Workload', replicas: percent(10) })]);
    expect(all.take(move('a', { m1: 1 }, { replicas: 4 })).result).toBe('granted');
    expect(all.take(move('b', { m1: 2 }, { replicas: 4 }))).toMatchObject({
      result: 'exceeds',
      reason: 'MoveBudget b: at most 1 replica of the workload at once, of which 0 are moving; this would move 2',
    });
  });

  it.each([
    ['2', 2, 'granted'],
    ['2', 3, 'exceeds'],
    ['10%', 2, 'granted'],
    ['10%', 3, 'exceeds'],
    ['ten', 1, 'exceeds'],
  ])('of its own (%s) makes that of the hub stricter for %s replicas: %s', (ownLimit, leaves, result) => {
    expect(budget([hub()]).take(move('a', { m1: leaves }, { ownLimit })).result).toBe(result);
  });

  it('of its own allows no more than the hub', () => {
    expect(budget([hub()]).take(move('a', { m1: 11 }, { ownLimit: '100%' })).result).toBe('exceeds');
  });
});

describe('a limit with a schedule', () => {
  const applies = { cron: '0 10 * * *', timeZone: 'UTC', durationMs: 90 * MINUTE };
  const never = hub({ replicas: number(0), applies });

  it('applies while its window is open, and the moves wait for its end', () => {
    expect(budget([never], [], at(0)).take(move('a', { m1: 1 }))).toEqual({
      result: 'waits',
      reason: 'MoveBudget b: at most 0 replicas of the hub at once, of which 0 are moving; this would move 1',
      until: at(0) + 90 * MINUTE,
    });
    const closed = budget([never], [], at(0));
    closed.take(move('a', { m1: 1 }));
    expect(closed.waitsForMoves()).toBe(false);
    expect(budget([never], [], at(0) + 90 * MINUTE).take(move('a', { m1: 1 })).result).toBe('granted');
  });

  it('ends a wait for a window earlier', () => {
    const limit = hub({ window: 120 * MINUTE, applies });
    expect(budget([limit], [counted('a', { m1: 10 }, { over: true })]).take(move('b', { m1: 1 }))).toMatchObject({
      until: at(0) + 90 * MINUTE,
    });
  });
});

describe('moves of one workload', () => {
  it('wait for each other', () => {
    const all = budget([hub()], [counted('w', { m1: 1 }, { mover: 'the descheduler' })]);
    expect(all.take(move('w', { m1: 1 }))).toEqual({ result: 'waits', reason: 'the descheduler is moving it' });
    expect(all.most(move('w', {}), ['m1'])).toBe(0);
  });

  it('do not wait for one that is over, nor for one of the same mover', () => {
    const limit = hub({ window: 10 * MINUTE });
    const over = budget([limit], [counted('w', { m1: 1 }, { mover: 'the descheduler', over: true })]);
    expect(over.take(move('w', { m1: 1 })).result).toBe('granted');
    const own = budget([limit], [counted('w', { m1: 1 }, { mover: 'wave of w' })]);
    expect(own.most(move('w', {}), ['m1'])).toBe(9);
  });

  it('are limited by their reason only where a limit names it', () => {
    const limit = hub({ replicas: number(1), reasons: ['Descheduling'] });
    const moves = [counted('a', { m1: 1 }, { reason: 'Descheduling' })];
    expect(budget([limit], moves).take(move('b', { m1: 9 })).result).toBe('granted');
    expect(budget([limit], moves).take(move('b', { m1: 1 }, { reason: 'Descheduling' })).result).toBe('waits');
    expect(
      budget([limit], [counted('a', { m1: 9 })]).take(move('b', { m1: 1 }, { reason: 'Descheduling' })).result,
    ).toBe('granted');
  });
});

describe('the most replicas that may leave some clusters', () => {
  it.each([
    [[hub()], 6],
    [[hub(), hub({ per: 'Cluster', replicas: number(3) })], 0],
    [[hub({ per: 'Cluster', replicas: number(5) })], 1],
    [[hub({ per: 'Workload', replicas: percent(10) })], 2],
    [[], Number.POSITIVE_INFINITY],
  ])('is the least that the limits leave (%#)', (limits, expected) => {
    const all = budget(limits, [counted('a', { m1: 4 })]);
    expect(all.most(move('w', {}), ['m1', 'm2'])).toBe(expected);
    expect(all.waitsForMoves()).toBe(expected < 20);
  });
});

describe('the most replicas that may leave some clusters, where moves leave several', () => {
  const moves = [counted('a', { m1: 2, m2: 3 })];

  it.each([
    ['Cluster', 5, 2],
    ['Hub', 10, 5],
  ] as const)('is what the limit per %s leaves', (per, most, expected) => {
    expect(budget([hub({ per, replicas: number(most) })], moves).most(move('w', {}), ['m1', 'm2'])).toBe(expected);
  });

  it('does not wait if all of the workload may leave', () => {
    const all = budget([hub({ replicas: number(25) })], moves);
    expect([all.most(move('w', {}), ['m1']), all.waitsForMoves()]).toEqual([20, false]);
  });
});

it('counts 4,000 moves at most', () => {
  const moves = Array.from({ length: 4000 }, (_, i) => counted(`w${i}`, { m1: 0 }));
  expect(budget([hub()], moves).take(move('w', { m1: 1 }))).toEqual({
    result: 'waits',
    reason: '4000 moves are counted, the most that are',
  });
});

describe('a preview', () => {
  const input = { pods: new Map([['m1', 50]]), now: NOW };

  it('of a hub without limits allows all, also what a workload itself limits', () => {
    const all = previewBudget({ ...input, limits: [] })();
    expect(all.take(move('w', { m1: 9 }, { ownLimit: '1' }))).toEqual({ result: 'granted' });
    expect(all.most(move('w', {}, { ownLimit: '1' }), ['m1'])).toBe(Number.POSITIVE_INFINITY);
    expect([all.granted(), all.waitsForMoves()]).toEqual([undefined, false]);
  });

  it('counts no moves of another preview', () => {
    const preview = previewBudget({ ...input, limits: [hub()] });
    for (const each of [preview(), preview()])
      expect([10, 1].map((n) => each.take(move(`w${n}`, { m1: n })).result)).toEqual(['granted', 'waits']);
  });
});

describe('a mover that asks again before it has written', () => {
  const again = move('web', { m1: 1, m2: 1 });
  const first = counted('web', { m1: 2 }, { mover: again.mover });

  it('keeps what its first delivery was granted, because one of the two may write it', () => {
    const all = budget([hub()], [first]);
    expect(all.take(again)).toEqual({ result: 'granted' });
    expect(all.granted()).toMatchObject([{ leaves: { m1: 2, m2: 1 } }]);
  });

  it('keeps it as long as its first delivery may write', () => {
    const all = budget([hub()], [{ ...first, at: NOW - WRITTEN_WITHIN }]);
    all.take(again);
    expect(all.granted()).toMatchObject([{ leaves: { m1: 2, m2: 1 } }]);
  });

  it('waits if both together exceed a limit', () => {
    const all = budget([hub({ replicas: number(2) })], [first]);
    expect(all.take(again)).toMatchObject({ result: 'waits' });
    expect(all.granted()).toBeUndefined();
  });

  it.each([
    ['was written', { written: true }],
    ['is over', { over: true }],
    ['can not be written any more', { at: NOW - 4 * MINUTE }],
  ] as const)('has only the new moves if the first grant %s', (_, state) => {
    const all = budget([hub({ replicas: number(2) })], [{ ...first, ...state }]);
    expect(all.take(again)).toEqual({ result: 'granted' });
    expect(all.granted()?.at(-1)?.leaves).toEqual({ m1: 1, m2: 1 });
  });
});
