/** What every receiver of audit events does with a batch: decide, keep to the hub's budget, say, and only then remember. */
import { Fault } from '../../shared/model/fault.ts';
import type { Ports, Surroundings } from '../../shared/ports/ports.ts';
import { admitChanges, type Counts } from './admit-change.ts';
import type { HubMemory } from './hub-memory.ts';

export interface Batch {
  readonly hub: string;
  readonly items: readonly unknown[];
}

export interface Said extends Counts {
  readonly events: number;
}

/** A limited Fault where the hub has used up its budget: none of the batch is taken then. */
export async function sayChanges(
  { hub, items }: Batch,
  { hubs, bus, settings, telemetry, now }: Pick<Ports, 'hubs' | 'bus'> & Surroundings,
  { recent, budget }: HubMemory,
): Promise<Said> {
  const { events, counts, keys } = admitChanges({ hub, account: await hubs.accountOf(hub), recent }, items);
  const perSecond = settings.hubEventsPerSecond;
  const waitMs = budget.spend({ events: events.length, perSecond, now: now() });
  if (waitMs > 0) {
    throw new Fault('limited', `hub ${hub} raises more than ${perSecond} events a second; send this again later`, {
      reason: 'TooManyEvents',
      retryAfterMs: waitMs,
    });
  }
  await bus.publish(events);
  recent.add(keys);
  if (counts.unreadable > 0) telemetry.count('AuditEventsUnreadable', counts.unreadable, { hub });
  telemetry.outcome('EK100', { hub, events: events.length, ...counts });
  return { events: events.length, ...counts };
}
