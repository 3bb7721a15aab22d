/** The last step of a handler: publishes the events of an outcome. */

import type { EventBus } from '../bus/event-bus.ts';
import type { PublishedOutcome } from '../bus/published-outcome.ts';
import type { Outcome } from '../core/invocation.ts';

export async function publishOutcome(
  { events, ...outcome }: PublishedOutcome,
  { bus }: { readonly bus: EventBus },
): Promise<Outcome> {
  await bus.publish(events);
  return outcome;
}
