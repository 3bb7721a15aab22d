/** Decides on a batch of audit events for every receiver: which are relevant, and whether they are within the hub's budget. */
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import { markedFor } from '../../shared/bus/watched-kinds.ts';
import { Fault } from '../../shared/core/fault.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import type { Instant } from '../../shared/core/time.ts';
import { type AdmissionCounts, admitChanges } from './admit-change.ts';
import type { HubReceiverState } from './receiver-state.ts';

interface AuditBatch {
  readonly hub: string;
  /** Our user name on the hub. */
  readonly account: string | undefined;
  readonly items: readonly unknown[];
  readonly perSecond: number;
  /** Whether the hub has the feature `history`. */
  readonly recordsHistory: boolean;
  readonly now: Instant;
}

interface AdmittedBatch {
  readonly events: readonly EvenkeelEvent[];
  /** Deduplication keys, to be stored after the events are published. */
  readonly keys: ReadonlySet<string>;
  readonly counts: AdmissionCounts & { readonly events: number };
  readonly telemetry: readonly TelemetryEntry[];
}

/** Throws a limited Fault if the hub has used up its budget: none of the batch is accepted then. */
export function admitBatch(
  { hub, account, items, perSecond, now, recordsHistory }: AuditBatch,
  { recent, budget }: HubReceiverState,
): AdmittedBatch {
  const { events, counts, keys } = admitChanges({ hub, account, recent }, items);
  const waitMs = budget.spend({ events: events.length, perSecond, now });
  if (waitMs > 0) {
    throw new Fault('limited', `hub ${hub} raises more than ${perSecond} events a second; send this again later`, {
      reason: 'TooManyEvents',
      retryAfterMs: waitMs,
    });
  }
  const all = { events: events.length, ...counts };
  const unreadable: TelemetryEntry = {
    metric: 'AuditEventsUnreadable',
    value: counts.unreadable,
    dimensions: { hub },
  };
  const telemetry: TelemetryEntry[] = [
    ...(counts.unreadable > 0 ? [unreadable] : []),
    { code: 'EK100', fields: { hub, ...all } },
  ];
  return { events: markedFor(events, { history: recordsHistory }), keys, counts: all, telemetry };
}
