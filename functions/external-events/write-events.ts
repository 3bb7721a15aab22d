/** Stores received events: begin and end of an incident are one row. */
import { Fault } from '../../shared/core/fault.ts';
import { afterReceived, type ExternalEvent, type ReceivedEvent } from '../../shared/external-events/external-event.ts';
import type { ExternalEventStore } from '../../shared/external-events/external-event-store.ts';

const ATTEMPTS = 5;

/** `repeated`: it is stored already, perhaps by a delivery that failed afterwards. `ignored`: it changes nothing. */
export type WrittenEvent = 'stored' | 'repeated' | 'ignored';

export async function writeEvent(
  received: ReceivedEvent,
  { externalEvents }: { readonly externalEvents: ExternalEventStore },
): Promise<WrittenEvent> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const known = await externalEvents.read(received.id);
    const next = afterReceived(known?.event, received);
    if (next === undefined) return isRepeated(known?.event, received) ? 'repeated' : 'ignored';
    if (await externalEvents.save(next, known?.version ?? 0)) return 'stored';
  }
  throw new Fault('retryable', `event ${received.id} is written concurrently`, { reason: 'Conflict' });
}

function isRepeated(known: ExternalEvent | undefined, { startsAt, endsAt }: ReceivedEvent): boolean {
  return known !== undefined && (startsAt === undefined ? known.endsAt === endsAt : known.startsAt === startsAt);
}
