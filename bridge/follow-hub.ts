/** Follows one kind of a hub's objects and says each change on the bus: from version to version, across everything that interrupts a watch. */
import { ResyncDue } from '../shared/events/catalogue/resync-due.ts';
import type { EvenkeelEvent } from '../shared/events/event.ts';
import { asFault, Fault } from '../shared/model/fault.ts';
import type { ObjectKey } from '../shared/model/object-key.ts';
import type { EventBus } from '../shared/ports/event-bus.ts';
import type { Telemetry } from '../shared/ports/telemetry.ts';
import { type Heard, hear, Told, type WatchEvent } from './changes.ts';

/** One kind of objects on one hub, metadata only. */
export interface WatchSource {
  /** The version of the collection now. */
  version(signal: AbortSignal): Promise<string>;
  /** What happens after that version, as much at a time as has arrived; ends when the hub ends it, throws when the connection breaks. */
  watch(from: string, signal: AbortSignal): AsyncIterable<readonly WatchEvent[]>;
}

export interface Following {
  readonly hub: string;
  /** What is followed, as the log names it: "clusters". */
  readonly kind: string;
  readonly source: WatchSource;
  readonly bus: EventBus;
  readonly telemetry: Telemetry;
  /** Undefined for a key that no event carries. */
  readonly eventOf: (key: ObjectKey) => EvenkeelEvent | undefined;
  /** What is said where only the status changed; absent where nobody waits for it. */
  readonly statusEventOf?: (key: ObjectKey) => EvenkeelEvent | undefined;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1: spreads the returns of many bridges. */
  readonly chance: () => number;
}

const FIRST_PAUSE_MS = 200;
/** A hub that is away is asked this often whether it is back: one request, from one bridge. */
const LONGEST_PAUSE_MS = 5000;
/** One that does not serve the kind has to be set up for it first, and need not be: not every hub has policies. */
const LONGEST_ABSENT_MS = 60_000;
/** Keys of a few hundred bytes at most: some megabytes, however many objects there are. */
const REMEMBERED = 10_000;

/**
 * Until the signal aborts. A version is left behind only when the bus has everything up to it; where that failed, or the
 * connection broke, the watch goes on from the last such version. Where the hub no longer has it, the whole hub is compared
 * with its tasks instead, which finds what was missed.
 */
export async function followHub(following: Following, signal: AbortSignal): Promise<void> {
  const told = new Told(REMEMBERED);
  let from: string | undefined;
  for (let failures = 0; !signal.aborted; ) {
    try {
      from ??= await beginAnew(following, signal);
      let reached: string = from;
      for await (const events of following.source.watch(from, signal)) {
        const heard = hear(events, reached, told);
        await say(following, heard, told);
        from = heard.resourceVersion;
        if (from === undefined || heard.ended !== undefined)
          throw new Fault('retryable', heard.ended ?? '', { reason: from === undefined ? 'Expired' : 'WatchEnded' });
        reached = from;
        failures = 0;
      }
      // The hub ended it, as it does every few minutes.
      await following.wait(pause(1, following.chance(), LONGEST_PAUSE_MS), signal);
    } catch (thrown) {
      if (signal.aborted) return;
      failures += 1;
      const longest = tell(following, thrown, { failures, isBegun: from !== undefined });
      await following.wait(pause(failures, following.chance(), longest), signal);
    }
  }
}

/** The version first and the hint after it: what happens between the two is in the comparison and in the watch. */
async function beginAnew({ hub, kind, source, bus, telemetry }: Following, signal: AbortSignal): Promise<string> {
  const version = await source.version(signal);
  await bus.publish([ResyncDue.of({ hub })]);
  telemetry.outcome('EK401', { hub, kind, resourceVersion: version });
  return version;
}

async function say(following: Following, { keys, statuses, wishes }: Heard, told: Told): Promise<void> {
  const { bus, telemetry, hub, kind, eventOf, statusEventOf = () => undefined } = following;
  const said = [...keys.map(eventOf), ...statuses.map(statusEventOf)].filter((event) => event !== undefined);
  if (keys.length === 0 && said.length === 0) return;
  await bus.publish(said);
  told.remember(wishes);
  telemetry.outcome('EK400', { hub, kind, events: said.length });
}

/** How long a pause may be after it. */
function tell(
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

/** Twice as long each time, and between half of that and all of it. */
function pause(failures: number, chance: number, longest: number): number {
  return Math.min(longest, FIRST_PAUSE_MS * 2 ** (failures - 1)) * (0.5 + chance / 2);
}
