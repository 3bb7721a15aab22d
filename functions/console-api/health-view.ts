/** The view of the hubs' health, from the functions' logs. */
import type { HealthAnswer } from '../../shared/console-api/operations/health.ts';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import type { LogEntry, LogQuery } from '../../shared/core/log-reader.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import type { HubReach } from '../../shared/kubernetes/hub-reach.ts';
import type { HubRecord } from '../../shared/kubernetes/hub-registry.ts';

export type HubNotes = Pick<HealthAnswer, 'hubs' | 'unread'>;

const HOUR = 3600 * SECOND;
const MOST_LINES = 500;

export interface SeenHub {
  readonly record: HubRecord;
  readonly reach: HubReach;
}

export function recordView(record: HubRecord): OutputOf<'getHub'> {
  const { name, state, server, features, auditLogGroup, revision, pause } = record;
  return {
    ...{ name, state, server, features: [...features], revision },
    ...(auditLogGroup !== undefined && { auditLogGroup }),
    ...(pause && { paused: { ...pause, since: toTimestamp(pause.since) } }),
  };
}

export function hubView({ record, reach: { state, message, comparedAt } }: SeenHub): HubSummary {
  return {
    ...recordView(record),
    reach: {
      state,
      ...(message !== undefined && { message }),
      ...(comparedAt !== undefined && { comparedAt: toTimestamp(comparedAt) }),
    },
  };
}

/** Lower is worse. A pause is intended, and so is a hub that is being removed. */
function rankOf({ state, paused, reach }: HubSummary): number {
  if (state === 'Removing') return 2;
  if (reach.state === 'Unreachable') return 0;
  if (paused !== undefined) return 3;
  return reach.state === 'Reachable' ? 4 : 1;
}

/** Of 1,000 hubs, the ones that need attention are first. */
export function worstFirst(hubs: readonly HubSummary[]): readonly HubSummary[] {
  return [...hubs].sort((a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1));
}

/** The last hour, in which every hub is compared several times. Of all hubs: a query that names 1,000 exceeds the 10,000 characters of Logs Insights. */
export function healthQuery(now: Instant): LogQuery {
  return { about: [{ code: 'EK310' }, { code: 'EK200' }], since: now - HOUR, limit: MOST_LINES };
}

/** `lines`: newest first. */
export function hubNotes(hubs: readonly string[], lines: readonly LogEntry[]): HubNotes {
  return {
    hubs: hubs.map((hub) =>
      observationOf(
        hub,
        lines.filter(({ fields }) => fields.hub === hub),
      ),
    ),
  };
}

export function unreadNotes(hubs: readonly string[], why: string): HubNotes {
  return { hubs: hubs.map((name) => ({ name, silentEstimators: [] })), unread: why };
}

function observationOf(name: string, lines: readonly LogEntry[]): HubNotes['hubs'][number] {
  const slowed = lines.find(({ code }) => code === 'EK200');
  const silent = new Map<string, HubNotes['hubs'][number]['silentEstimators'][number]>();
  for (const { at, code, fields } of lines) {
    const cluster = String(fields.cluster);
    if (code === 'EK310' && !silent.has(cluster))
      silent.set(cluster, { cluster, at: toTimestamp(at), error: String(fields.error) });
  }
  return {
    name,
    silentEstimators: [...silent.values()],
    ...(slowed && { slowed: { at: toTimestamp(slowed.at), inFlight: Number(slowed.fields.inFlight) } }),
  };
}
