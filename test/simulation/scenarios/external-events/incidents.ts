/** What is known of events from outside, from the events alone: which incidents there are, where, and when a policy may or must act on them. */
import type { ClusterPlace, Entry, EventPlace } from './parts.ts';

const MINUTE = 60_000;
const LEAD_MS = 30 * MINUTE;

export interface Report {
  readonly isEnd: boolean;
  /** Of the event. */
  readonly time: number;
  /** The announced begin and end. */
  readonly announced?: { readonly from: number; readonly until: number };
  readonly arrivedAt: number;
  /** False if it may be lost with the table. */
  isSure: boolean;
}

export interface Incident {
  readonly type: string;
  readonly place: EventPlace;
  /** Of an event of a user. */
  readonly stage?: string | undefined;
  readonly reports: Report[];
}

/** An incident that an entry of a policy chooses, at a cluster that it concerns. */
export interface Claim {
  readonly incident: Incident;
  readonly entry: Entry;
  readonly at: ClusterPlace;
}

export function isChosen({ type, stage }: Incident, { types, match }: Entry): boolean {
  return types?.includes(type) ?? match?.includes(`'${stage}'`) ?? false;
}

/** The fields that an event has must be those of the cluster. */
export function isConcerned(
  { type, place }: Incident,
  entry: Entry,
  { name, at }: { readonly name: string; readonly at: ClusterPlace },
): boolean {
  if (entry.clusters?.includes(name) === false) return false;
  if (place.cluster !== undefined) return place.cluster === name;
  if (type === 'Other' || type === 'Alert') return entry.clusters !== undefined;
  if (place.region !== at.region || (at.account !== undefined && place.account !== at.account)) return false;
  if (place.instance !== undefined) return place.eksCluster === at.eksCluster;
  if (place.eksCluster !== undefined) return place.eksCluster === at.eksCluster;
  if (place.group !== undefined) return place.group === at.group;
  if (place.reservation !== undefined) return place.reservation === at.reservation;
  return place.zone !== undefined && at.zones.includes(place.zone);
}

function limitOf({ limit }: Entry): number {
  return Number.parseInt(limit, 10) * MINUTE;
}

/** When the entry's action for a report is over at the latest, if no end comes. */
function limitedUntil({ announced, time }: Report, entry: Entry): number {
  return Math.min(announced?.until ?? Number.POSITIVE_INFINITY, (announced?.from ?? time) + limitOf(entry));
}

/** When the action for a report that began something ends, by what arrived so far; `handledMs`: the longest an end may wait in its queue. */
function endOf({ incident, entry }: Claim, begin: Report, handledMs: number): number {
  // Most launches follow no failure: such an end is not stored if it is handled before the begin.
  const ends = incident.reports.filter(
    ({ isEnd, isSure, time }) => isEnd && isSure && time >= begin.time && incident.type !== 'LaunchFailure',
  );
  const over = ends.map(({ time, arrivedAt }) => Math.max(time, arrivedAt + handledMs));
  return Math.min(limitedUntil(begin, entry), ...over);
}

/** Until when a policy may act on it, if it may act between two moments; otherwise undefined. */
export function mayActUntil(
  claim: Claim,
  { from, to, handledMs }: { readonly from: number; readonly to: number; readonly handledMs: number },
): number | undefined {
  const until = claim.incident.reports
    .filter((report) => !report.isEnd && report.arrivedAt <= to)
    .filter(({ announced, time }) => (announced === undefined ? time : announced.from - LEAD_MS) <= to)
    .filter((begin) => endOf(claim, begin, handledMs) >= from)
    .map((begin) => limitedUntil(begin, claim.entry));
  return until.length === 0 ? undefined : Math.max(...until);
}

/** Whether a policy must act on it by now, and must have known that since `knownAt`. */
export function mustAct({ incident, entry }: Claim, knownAt: number, now: number): boolean {
  const begins = incident.reports.filter(({ isEnd }) => !isEnd);
  const ends = incident.reports.filter(({ isEnd }) => isEnd);
  const isHealth = incident.type.startsWith('Health');
  // An event of AWS Health does not begin again, and the times of an announced change may change.
  if (isHealth && ends.length > 0) return false;
  if (incident.type === 'HealthScheduledChange' && new Set(begins.map(({ time }) => time)).size > 1) return false;
  return begins.some(
    (begin) =>
      begin.isSure &&
      begin.arrivedAt <= knownAt &&
      (begin.announced?.from ?? begin.time) - LEAD_MS <= knownAt &&
      limitedUntil(begin, entry) > now + MINUTE &&
      !ends.some(({ time }) => time >= begin.time),
  );
}

/** The percentage of a cluster that the incidents name together: the share of its nodes, the share of its zones, or all. */
export function percentOf(claims: readonly Claim[]): number {
  const drains = claims.filter(({ entry }) => (entry.action ?? 'Drain') === 'Drain');
  const instances = drains.flatMap(({ incident }) => incident.place.instance ?? []);
  const zones = drains.filter(({ incident: { place } }) => place.instance === undefined && place.zone !== undefined);
  if (drains.some(({ incident: { place } }) => place.instance === undefined && place.zone === undefined)) return 100;
  const shares = [
    ...drains.map(({ at: { nodes } }) =>
      nodes === undefined ? 0 : Math.ceil((new Set(instances).size * 100) / nodes),
    ),
    ...zones.map(({ at }) => {
      const named = new Set(zones.flatMap(({ incident }) => incident.place.zone ?? []));
      const concerned = at.zones.filter((zone) => named.has(zone)).length;
      return concerned === 0 ? 100 : Math.ceil((concerned * 100) / at.zones.length);
    }),
  ];
  // More instances may be named than the cluster reports nodes.
  return Math.min(100, Math.max(0, ...shares));
}
