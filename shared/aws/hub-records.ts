/** The registry as functions read it: records are cached for some seconds, and for longer while the registry cannot be read. */
import { asFault, type Fault } from '../core/fault.ts';
import type { InvocationContext } from '../core/invocation.ts';
import { RecentlyUsed } from '../core/recently-used.ts';
import type { Instant } from '../core/time.ts';
import { hubNamePattern, isActive, RECORD_MS, STALE_RECORD_MS } from '../kubernetes/hub-record.ts';
import type { HubRecord, HubRegistry } from '../kubernetes/hub-registry.ts';
import type { Environment } from './client-config.ts';
import { awsRegistry } from './dynamodb/dynamodb-hub-registry.ts';

export interface HubRecordsOptions {
  readonly registry: Pick<HubRegistry, 'read' | 'list'>;
  readonly now: () => Instant;
  /** A failed read was answered from the cache. */
  readonly onStale: (fault: Fault) => void;
}

/** `checkedAt`: the last read, also if it failed. */
interface Cached<T> {
  readonly value: T;
  readonly readAt: Instant;
  checkedAt: Instant;
}

/** Records of about 1 KB. */
const MOST_RECORDS = 2000;
/** Separately from records: a scan of names on the hook must neither cause a read for each request nor evict a record. */
const MOST_UNKNOWN = 1000;

export class HubRecords {
  readonly #options: HubRecordsOptions;
  readonly #known = new RecentlyUsed<Cached<HubRecord>>({ most: MOST_RECORDS });
  readonly #unknown = new RecentlyUsed<{ readonly readAt: Instant }>({ most: MOST_UNKNOWN });
  readonly #reading = new Map<string, Promise<HubRecord | undefined>>();
  #list: Cached<readonly HubRecord[]> | undefined;

  constructor(options: HubRecordsOptions) {
    this.#options = options;
  }

  /** The record as read within `ms`; undefined for an unknown hub. Concurrent callers share one read. */
  async of(name: string, ms = RECORD_MS): Promise<HubRecord | undefined> {
    const known = this.#known.get(name);
    if (known !== undefined && this.#now() < known.checkedAt + ms) return known.value;
    const unknown = this.#unknown.get(name);
    if (unknown !== undefined && this.#now() < unknown.readAt + ms) return undefined;
    const reading = this.#reading.get(name) ?? this.#readOrCached(name, known);
    this.#reading.set(name, reading);
    return reading.finally(() => this.#reading.delete(name));
  }

  /** Read by this call: a pause that is over, or a hub that was added meanwhile, must not drop an event. */
  async verified(name: string): Promise<HubRecord | undefined> {
    // No such key exists, and DynamoDB rejects some of them.
    if (!hubNamePattern.test(name)) return undefined;
    const readAt = this.#now();
    const record = await this.#options.registry.read(name);
    if (record === undefined) {
      this.#known.delete(name);
      this.#unknown.set(name, { readAt });
    } else this.#keep(record, readAt);
    return record;
  }

  /** The records of active hubs as read within `ms`, by name. */
  async active(ms = RECORD_MS): Promise<readonly HubRecord[]> {
    const cached = this.#list;
    if (cached !== undefined && this.#now() < cached.checkedAt + ms) return cached.value;
    try {
      const readAt = this.#now();
      const records = await this.#options.registry.list();
      for (const record of records) this.#keep(record, readAt);
      this.#list = { value: records.filter(isActive), readAt, checkedAt: readAt };
      return this.#list.value;
    } catch (thrown) {
      return this.#stale(cached, asFault(thrown));
    }
  }

  async #readOrCached(name: string, cached: Cached<HubRecord> | undefined): Promise<HubRecord | undefined> {
    try {
      return await this.verified(name);
    } catch (thrown) {
      return this.#stale(cached, asFault(thrown));
    }
  }

  #stale<T>(cached: Cached<T> | undefined, fault: Fault): T {
    const now = this.#now();
    if (cached === undefined || fault.retryClass === 'terminal' || now >= cached.readAt + STALE_RECORD_MS) throw fault;
    cached.checkedAt = now;
    this.#options.onStale(fault);
    return cached.value;
  }

  /** A list that began before a later read must not replace the record of that read. */
  #keep(record: HubRecord, readAt: Instant): void {
    const { name } = record;
    const known = this.#known.get(name);
    if (known !== undefined && known.readAt > readAt) return;
    this.#unknown.delete(name);
    this.#known.set(name, { value: record, readAt, checkedAt: readAt });
  }

  #now(): Instant {
    return this.#options.now();
  }
}

/** One per function: its ports read a record once. */
const recordsOf = new WeakMap<InvocationContext, HubRecords>();

export function hubRecords(context: InvocationContext, environment: Environment): HubRecords {
  const made = recordsOf.get(context);
  if (made !== undefined) return made;
  const { telemetry, now } = context;
  const records = new HubRecords({
    registry: awsRegistry(context, environment),
    now,
    onStale: ({ reason, message }) => telemetry.outcome('EK203', { reason, error: message }),
  });
  recordsOf.set(context, records);
  return records;
}
