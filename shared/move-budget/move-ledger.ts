/** The moves that count against the budgets of a hub: what each mover was allowed to move, and when. */

import { type Instant, SECOND } from '../core/time.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { MoveReason } from './move-budget.ts';

export interface LedgerMove {
  readonly binding: ObjectKey;
  readonly reason: MoveReason;
  /** Which rebalancer, run or task moves it: a redelivery of its message finds its own entry. */
  readonly mover: string;
  /** Replicas that leave each cluster. */
  readonly leaves: Readonly<Record<string, number>>;
  /** When it was allowed. */
  readonly at: Instant;
  /** Of the binding at that time: after the move it has a later one. */
  readonly generation: number;
  /** Whether the mover has written it. */
  readonly written?: true;
  /** Whether it is over: it counts in windows only. */
  readonly over?: true;
}

/** Longer than an invocation takes: one that has written nothing by then writes nothing any more. A redelivery asks again. */
export const WRITTEN_WITHIN = 180 * SECOND;

export interface StoredMoves {
  readonly moves: readonly LedgerMove[];
  /** Counts the writes of its row. */
  readonly version: number;
}

export interface MoveLedger {
  /** Strongly consistent. */
  read(hub: string): Promise<StoredMoves | undefined>;
  /** False if another invocation has saved some since `before` was read. */
  save(
    hub: string,
    moves: readonly LedgerMove[],
    options: { readonly before: StoredMoves | undefined; readonly expiresAt: Instant },
  ): Promise<boolean>;
}
