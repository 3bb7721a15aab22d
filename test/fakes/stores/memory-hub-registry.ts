/** The registry of hubs in memory: for tests; the same contract as the one on DynamoDB. */
import type { Instant } from '../../../shared/core/time.ts';
import type { HubRecord, HubRegistry, NewHubRecord } from '../../../shared/kubernetes/hub-registry.ts';

export class MemoryHubRegistry implements HubRegistry {
  readonly #records = new Map<string, HubRecord>();
  #published: Instant | undefined;

  /** Of these records, in their first revision. */
  constructor(...records: readonly NewHubRecord[]) {
    for (const record of records) this.#records.set(record.name, structuredClone({ ...record, revision: 1 }));
  }

  async list(): Promise<readonly HubRecord[]> {
    return structuredClone([...this.#records.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  }

  async read(name: string): Promise<HubRecord | undefined> {
    return structuredClone(this.#records.get(name));
  }

  async write(record: NewHubRecord, revision: number): Promise<'done' | 'changed'> {
    if ((this.#records.get(record.name)?.revision ?? 0) !== revision) return 'changed';
    // Without absent fields, as a table returns it.
    const present = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
    this.#records.set(
      record.name,
      structuredClone({ ...(present as unknown as NewHubRecord), revision: revision + 1 }),
    );
    return 'done';
  }

  async delete(name: string, revision: number): Promise<'done' | 'changed'> {
    if (this.#records.get(name)?.revision !== revision) return 'changed';
    this.#records.delete(name);
    return 'done';
  }

  async publishedUntil(): Promise<Instant | undefined> {
    return this.#published;
  }

  async markPublished(from: Instant | undefined, until: Instant): Promise<'done' | 'changed'> {
    if (this.#published !== from) return 'changed';
    this.#published = until;
    return 'done';
  }
}
