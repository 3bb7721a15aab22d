/** Events from outside in memory; the same contract as those on DynamoDB. */
import type { Instant } from '../../../shared/core/time.ts';
import { type ExternalEvent, expiryOf } from '../../../shared/external-events/external-event.ts';
import type { ExternalEventStore, StoredEvent } from '../../../shared/external-events/external-event-store.ts';

export class MemoryExternalEventStore implements ExternalEventStore {
  readonly #rows = new Map<string, StoredEvent>();

  async list(now: Instant): Promise<readonly ExternalEvent[]> {
    return structuredClone([...this.#rows.values()].map(({ event }) => event).filter((event) => expiryOf(event) > now));
  }

  async read(id: string): Promise<StoredEvent | undefined> {
    return structuredClone(this.#rows.get(id));
  }

  async save(event: ExternalEvent, version: number): Promise<boolean> {
    if ((this.#rows.get(event.id)?.version ?? 0) !== version) return false;
    this.#rows.set(event.id, structuredClone({ version: version + 1, event }));
    return true;
  }
}
