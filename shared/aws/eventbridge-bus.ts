/** The event bus on EventBridge. PutEvents answers 200 with FailedEntryCount above 0: only the entries that failed are sent again. */
import { setTimeout as wait } from 'node:timers/promises';
import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { type EvenkeelEvent, SOURCE } from '../bus/event.ts';
import type { EventBus } from '../bus/event-bus.ts';
import { readEnvironment } from '../core/environment.ts';
import { Fault } from '../core/fault.ts';
import type { InvocationContext } from '../core/invocation.ts';
import { traced } from '../core/tracing.ts';
import { awsFault } from './aws-fault.ts';
import { clientConfig, type Environment } from './client-config.ts';

/** PutEvents takes ten entries; ours are a few hundred bytes each, far from its limit of size. */
const ENTRIES = 10;
/** Maximum calls for one batch, and maximum consecutive calls in which no entry is accepted. */
const ATTEMPTS = 12;
const IDLE_ATTEMPTS = 4;
/** Concurrent calls: a batch of 10,000 events must not be a thousand calls in flight. */
const LANES = 8;
const FIRST_PAUSE_MS = 50;

export class EventBridgeBus implements EventBus {
  readonly #client: EventBridgeClient;
  readonly #busName: string;
  readonly #source: string;

  /** `source`: the functions' by default; a bridge has its own. */
  constructor(client: EventBridgeClient, busName: string, source = SOURCE) {
    this.#client = client;
    this.#busName = busName;
    this.#source = source;
  }

  async publish(events: readonly EvenkeelEvent[]): Promise<void> {
    const entries = events.map(traced).map(({ type, detail }) => ({
      EventBusName: this.#busName,
      Source: this.#source,
      DetailType: type,
      Detail: JSON.stringify(detail),
    }));
    const batches = Array.from({ length: Math.ceil(entries.length / ENTRIES) }, (_, i) =>
      entries.slice(i * ENTRIES, (i + 1) * ENTRIES),
    );
    const next = batches.values();
    const lane = async () => {
      for (const batch of next) await this.#put(batch);
    };
    // Waits for every lane before it throws the first error: nothing continues in the background.
    const ends = await Promise.allSettled(Array.from({ length: Math.min(LANES, batches.length) }, lane));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async #put(batch: readonly PutEventsRequestEntry[]): Promise<void> {
    let left = [...batch];
    let reason = '';
    // Pauses grow while no entry is accepted. After a partial success the next call follows the shortest pause:
    // with pauses that grow at every call, 400 audit events would take 2 s, and an API server sends 4,000 in that time.
    for (let attempt = 1, idle = 0; attempt <= ATTEMPTS && idle < IDLE_ATTEMPTS; attempt++) {
      if (attempt > 1) await wait(FIRST_PAUSE_MS * 2 ** idle);
      const answer = await this.#client.send(new PutEventsCommand({ Entries: left })).catch((thrown: unknown) => {
        throw awsFault('EventBridge', thrown);
      });
      const codes = (answer.Entries ?? []).map(({ ErrorCode }) => ErrorCode);
      const rejected = left.filter((_, i) => codes[i] !== undefined);
      if (rejected.length === 0) return;
      idle = rejected.length < left.length ? 0 : idle + 1;
      left = rejected;
      reason = codes.find((code) => code !== undefined) ?? '';
    }
    throw new Fault('limited', `EventBridge did not take ${left.length} of ${batch.length} events: ${reason}`, {
      reason,
    });
  }
}

export function awsBus(_: InvocationContext, environment: Environment): EventBus {
  return eventBridgeBus(readEnvironment(environment, 'busName'));
}

export function eventBridgeBus(name: string, source?: string): EventBus {
  return new EventBridgeBus(new EventBridgeClient(clientConfig), name, source);
}
