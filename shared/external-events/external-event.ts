/** Events from outside a hub that concern its clusters: of AWS, of a monitoring system, of a pipeline. What is stored of each, from its begin to its end. */
import { DAY, type Instant, SECOND } from '../core/time.ts';

/** `Other`: any event that is none of the others; policies choose them by an expression. */
export const externalEventTypes = [
  'SpotInterruption',
  'RebalanceRecommendation',
  'HealthIssue',
  'HealthScheduledChange',
  'ZonalShift',
  'EksUpdate',
  'CapacityBlockExpiration',
  'LaunchFailure',
  'Alert',
  'Other',
] as const;

export type ExternalEventType = (typeof externalEventTypes)[number];

/** Where it happens. All fields that an event has must be a cluster's; of a list, one. */
export interface EventPlace {
  readonly account?: string;
  readonly region?: string;
  /** Names or ids of availability zones. */
  readonly zones?: readonly string[];
  readonly instances?: readonly string[];
  /** Names; AWS Health reports one event for all clusters of an account that it affects. */
  readonly eksClusters?: readonly string[];
  readonly autoScalingGroup?: string;
  readonly capacityReservation?: string;
  /** The name of a member cluster of the hub. */
  readonly cluster?: string;
}

export interface ExternalEvent extends EventPlace {
  /** The same for the begin and the end of one incident. */
  readonly id: string;
  readonly type: ExternalEventType;
  /** The hub that it was sent for; absent: any. */
  readonly hub?: string;
  readonly startsAt: Instant;
  /** Its last repetition: limits count from it, because an incident that is reported again goes on. */
  readonly repeatedAt?: Instant;
  /** Absent if its end is not known. */
  readonly endsAt?: Instant;
  readonly receivedAt: Instant;
  /** The whole event, for expressions of policies; absent if it is larger than LARGEST_EVENT. */
  readonly event?: unknown;
}

/** The begin of an incident, its end, or both. */
export interface ReceivedEvent extends Omit<ExternalEvent, 'startsAt'> {
  /** Absent: it only ends. */
  readonly startsAt?: Instant;
}

/** Characters of JSON. */
export const LARGEST_EVENT = 100_000;

/** A policy acts on an event for this time at most. Events are kept a little longer. */
const LONGEST_LIMIT = DAY;
const KEPT_AFTER = 3600 * SECOND;

/** Announced changes begin at a known time: clusters are prepared this long before. */
export const LEAD = 1800 * SECOND;

/** When the stored event is of no use any more. */
export function expiryOf({ startsAt, repeatedAt = startsAt, endsAt = startsAt, receivedAt }: ExternalEvent): Instant {
  return Math.max(repeatedAt, endsAt, receivedAt) + LONGEST_LIMIT + KEPT_AFTER;
}

/** What is stored after an event was received: begin and end may arrive twice, and in any order. Undefined if it changes nothing. */
export function afterReceived(known: ExternalEvent | undefined, received: ReceivedEvent): ExternalEvent | undefined {
  const { startsAt, endsAt } = received;
  if (startsAt === undefined) return afterEnd(known, received);
  const begun = { ...received, startsAt };
  // An event of AWS Health does not begin again.
  if (received.type.startsWith('Health') && (known?.endsAt ?? Number.POSITIVE_INFINITY) <= received.receivedAt)
    return undefined;
  if (known === undefined || (known.endsAt !== undefined && known.endsAt < startsAt)) return begun;
  // The times of an announced change may change.
  if (received.type === 'HealthScheduledChange')
    return known.startsAt === startsAt && known.endsAt === endsAt
      ? undefined
      : { ...begun, receivedAt: known.receivedAt };
  const isRepeated = known.endsAt === undefined && startsAt > (known.repeatedAt ?? known.startsAt);
  // It may concern more by now.
  const { startsAt: first, receivedAt } = known;
  return isRepeated ? { ...begun, startsAt: first, receivedAt, repeatedAt: startsAt } : undefined;
}

/** Stored also for an incident that is not known: its begin may arrive later. */
function afterEnd(known: ExternalEvent | undefined, received: ReceivedEvent): ExternalEvent | undefined {
  const { endsAt = received.receivedAt } = received;
  // Most launches follow no failure.
  if (known === undefined && received.type === 'LaunchFailure') return undefined;
  if (known === undefined) return { ...received, startsAt: endsAt, endsAt };
  // An announced change may end before it begins, and before its announced end.
  const isAnnounced = known.type === 'HealthScheduledChange';
  // The end of an earlier incident may arrive after the next one began.
  const isLater = (known.repeatedAt ?? known.startsAt) <= endsAt && (known.endsAt ?? 0) < endsAt;
  return (isAnnounced ? known.endsAt !== endsAt : isLater) ? { ...known, endsAt } : undefined;
}
