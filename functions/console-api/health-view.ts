/** The views of hubs and queues with what is wrong with them, by a request made now and by the functions' logs. */
import type { QueueStatus } from '../../shared/bus/queues.ts';
import {
  type FindingTime,
  type HubFacts,
  hubFindings,
  type LoggedFacts,
  loggedFindings,
  queueFindings,
  rankOfFindings,
} from '../../shared/console-api/health-findings.ts';
import type { HealthAnswer } from '../../shared/console-api/operations/health.ts';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import type { LastLineQuery, LogEntry, LogQuery } from '../../shared/core/log-reader.ts';
import { fromTimestamp, type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import type { HubRecord } from '../../shared/kubernetes/hub-registry.ts';

export type HubNotes = Pick<HealthAnswer, 'hubs' | 'unread'>;

const HOUR = 3600 * SECOND;
const MOST_LINES = 500;

/** `clockDifferenceMs`: undefined if the hub did not answer, or without its time. */
export interface SeenHub extends Pick<HubFacts, 'reach' | 'clockDifferenceMs'> {
  readonly record: HubRecord;
}

export function recordView(record: HubRecord): OutputOf<'getHub'> {
  const { name, state, server, features, auditLogGroup, revision, pause } = record;
  return {
    ...{ name, state, server, features: [...features], revision },
    ...(auditLogGroup !== undefined && { auditLogGroup }),
    ...(pause && { paused: { ...pause, since: toTimestamp(pause.since) } }),
  };
}

export function hubView({ record, reach, clockDifferenceMs }: SeenHub): HubSummary {
  const { state, message, comparedAt } = reach;
  const { name, pause } = record;
  return {
    ...recordView(record),
    reach: {
      state,
      ...(message !== undefined && { message }),
      ...(comparedAt !== undefined && { comparedAt: toTimestamp(comparedAt) }),
      ...(clockDifferenceMs !== undefined && { clockSeconds: Math.round(clockDifferenceMs / SECOND) }),
    },
    findings: [...hubFindings({ name, state: record.state, pause, reach, clockDifferenceMs })],
  };
}

/** Of 1,000 hubs, the ones that need attention are first. */
export function worstFirst(hubs: readonly HubSummary[]): readonly HubSummary[] {
  const rankOf = ({ findings }: HubSummary) => rankOfFindings(findings);
  return [...hubs].sort((a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1));
}

export function queueView(status: QueueStatus): HealthAnswer['queues'][number] {
  return { ...status, findings: [...queueFindings(status)] };
}

/** The last hour, in which every hub is compared several times. Of all hubs: a query that names 1,000 exceeds the 10,000 characters of Logs Insights. */
export function healthQuery(now: Instant): LogQuery {
  return { about: [{ code: 'EK310' }, { code: 'EK200' }, { code: 'EK331' }], since: now - HOUR, limit: MOST_LINES };
}

/** Each batch of events has a line. */
export function lastEventQuery(now: Instant): LastLineQuery {
  return { code: 'EK100', by: 'hub', since: now - HOUR };
}

export interface HubLogs {
  /** Newest first. */
  readonly lines: readonly LogEntry[];
  readonly lastEvents: ReadonlyMap<string, Instant>;
}

export function hubNotes(hubs: readonly string[], { lines, lastEvents }: HubLogs, time: FindingTime): HubNotes {
  return {
    hubs: hubs.map((hub) => {
      const logged = loggedFacts(
        hub,
        lines.filter(({ fields }) => fields.hub === hub),
      );
      const lastEventAt = lastEvents.get(hub);
      return {
        ...noteOf(logged),
        ...(lastEventAt !== undefined && { lastEventAt: toTimestamp(lastEventAt) }),
        findings: [...loggedFindings(logged, time)],
      };
    }),
  };
}

export function unreadNotes(hubs: readonly string[], why: string): HubNotes {
  return { hubs: hubs.map((name) => ({ name, silentEstimators: [], findings: [] })), unread: why };
}

function noteOf({ name, silentEstimators, slowed, overdue }: LoggedFacts): Omit<HubNotes['hubs'][number], 'findings'> {
  return {
    name,
    silentEstimators: silentEstimators.map((silent) => ({ ...silent, at: toTimestamp(silent.at) })),
    ...(slowed && { slowed: { ...slowed, at: toTimestamp(slowed.at) } }),
    ...(overdue && { overdue: { ...overdue, at: toTimestamp(overdue.at), since: toTimestamp(overdue.since) } }),
  };
}

function loggedFacts(name: string, lines: readonly LogEntry[]): LoggedFacts {
  const slowed = lines.find(({ code }) => code === 'EK200');
  const overdue = lines.find(({ code }) => code === 'EK331');
  const silent = new Map<string, LoggedFacts['silentEstimators'][number]>();
  for (const { at, code, fields } of lines) {
    const cluster = String(fields.cluster);
    if (code === 'EK310' && !silent.has(cluster)) silent.set(cluster, { cluster, at, error: String(fields.error) });
  }
  return {
    name,
    silentEstimators: [...silent.values()],
    slowed: slowed && { at: slowed.at, inFlight: Number(slowed.fields.inFlight) },
    overdue: overdue && overdueOf(overdue),
  };
}

function overdueOf({ at, fields }: LogEntry): LoggedFacts['overdue'] {
  return { at, count: Number(fields.overdue), since: fromTimestamp(String(fields.since)) ?? at };
}
