/** The observed state of each cluster between two reconciles: since when it is short of replicas, its learned capacity limit, its manual override. */
import { type Instant, SECOND } from '../core/time.ts';

export interface PlacementObservation {
  /** The written number. */
  readonly written: number;
  /** The managed cluster has applied that number; a different number after that is a manual override. */
  readonly reached?: true;
  /** Earlier numbers that the managed cluster may still report until it has applied the written one. */
  readonly pending?: readonly number[];
  /** The manual override: the number that the workload was scaled to on the cluster. */
  readonly pin?: number;
  /** A former manual override: it equalled the share, or the strategy was edited since. */
  readonly past?: number;
  /** Since when it is short of replicas without progress, and the most replicas that were ready meanwhile. */
  readonly short?: { readonly since: Instant; readonly most: number };
  readonly cap?: Cap;
  /** How often in a row it failed to run its replicas. */
  readonly failures?: number;
  /** Since when it runs its replicas. */
  readonly readySince?: Instant;
}

/** A learned capacity limit, and when it expires. */
export interface Cap {
  readonly replicas: number;
  readonly until: Instant;
  /** Learned because the cluster was unreachable. */
  readonly unreachable?: true;
  /** Inferred from the written numbers after the reconciler state was lost. */
  readonly guessed?: true;
}

/** The current state of a cluster as read from the hub. */
export interface View {
  readonly cluster: string;
  /** Whether the PlacementDecision names it. */
  readonly selected: boolean;
  /** Whether its report is current. */
  readonly reachable: boolean;
  /** Our ManifestWork is being deleted: a new one can be created only after that. */
  readonly deleting: boolean;
  /** The number in our ManifestWork; undefined if there is none. */
  readonly written?: number;
  /** When we wrote it, by the hub's time. */
  readonly writtenAt?: Instant;
  /** The manual override that it was written for. */
  readonly scaledThere?: number;
  /** Another ElasticWorkload writes the same object: the origin of a different number is unknown. */
  readonly contested?: boolean;
  /** There is a status, and it does not name the cluster: a ManifestWork there was left behind, for example by a concurrent reconcile. */
  readonly unreported?: true;
  /** How often in a row the written number was reset on the managed cluster. */
  readonly putBacks?: number;
  /** The agent has processed the current ManifestWork. */
  readonly upToDate: boolean;
  /** The number on the managed cluster, if reported. */
  readonly replicasOnCluster?: number;
  /** 0 if the cluster is unreachable, or the ManifestWork is being deleted. */
  readonly ready: number;
}

export interface ObservationLimits {
  readonly now: Instant;
  /** How long a cluster may be short of replicas before a capacity limit is learned; infinite without borrowing. */
  readonly hesitationMs: number;
}

/** A learned limit lasts twice as long each time, up to this or the hesitation period, whichever is longer. */
const LONGEST = 3600 * SECOND;
/** Earlier writes that an agent may still report. */
const MOST_PENDING = 8;

function backoffMs(failures: number, hesitationMs: number): number {
  return Math.min(hesitationMs * 2 ** Math.min(failures, 30), Math.max(LONGEST, hesitationMs));
}

/** The observation after this reconcile. */
export function observe(
  before: PlacementObservation | undefined,
  view: View,
  limits: ObservationLimits,
): PlacementObservation {
  const { now, hesitationMs } = limits;
  const written = view.written ?? 0;
  const reached = hasReached(before, view, limits);
  const pending = reached || before?.written !== written ? undefined : before.pending;
  const past = view.replicasOnCluster === written ? undefined : sameNumber(before?.past, view.replicasOnCluster);
  const pin = past === undefined ? pinOf(before, view, reached) : undefined;
  const believed = stillBelieved(before?.cap, view, limits);
  const isOver = before?.cap !== undefined && believed === undefined;
  const short = shortOf(isOver ? undefined : before, view, now);
  const fails = believed === undefined && short !== undefined && now - short.since >= hesitationMs;
  const failures = before?.failures ?? 0;
  const cap = fails ? capOf(view, now + backoffMs(failures, hesitationMs)) : believed;
  const isHealthy = short === undefined && cap === undefined && view.selected;
  const readySince = isHealthy ? (before?.readySince ?? now) : undefined;
  const forgiven = readySince !== undefined && now - readySince >= backoffMs(failures, hesitationMs);
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
    ...(readySince !== undefined && { readySince }),
  };
}

/** The observation after `next` was written: timeouts for newly assigned replicas start now. */
export function afterWrite(
  observation: PlacementObservation,
  {
    next,
    ready,
    replicasOnCluster = next,
  }: { readonly next: number; readonly ready: number; readonly replicasOnCluster?: number },
  now: Instant,
): PlacementObservation {
  const { reached: _, short, readySince, ...rest } = observation;
  if (next === observation.written) return observation;
  const isShort = ready < next;
  const since = next > observation.written || short === undefined ? { since: now, most: ready } : short;
  return {
    ...rest,
    written: next,
    pending: [...new Set([...(observation.pending ?? []), observation.written, replicasOnCluster])].slice(
      -MOST_PENDING,
    ),
    ...(isShort && { short: since }),
    ...(!isShort && readySince !== undefined && { readySince }),
  };
}

/** When a timeout requires the next reconcile; infinite if none does. */
export function observeAgainAt({ short, cap }: PlacementObservation, { hesitationMs }: ObservationLimits): Instant {
  if (cap !== undefined) return cap.until;
  return short === undefined ? Number.POSITIVE_INFINITY : short.since + hesitationMs;
}

/**
 * The managed cluster may not have applied the last write yet: an earlier number is no manual override. Any other number is one,
 * once the agent has processed our write. Without stored state, a number that is older than the hesitation period counts as applied, unless
 * the status does not name the cluster: the number there may be that of a deleted ElasticWorkload, which had the target before.
 */
function hasReached(
  before: PlacementObservation | undefined,
  view: View,
  { now, hesitationMs }: ObservationLimits,
): true | undefined {
  const { written = 0, replicasOnCluster, writtenAt = now, upToDate, unreported } = view;
  // A report that is older than the write may be of the same number, written before.
  const isOlder = !upToDate && before?.pending?.includes(written);
  if (replicasOnCluster === written && !isOlder) return true;
  if (before === undefined) return !unreported && now - writtenAt >= hesitationMs ? true : undefined;
  if (before.written !== written) return undefined;
  const isNew = upToDate && replicasOnCluster !== undefined && before.pending?.includes(replicasOnCluster) === false;
  return before.reached || isNew ? true : undefined;
}

function pinOf(before: PlacementObservation | undefined, view: View, reached: true | undefined): number | undefined {
  const { replicasOnCluster, written, reachable, upToDate, selected, contested } = view;
  if (!selected || contested) return undefined;
  const isTheirs = reached && reachable && upToDate && replicasOnCluster !== undefined && written !== undefined;
  return isTheirs && replicasOnCluster !== written ? replicasOnCluster : before?.pin;
}

function sameNumber(before: number | undefined, now: number | undefined): number | undefined {
  return before === now ? now : undefined;
}

function shortOf(
  before: PlacementObservation | undefined,
  { written = 0, ready }: View,
  now: Instant,
): PlacementObservation['short'] {
  if (ready >= written) return undefined;
  const known = before !== undefined && before.written >= written ? before.short : undefined;
  return known === undefined || ready > known.most ? { since: now, most: ready } : known;
}

/** An unreachable cluster can't be retried. A cluster that is reachable again is retried after the hesitation period at the latest. */
function stillBelieved(
  cap: Cap | undefined,
  { reachable }: View,
  { now, hesitationMs }: ObservationLimits,
): Cap | undefined {
  if (cap === undefined) return undefined;
  const { unreachable, ...rest } = cap;
  if (!reachable) return now < cap.until ? cap : { ...cap, until: now + hesitationMs };
  const until = unreachable ? Math.min(cap.until, now + hesitationMs) : cap.until;
  return now < until ? { ...rest, until } : undefined;
}

function capOf({ ready, reachable }: View, until: Instant): Cap {
  return { replicas: ready, until, ...(!reachable && { unreachable: true }) };
}
