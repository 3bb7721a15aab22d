/** Decides which moves of the ledger are over, by their bindings. */

import type { Instant } from '../core/time.ts';
import { whyUnfinished } from '../graceful-reduction/move-progress.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { keyText, type ObjectKey } from '../kubernetes/object-key.ts';
import { type LedgerMove, WRITTEN_WITHIN } from './move-ledger.ts';

/** Bindings that one decision reads. */
const MOST_READ = 200;

/** The bindings of the oldest moves in flight. */
export function toSettle(moves: readonly LedgerMove[]): readonly ObjectKey[] {
  const open = moves.filter(({ over }) => !over).sort((a, b) => a.at - b.at);
  return open.slice(0, MOST_READ).map(({ binding }) => binding);
}

/** Undefined if there is nothing to mark. */
export function markedWritten(
  moves: readonly LedgerMove[],
  { mover, bindings }: { readonly mover: string; readonly bindings: readonly ObjectKey[] },
): readonly LedgerMove[] | undefined {
  const keys = new Set(bindings.map(keyText));
  const isMeant = (move: LedgerMove) => move.mover === mover && !move.written && keys.has(keyText(move.binding));
  if (!moves.some(isMeant)) return undefined;
  return moves.map((move) => (isMeant(move) ? { ...move, written: true } : move));
}

/** `read`: the bindings of `asked` that exist, by key. */
export function settledMoves(
  moves: readonly LedgerMove[],
  {
    asked,
    read,
    now,
  }: { readonly asked: readonly ObjectKey[]; readonly read: ReadonlyMap<string, PlacedBinding>; readonly now: Instant },
): readonly LedgerMove[] {
  const known = new Set(asked.map(keyText));
  return moves.map((move) => {
    const key = keyText(move.binding);
    if (move.over || !known.has(key)) return move;
    const binding = read.get(key);
    return binding === undefined || isOver(move, binding, now) ? { ...move, over: true } : move;
  });
}

/** With the mark alone, an API server's cache could show the binding as it was before; with the generation alone, another client's write would do. */
function isOver({ generation, at, written }: LedgerMove, binding: PlacedBinding, now: Instant): boolean {
  const isWritten = written === true && binding.metadata.generation > generation;
  return (isWritten || now - at > WRITTEN_WITHIN) && whyUnfinished(binding) === undefined;
}
