/** Which moves of the ledger are over. */
import { expect, it } from 'vitest';
import { QUEUE } from '../../../shared/graceful-reduction/replica-reduction.ts';
import type { PlacedBinding } from '../../../shared/karmada/placed-binding.ts';
import type { LedgerMove } from '../../../shared/move-budget/move-ledger.ts';
import { markedWritten, settledMoves, toSettle } from '../../../shared/move-budget/settle-moves.ts';
import { at } from '../../builders.ts';
import { placed } from '../../functions/descheduler/scene.ts';

const move = (over: Partial<LedgerMove> = {}): LedgerMove => ({
  ...{ binding: { namespace: 'shop', name: 'web-deployment' }, reason: 'Drain', mover: 'x', leaves: { m1: 2 } },
  ...{ at: at(0), generation: 0 },
  ...over,
});
const ready = placed({ m1: [3, 3], m2: [2, 2] });
const pendingTrigger = placed({ m1: [3, 3] }, { spec: { rescheduleTriggeredAt: '2026-11-21T09:30:00Z' } });
const held = placed({ m1: [3, 3] }, { annotations: { [`${QUEUE}m2`]: '{"replicas":2}' } });

function isOver(binding: PlacedBinding | undefined, given = move(), now = at(10)): boolean {
  const asked = [given.binding];
  const read = new Map(binding === undefined ? [] : [['shop/web-deployment', binding] as const]);
  return settledMoves([given], { asked, read, now })[0]?.over === true;
}

it.each([
  ['is written and ready', ready, move({ written: true }), at(10), true],
  ['is written and ready, without the mark', ready, move(), at(10), false],
  ['was not written by its mover, but by another client', ready, move(), at(179), false],
  ['has no binding any more', undefined, move(), at(10), true],
  ['may still be written', ready, move({ generation: 1, written: true }), at(179), false],
  ['can no longer be written by its invocation', ready, move({ generation: 1 }), at(181), true],
  ['has replicas that are not ready', placed({ m1: [3, 2] }), move(), at(999), false],
  ['has replicas that are not assigned', placed({ m1: [3, 3] }, { replicas: 4 }), move(), at(999), false],
  [
    'waits for its scheduler',
    { ...pendingTrigger, metadata: { ...pendingTrigger.metadata, generation: 2 } },
    move(),
    at(999),
    false,
  ],
  ['has held replicas', held, move(), at(999), false],
])('a move that %s', (_, binding, given, now, expected) => {
  expect(isOver(binding, given, now)).toBe(expected);
});

it('are read if they are in flight, the oldest 200', () => {
  const moves = Array.from({ length: 300 }, (_, i) =>
    move({ binding: { namespace: 'shop', name: `w${i}` }, at: at(300 - i), ...(i === 299 && { over: true as const }) }),
  );
  const keys = toSettle(moves);
  expect([keys.length, keys[0]?.name, keys.at(-1)?.name]).toEqual([200, 'w298', 'w99']);
});

it('are unchanged if they are over, or were not read', () => {
  const others = [move({ over: true }), move({ binding: { namespace: 'shop', name: 'other' } })];
  expect(settledMoves(others, { asked: [move().binding], read: new Map(), now: at(999) })).toEqual(others);
});

it('are marked as written by their mover', () => {
  const moves = [move(), move({ mover: 'other' }), move({ binding: { namespace: 'shop', name: 'other' } })];
  const marked = markedWritten(moves, { mover: 'x', bindings: [move().binding] });
  expect(marked).toEqual([move({ written: true }), ...moves.slice(1)]);
  expect(markedWritten(marked ?? [], { mover: 'x', bindings: [move().binding] })).toBeUndefined();
});
