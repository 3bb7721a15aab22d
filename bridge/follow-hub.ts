/** Watches one kind of a hub's objects and publishes each change on the bus; resumes the watch from the last version after interruptions. */
import { ResyncDue } from '../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../shared/bus/event.ts';
import type { EventBus } from '../shared/bus/event-bus.ts';
import { asFault, Fault } from '../shared/core/fault.ts';
import type { Telemetry } from '../shared/core/telemetry.ts';
import type { ObjectKey } from '../shared/kubernetes/object-key.ts';
import { type BatchedChanges, batchChanges, PublishedChanges, type WatchEvent } from './changes.ts';

/** One kind of objects on one hub, metadata only. */
export interface WatchSource {
  /** The current resourceVersion of the collection. */
  version(signal: AbortSignal): Promise<string>;
  /** Events after that version, in batches as they arrive; ends when the hub ends the watch, throws when the connection breaks. */
  watch(from: string, signal: AbortSignal): AsyncIterable<readonly WatchEvent[]>;
}

export interface Following {
  readonly hub: string;
  /** The watched kind, for the log: "clusters". */
  readonly kind: string;
  readonly source: WatchSource;
  readonly bus: EventBus;
  readonly telemetry: Telemetry;
  /** Undefined for a key without an event. */
  readonly eventOf: (key: ObjectKey) => EvenkeelEvent | undefined;
  /** The event for a change of status only; absent if no function waits for it. */
  readonly statusEventOf?: (key: ObjectKey) => EvenkeelEvent | undefined;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1: jitter for the retries of many bridges. */
  readonly chance: () => number;
}

const FIRST_PAUSE_MS = 200;
/** The retry interval for an unreachable hub: one request, from one bridge. */
const LONGEST_PAUSE_MS = 5000;
/** The retry interval for a kind that the hub does not serve, which may never change: not every hub has policies. */
const LONGEST_ABSENT_MS = 60_000;
/** Keys have at most a few hundred bytes: some megabytes in total, however many objects there are. */
const REMEMBERED = 10_000;

/**
 * Runs until the signal aborts. A version is dropped only when all events up to it are published; after a failure or a
 * broken connection the watch resumes from the last such version. If the hub no longer has it, a resync compares the whole
 * hub with its tasks, which finds missed changes.
 */
export async function followHub(following: Following, signal: AbortSignal): Promise<void> {
  const published = new PublishedChanges(REMEMBERED);
  let from: string | undefined;
  for (let failures = 0; !signal.aborted; ) {
    try {
      from ??= await beginAnew(following, signal);
      let reached: string = from;
      for await (const events of following.source.watch(from, signal)) {
        const batch = batchChanges(events, reached, published);
        await publish(following, batch, published);
        from = batch.resourceVersion;
        if (from === undefined || batch.ended !== undefined)
          throw new Fault('retryable', batch.ended ?? '', { reason: from === undefined ? 'Expired' : 'WatchEnded' });
        reached = from;
        failures = 0;
      }
      // The hub ends each watch every few minutes.
      await following.wait(pause(1, following.chance(), LONGEST_PAUSE_MS), signal);
    } catch (thrown) {
      if (signal.aborted) return;
      failures += 1;
      const longest = report(following, thrown, { failures, isBegun: from !== undefined });
      await following.wait(pause(failures, following.chance(), longest), signal);
    }
  }
}

/** Reads the version before it publishes the resync: changes in between are in both the resync and the watch. */
async function beginAnew({ hub, kind, source, bus, telemetry }: Following, signal: AbortSignal): Promise<string> {
  const version = await source.version(signal);
  await bus.publish([ResyncDue.of({ hub })]);
  telemetry.outcome('EK401', { hub, kind, resourceVersion: version });
  return version;
}

async function publish(
  following: Following,
  { keys, statuses, wishes }: BatchedChanges,
  published: PublishedChanges,
): Promise<void> {
  const { bus, telemetry, hub, kind, eventOf, statusEventOf = () => undefined } = following;
  const events = distinct([...keys.map(eventOf), ...statuses.map(statusEventOf)]);
  if (keys.length === 0 && events.length === 0) return;
  await bus.publish(events);
  published.remember(wishes);
  telemetry.outcome('EK400', { hub, kind, events: events.length });
}

/** Several objects may have one event. */
function distinct(events: readonly (EvenkeelEvent | undefined)[]): readonly EvenkeelEvent[] {
  const named = events.flatMap((event) => (event === undefined ? [] : [[JSON.stringify(event), event] as const]));
  return [...new Map(named).values()];
}

/** Reports the failure; returns the longest pause after it. */
function report(
  { hub, kind, telemetry }: Following,
  thrown: unknown,
  { failures, isBegun }: { readonly failures: number; readonly isBegun: boolean },
): number {
  const { reason, message } = asFault(thrown);
  const isAbsent = !isBegun && (reason === 'NotFound' || reason === 'Http404');
  if (!isAbsent) telemetry.outcome('EK402', { hub, kind, reason, error: message, failures });
  else if (failures === 1) telemetry.outcome('EK404', { hub, kind });
  return isAbsent ? LONGEST_ABSENT_MS : LONGEST_PAUSE_MS;
}

/** Exponential backoff, with jitter between half and all of it. */
function pause(failures: number, chance: number, longest: number): number {
  return Math.min(longest, FIRST_PAUSE_MS * 2 ** (failures - 1)) * (0.5 + chance / 2);
}
