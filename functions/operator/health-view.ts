/** The view of the hubs' health, from the functions' logs. */
import type { HealthAnswer } from '../../shared/console-api/operations/health.ts';
import type { HubSummary } from '../../shared/console-api/operations/hubs.ts';
import type { LogEntry, LogQuery } from '../../shared/core/log-reader.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import type { Pause } from '../../shared/kubernetes/hub-pause.ts';
import type { HubReach } from '../../shared/kubernetes/hub-reach.ts';

export type HubNotes = Pick<HealthAnswer, 'hubs' | 'unread'>;

const HOUR = 3600 * SECOND;
const MOST_LINES = 500;

export interface SeenHub {
  readonly name: string;
  readonly paused: Pause | undefined;
  readonly reach: HubReach;
}

export function hubView({ name, paused, reach: { state, message, comparedAt } }: SeenHub): HubSummary {
  return {
    name,
    ...(paused && { paused: { ...paused, since: toTimestamp(paused.since) } }),
    reach: {
      state,
      ...(message !== undefined && { message }),
      ...(comparedAt !== undefined && { comparedAt: toTimestamp(comparedAt) }),
    },
  };
}

/** The last hour, in which every hub is compared several times. */
export function healthQuestion(hubs: readonly string[], now: Instant): LogQuery {
  const about = hubs.flatMap((hub) => [
    { hub, code: 'EK310' },
    { hub, code: 'EK200' },
  ]);
  return { about, since: now - HOUR, limit: MOST_LINES };
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
