/** Reads an event of EventBridge: those of AWS that concern clusters by their published schemas, and any other as it is. */

import * as z from 'zod/mini';
import { Fault } from '../core/fault.ts';
import { firstIssue } from '../core/field-error.ts';
import { fromTimestamp, type Instant } from '../core/time.ts';
import { type EventPlace, type ExternalEventType, LARGEST_EVENT, type ReceivedEvent } from './external-event.ts';

const text = z.string().check(z.maxLength(512));
const envelope = z.object({
  id: text.check(z.minLength(1)),
  source: text,
  'detail-type': text,
  account: z._default(text, ''),
  region: z._default(text, ''),
  time: text,
  resources: z._default(z.array(text), []),
  detail: z.record(z.string(), z.unknown()),
});

type Envelope = z.output<typeof envelope>;

/** What is read of a known event; `endsAt` without `startsAt`: the end of an incident. */
interface ReadEvent extends EventPlace {
  readonly type: ExternalEventType;
  readonly id: string;
  readonly startsAt?: Instant;
  readonly endsAt?: Instant;
}

/** One source and detail-type of AWS. The rule of the default bus is made of these. */
export interface KnownEvent {
  readonly source: string;
  readonly detailTypes: readonly string[];
  /** Undefined if it concerns no cluster. `at`: the event's time. */
  readonly read: (event: Envelope, at: Instant) => ReadEvent | undefined;
}

const EKS_CLUSTER = /^arn:[^:]+:eks:[^:]*:[^:]*:cluster\/([^/]+)$/;
const INSTANCE = /^i-[0-9a-f]+$/;

export const knownEvents: readonly KnownEvent[] = [
  {
    source: 'aws.ec2',
    detailTypes: ['EC2 Spot Instance Interruption Warning', 'EC2 Capacity Reservation Instance Interruption Warning'],
    read: (event, at) => ofInstance('SpotInterruption', event, at),
  },
  {
    source: 'aws.ec2',
    detailTypes: ['EC2 Instance Rebalance Recommendation'],
    read: (event, at) => ofInstance('RebalanceRecommendation', event, at),
  },
  {
    source: 'aws.ec2',
    detailTypes: ['Capacity Block Expiration Warning', 'Capacity Block Reservation Expiration Warning'],
    read: ({ detail }, at) => {
      const capacityReservation = textOf(detail['capacity-reservation-id']);
      if (capacityReservation === undefined) return undefined;
      return { type: 'CapacityBlockExpiration', id: capacityReservation, capacityReservation, startsAt: at };
    },
  },
  { source: 'aws.health', detailTypes: ['AWS Health Event'], read: ofHealth },
  {
    source: 'aws.arc-zonal-shift',
    detailTypes: [
      'Autoshift In Progress',
      'Autoshift Completed',
      'FIS Experiment Autoshift In Progress',
      'FIS Experiment Autoshift Completed',
      'FIS Experiment Autoshift Canceled',
      'Manual Shift Started',
      'Manual Shift Updated',
      'Manual Shift Canceled',
      'Manual Shift Completed',
    ],
    read: ofZonalShift,
  },
  {
    source: 'aws.autoscaling',
    detailTypes: ['EC2 Instance Launch Unsuccessful', 'EC2 Instance Launch Successful'],
    read: ({ detail, account, region, 'detail-type': type }, at) => {
      const autoScalingGroup = textOf(detail.AutoScalingGroupName);
      if (autoScalingGroup === undefined) return undefined;
      const id = `${account}/${region}/${autoScalingGroup}`;
      return { type: 'LaunchFailure', id, autoScalingGroup, ...timesOf(type.endsWith(' Successful'), at) };
    },
  },
  { source: 'aws.eks', detailTypes: ['AWS API Call via CloudTrail'], read: ofEksCall },
];

/** Calls that replace nodes, or the control plane. */
const UPDATES = ['UpdateClusterVersion', 'UpdateNodegroupVersion', 'UpdateNodegroupConfig'];

/** Throws a terminal Fault that names the wrong field. Undefined for an event of AWS that concerns no cluster. */
export function parseExternalEvent(body: string, receivedAt: Instant): ReceivedEvent | undefined {
  const json = jsonOf(body);
  const given = parsed(json);
  const { source, 'detail-type': detailType, account, region, time } = given;
  const at = fromTimestamp(time);
  if (at === undefined) throw unreadable(`time: ${JSON.stringify(time).slice(0, 40)} is no RFC 3339 time`);
  const known = knownEvents.find((each) => each.source === source && each.detailTypes.includes(detailType));
  const read = known === undefined ? ofOther(given, at) : known.read(given, at);
  if (read === undefined) return undefined;
  const cluster = textOf(given.detail.cluster);
  // Of an event of a user they are where it was sent, and no place that it concerns.
  const place = known && { ...(account !== '' && { account }), ...(region !== '' && { region }) };
  return {
    ...place,
    // An input transformer, or a user, may name the member cluster.
    ...(cluster !== undefined && { cluster }),
    ...read,
    // Several rules may name a member cluster each for the same incident.
    id: [read.type, read.id, ...(cluster === undefined || known === undefined ? [] : [cluster])].join('/'),
    receivedAt,
    ...(body.length <= LARGEST_EVENT && { event: json }),
  };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw unreadable('the message is not JSON');
  }
}

function parsed(json: unknown): Envelope {
  const given = z.safeParse(envelope, json);
  if (given.success) return given.data;
  throw unreadable(firstIssue(given.error));
}

function unreadable(what: string): Fault {
  return new Fault('terminal', `not an event of EventBridge: ${what}`, { reason: 'UnreadableEvent' });
}

function ofInstance(type: ExternalEventType, { detail }: Envelope, at: Instant): ReadEvent | undefined {
  const instance = textOf(detail['instance-id']);
  return instance === undefined ? undefined : { type, id: instance, instances: [instance], startsAt: at };
}

const health = z.object({
  eventArn: text,
  service: text,
  eventTypeCategory: text,
  statusCode: z._default(text, 'open'),
  eventRegion: z.optional(text),
  affectedAccount: z.optional(text),
  startTime: z.optional(text),
  endTime: z.optional(text),
  page: z._default(text, '1'),
  affectedEntities: z._default(z.array(z.object({ entityValue: z._default(text, '') })), []),
});

/** An account gets the events of its resources, and public ones of a region. */
function ofHealth({ detail, account }: Envelope, at: Instant): ReadEvent | undefined {
  const given = z.safeParse(health, detail);
  if (!given.success || !['EC2', 'EKS'].includes(given.data.service)) return undefined;
  const { eventArn, eventTypeCategory, statusCode, eventRegion, affectedAccount = account, page, ...rest } = given.data;
  const isAnnounced = eventTypeCategory === 'scheduledChange';
  if (!isAnnounced && eventTypeCategory !== 'issue') return undefined;
  const entities = rest.affectedEntities.map(({ entityValue }) => entityValue);
  const instances = entities.filter((entity) => INSTANCE.test(entity));
  const eksClusters = eksClustersOf(entities);
  const endsAt = dateOf(rest.endTime);
  const times = statusCode === 'closed' ? { endsAt: endsAt ?? at } : { startsAt: startOf(), ...endOf() };
  return {
    type: isAnnounced ? 'HealthScheduledChange' : 'HealthIssue',
    // Accounts that it affects have one ARN. Many entities come in several pages, each an event.
    id: [eventArn, affectedAccount, ...(page === '1' ? [] : [page])].join('/'),
    ...(eventRegion && { region: eventRegion }),
    ...(affectedAccount && { account: affectedAccount }),
    ...(instances.length > 0 && { instances }),
    ...(eksClusters.length > 0 && { eksClusters }),
    ...times,
  };

  /** An issue counts from its report: it may be known hours later. */
  function startOf(): Instant {
    return isAnnounced ? (dateOf(rest.startTime) ?? at) : at;
  }

  function endOf() {
    return isAnnounced && endsAt !== undefined ? { endsAt } : {};
  }
}

function ofZonalShift(
  { detail, account, region, resources, 'detail-type': type }: Envelope,
  at: Instant,
): ReadEvent | undefined {
  const { awayFrom } = (detail.metadata ?? {}) as { readonly awayFrom?: unknown };
  const zone = textOf(awayFrom);
  if (zone === undefined) return undefined;
  const eksClusters = eksClustersOf(resources);
  return {
    type: 'ZonalShift',
    id: [account, region, zone, ...eksClusters].join('/'),
    zones: [zone],
    ...(eksClusters.length > 0 && { eksClusters }),
    ...timesOf(/ (Completed|Canceled)$/.test(type), at),
  };
}

function ofEksCall({ detail, account, region }: Envelope, at: Instant): ReadEvent | undefined {
  const { eventName, errorCode, requestParameters, responseElements } = detail;
  if (!UPDATES.some((name) => name === eventName) || errorCode !== undefined) return undefined;
  const { name } = (requestParameters ?? {}) as Readonly<Record<string, unknown>>;
  const { update } = (responseElements ?? {}) as { readonly update?: { readonly id?: unknown } };
  const eksCluster = textOf(name);
  if (eksCluster === undefined) return undefined;
  const id = [account, region, eksCluster, textOf(update?.id) ?? ''].join('/');
  return { type: 'EksUpdate', id, eksClusters: [eksCluster], startsAt: at };
}

function ofOther({ id }: Envelope, at: Instant): ReadEvent {
  return { type: 'Other', id, startsAt: at };
}

function timesOf(isEnd: boolean, at: Instant) {
  return isEnd ? { endsAt: at } : { startsAt: at };
}

/** Sorted, because they are part of an id. */
function eksClustersOf(arns: readonly string[]): readonly string[] {
  return [...new Set(arns.flatMap((arn) => EKS_CLUSTER.exec(arn)?.[1] ?? []))].sort();
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 253 ? value : undefined;
}

/** AWS Health writes "Sat, 05 Jun 2027 15:10:09 GMT". */
function dateOf(value: string | undefined): Instant | undefined {
  const at = Date.parse(value ?? '');
  return Number.isNaN(at) ? undefined : at;
}
