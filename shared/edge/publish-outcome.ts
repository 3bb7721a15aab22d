/** The last step of a handler: publishes the events of an outcome. */

import type { PublishedOutcome } from '../events/published-outcome.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Outcome } from '../ports/invocation.ts';

export async function publishOutcome(
  { events, ...outcome }: PublishedOutcome,
  { bus }: { readonly bus: EventBus },
): Promise<Outcome> {
  await bus.publish(events);
  return outcome;
}
