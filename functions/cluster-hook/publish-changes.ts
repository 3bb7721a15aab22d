/** Handles a batch of audit events for every receiver: decides, checks the hub's budget, publishes, and only then stores the deduplication keys. */

import type { EventBus } from '../../shared/bus/event-bus.ts';
import { Fault } from '../../shared/core/fault.ts';
import type { InvocationContext } from '../../shared/core/invocation.ts';
import type { HookAccess } from '../../shared/kubernetes/hook-access.ts';
import { type AdmissionCounts, admitChanges } from './admit-change.ts';
import type { HubReceiverState } from './receiver-state.ts';

export interface AuditBatch {
  readonly hub: string;
  readonly items: readonly unknown[];
}

export interface PublishedCounts extends AdmissionCounts {
  readonly events: number;
}

/** Throws a limited Fault if the hub has used up its budget: none of the batch is accepted then. */
export async function publishChanges(
  { hub, items }: AuditBatch,
  {
    hookAccess,
    bus,
    settings,
    telemetry,
    now,
  }: { readonly hookAccess: HookAccess; readonly bus: EventBus } & InvocationContext,
  { recent, budget }: HubReceiverState,
): Promise<PublishedCounts> {
  const { events, counts, keys } = admitChanges({ hub, account: await hookAccess.accountOf(hub), recent }, items);
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
