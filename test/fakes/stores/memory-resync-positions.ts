/** Positions of resyncs in memory; the same contract as those on DynamoDB. */
import {
  type PositionKey,
  positionFunctions,
  type ResyncPosition,
  type ResyncPositions,
  type StoredPosition,
} from '../../../shared/karmada/resync-position.ts';

export class MemoryResyncPositions implements ResyncPositions {
  readonly #rows = new Map<string, StoredPosition>();

  async read(key: PositionKey): Promise<StoredPosition | undefined> {
    return structuredClone(this.#rows.get(`${key.hub}/${key.function}`));
  }

  async save(key: PositionKey, position: ResyncPosition, before: StoredPosition | undefined): Promise<boolean> {
    const text = `${key.hub}/${key.function}`;
    const revision = before?.revision ?? 0;
    if ((this.#rows.get(text)?.revision ?? 0) !== revision) return false;
    this.#rows.set(text, structuredClone({ ...position, revision: revision + 1 }));
    return true;
  }

  async forget(hub: string): Promise<void> {
    for (const name of positionFunctions) this.#rows.delete(`${hub}/${name}`);
  }
}
