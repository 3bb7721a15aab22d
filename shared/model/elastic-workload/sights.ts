/** What is remembered of each cluster between two looks, and how a look changes it: since when it is short of its number, what it was learned to manage, what its own people made of it. */
import { type Instant, SECOND } from '../time.ts';

export interface Sight {
  /** The number that is written. */
  readonly written: number;
  /** The spoke has taken that number over; from then on another one there is its own people's. */
  readonly reached?: true;
  /** Numbers of before that the spoke may still report: until it has taken the written one over. */
  readonly pending?: readonly number[];
  /** What its own people scaled it to. */
  readonly pin?: number;
  /** What its own people scaled it to, where that is no wish any more: it was its share, or a newer wish came for all clusters. */
  readonly past?: number;
  /** Since when it is short of its number without any progress, and the most that were ready meanwhile. */
  readonly short?: { readonly since: Instant; readonly most: number };
  readonly cap?: Cap;
  /** How often in a row it did not manage its number. */
  readonly failures?: number;
  /** Since when it has its number. */
  readonly wellSince?: Instant;
}

/** What a cluster manages, as far as was learned, and until when that is believed. */
export interface Cap {
  readonly replicas: number;
  readonly until: Instant;
  /** Learned because nothing was heard of it. */
  readonly unreachable?: true;
  /** Read off what is written where the memory was lost: nobody saw it. */
  readonly guessed?: true;
}

/** What of a cluster is seen now. */
export interface View {
  readonly cluster: string;
  /** Whether the PlacementDecision names it. */
  readonly selected: boolean;
  /** Whether what is reported of it is of now. */
  readonly reachable: boolean;
  /** Our ManifestWork is on its way out, whatever is wanted: another can only come once it is gone. */
  readonly deleting: boolean;
  /** What our ManifestWork says; undefined where there is none. */
  readonly written?: number;
  /** When we wrote it, by the hub's clock. */
  readonly writtenAt?: Instant;
  /** What it was written for as the spoke's own number. */
  readonly scaledThere?: number;
  /** Another ElasticWorkload writes the same object: nobody can tell whose wish its number is. */
  readonly contested?: boolean;
  /** How often in a row the number that is written was put back on the spoke. */
  readonly putBacks?: number;
  /** The spoke's agent has seen the ManifestWork as it is. */
  readonly upToDate: boolean;
  /** The spoke's own number, where it was reported. */
  readonly onSpoke?: number;
  /** 0 where it is not reachable, or on its way out. */
  readonly ready: number;
}

export interface Looking {
  readonly now: Instant;
  /** How long a cluster may be short of its number before it is believed not to manage it; infinite where nothing is lent. */
  readonly hesitationMs: number;
}

/** A cap is believed twice as long each time, up to this or the hesitation, whichever is longer. */
const LONGEST = 3600 * SECOND;
/** Writes that an agent may be behind. */
const MOST_PENDING = 8;

function backoffMs(failures: number, hesitationMs: number): number {
  return Math.min(hesitationMs * 2 ** Math.min(failures, 30), Math.max(LONGEST, hesitationMs));
}

/** The sight after this look. */
export function look(before: Sight | undefined, view: View, looking: Looking): Sight {
  const { now, hesitationMs } = looking;
  const written = view.written ?? 0;
  const reached = hasReached(before, view, looking);
  const pending = reached || before?.written !== written ? undefined : before.pending;
  const past = view.onSpoke === written ? undefined : sameNumber(before?.past, view.onSpoke);
  const pin = past === undefined ? pinOf(before, view, reached) : undefined;
  const believed = stillBelieved(before?.cap, view, looking);
  const isOver = before?.cap !== undefined && believed === undefined;
  const short = shortOf(isOver ? undefined : before, view, now);
  const fails = believed === undefined && short !== undefined && now - short.since >= hesitationMs;
  const failures = before?.failures ?? 0;
  const cap = fails ? capOf(view, now + backoffMs(failures, hesitationMs)) : believed;
  const isWell = short === undefined && cap === undefined && view.selected;
  const wellSince = isWell ? (before?.wellSince ?? now) : undefined;
  const forgiven = wellSince !== undefined && now - wellSince >= backoffMs(failures, hesitationMs);
  const counted = fails ? failures + 1 : forgiven ? 0 : failures;
  return {
    written,
    ...(reached && { reached }),
    ...(pending !== undefined && { pending }),
    ...(pin !== undefined && { pin }),
    ...(past !== undefined && { past }),
    ...(short !== undefined && { short }),
    ...(cap !== undefined && { cap }),
    ...(counted > 0 && { failures: counted }),
    ...(wellSince !== undefined && { wellSince }),
  };
}

/** The sight once `next` is written: time counts from here for what is given now. */
export function afterWrite(
  sight: Sight,
  { next, ready, onSpoke = next }: { readonly next: number; readonly ready: number; readonly onSpoke?: number },
  now: Instant,
): Sight {
  const { reached: _, short, wellSince, ...rest } = sight;
  if (next === sight.written) return sight;
  const isShort = ready < next;
  const since = next > sight.written || short === undefined ? { since: now, most: ready } : short;
  return {
    ...rest,
    written: next,
    pending: [...new Set([...(sight.pending ?? []), sight.written, onSpoke])].slice(-MOST_PENDING),
    ...(isShort && { short: since }),
    ...(!isShort && wellSince !== undefined && { wellSince }),
  };
}

/** When time alone will change something; infinite where it won't. */
export function lookAgainAt({ short, cap }: Sight, { hesitationMs }: Looking): Instant {
  if (cap !== undefined) return cap.until;
  return short === undefined ? Number.POSITIVE_INFINITY : short.since + hesitationMs;
}

/**
 * What was written a moment ago the spoke may not have taken over yet: a number of before is no wish of its people. Any other number is,
 * once the agent has seen ours. Where nothing is remembered, a number that has stood for the time of hesitation counts as taken over.
 */
function hasReached(before: Sight | undefined, view: View, { now, hesitationMs }: Looking): true | undefined {
  const { written = 0, onSpoke, writtenAt = now, upToDate } = view;
  if (onSpoke === written) return true;
  if (before === undefined) return now - writtenAt >= hesitationMs ? true : undefined;
  if (before.written !== written) return undefined;
  const isNew = upToDate && onSpoke !== undefined && before.pending?.includes(onSpoke) === false;
  return before.reached || isNew ? true : undefined;
}

function pinOf(before: Sight | undefined, view: View, reached: true | undefined): number | undefined {
  const { onSpoke, written, reachable, upToDate, selected, contested } = view;
  if (!selected || contested) return undefined;
  const isTheirs = reached && reachable && upToDate && onSpoke !== undefined && written !== undefined;
  return isTheirs && onSpoke !== written ? onSpoke : before?.pin;
}

function sameNumber(before: number | undefined, now: number | undefined): number | undefined {
  return before === now ? now : undefined;
}

function shortOf(before: Sight | undefined, { written = 0, ready }: View, now: Instant): Sight['short'] {
  if (ready >= written) return undefined;
  const known = before !== undefined && before.written >= written ? before.short : undefined;
  return known === undefined || ready > known.most ? { since: now, most: ready } : known;
}

/** One that nothing is heard of can't be tried again; one that is heard of again is, after the time of hesitation at the latest. */
function stillBelieved(cap: Cap | undefined, { reachable }: View, { now, hesitationMs }: Looking): Cap | undefined {
  if (cap === undefined) return undefined;
  const { unreachable, ...rest } = cap;
  if (!reachable) return now < cap.until ? cap : { ...cap, until: now + hesitationMs };
  const until = unreachable ? Math.min(cap.until, now + hesitationMs) : cap.until;
  return now < until ? { ...rest, until } : undefined;
}

function capOf({ ready, reachable }: View, until: Instant): Cap {
  return { replicas: ready, until, ...(!reachable && { unreachable: true }) };
}
