/** The ledger of moves in memory; the same contract as that on DynamoDB. */
import type { LedgerMove, MoveLedger, StoredMoves } from '../../../shared/move-budget/move-ledger.ts';

export class MemoryMoveLedger implements MoveLedger {
  readonly #rows = new Map<string, StoredMoves>();

  async read(hub: string): Promise<StoredMoves | undefined> {
    return structuredClone(this.#rows.get(hub));
  }

  /** For oracles, which look at the time of a write. */
  peek(hub: string): readonly LedgerMove[] {
    return this.#rows.get(hub)?.moves ?? [];
  }

  async save(
    hub: string,
    moves: readonly LedgerMove[],
    { before }: Parameters<MoveLedger['save']>[2],
  ): Promise<boolean> {
    const version = before?.version ?? 0;
    if ((this.#rows.get(hub)?.version ?? 0) !== version) return false;
    this.#rows.set(hub, structuredClone({ moves, version: version + 1 }));
    return true;
  }
}
