/** The event bus on EventBridge. PutEvents answers 200 with FailedEntryCount above 0: only the entries that failed are sent again. */
import { setTimeout as wait } from 'node:timers/promises';
import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { type EvenkeelEvent, SOURCE } from '../../events/event.ts';
import { Fault } from '../../model/fault.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import { awsFault } from '../aws/aws-fault.ts';

/** PutEvents takes ten entries; ours are a few hundred bytes each, far from its limit of size. */
const ENTRIES = 10;
/** Calls for one batch, at most; and how many of them in a row may get nothing taken. */
const ATTEMPTS = 12;
const IDLE_ATTEMPTS = 4;
/** Calls at once: a batch of 10,000 events is not a thousand calls in flight. */
const LANES = 8;
const FIRST_PAUSE_MS = 50;

export class EventBridgeBus implements EventBus {
  readonly #client: EventBridgeClient;
  readonly #busName: string;

  constructor(client: EventBridgeClient, busName: string) {
    this.#client = client;
    this.#busName = busName;
  }

  async publish(events: readonly EvenkeelEvent[]): Promise<void> {
    const entries = events.map(({ type, detail }) => ({
      EventBusName: this.#busName,
      Source: SOURCE,
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
    // Every lane comes to its end before the first fault is told: nothing goes on behind the caller's back.
    const ends = await Promise.allSettled(Array.from({ length: Math.min(LANES, batches.length) }, lane));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async #put(batch: readonly PutEventsRequestEntry[]): Promise<void> {
    let left = [...batch];
    let reason = '';
    // Pauses grow while nothing is taken. A bus that takes seven of ten is called again at once after the shortest one:
    // with pauses that grow at every call, 400 audit events would take 2 s, and an API server sends 4,000 in that time.
    for (let attempt = 1, idle = 0; attempt <= ATTEMPTS && idle < IDLE_ATTEMPTS; attempt++) {
      if (attempt > 1) await wait(FIRST_PAUSE_MS * 2 ** idle);
      const answer = await this.#client.send(new PutEventsCommand({ Entries: left })).catch((thrown: unknown) => {
        throw awsFault('EventBridge', thrown);
      });
      const codes = (answer.Entries ?? []).map(({ ErrorCode }) => ErrorCode);
      const refused = left.filter((_, i) => codes[i] !== undefined);
      if (refused.length === 0) return;
      idle = refused.length < left.length ? 0 : idle + 1;
      left = refused;
      reason = codes.find((code) => code !== undefined) ?? '';
    }
    throw new Fault('limited', `EventBridge did not take ${left.length} of ${batch.length} events: ${reason}`, {
      reason,
    });
  }
}
