/** The event bus on EventBridge. PutEvents answers 200 with FailedEntryCount above 0: only the entries that failed are sent again. */
import { setTimeout as wait } from 'node:timers/promises';
import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { type EvenkeelEvent, SOURCE } from '../../events/event.ts';
import { Fault } from '../../model/fault.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import { awsFault } from '../aws/aws-fault.ts';

/** PutEvents takes ten entries; ours are a few hundred bytes each, far from its limit of size. */
const ENTRIES = 10;
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;

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
    await Promise.all(batches.map((batch) => this.#put(batch)));
  }

  async #put(batch: readonly PutEventsRequestEntry[]): Promise<void> {
    let left = [...batch];
    let reason = '';
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const answer = await this.#client.send(new PutEventsCommand({ Entries: left })).catch((thrown: unknown) => {
        throw awsFault('EventBridge', thrown);
      });
      const codes = (answer.Entries ?? []).map(({ ErrorCode }) => ErrorCode);
      left = left.filter((_, i) => codes[i] !== undefined);
      if (left.length === 0) return;
      reason = codes.find((code) => code !== undefined) ?? '';
      await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    }
    throw new Fault('limited', `EventBridge did not take ${left.length} of ${batch.length} events: ${reason}`, {
      reason,
    });
  }
}
