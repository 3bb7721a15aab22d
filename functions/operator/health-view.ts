/** What people see of how Evenkeel gets on with its hubs, from what the functions logged. */
import { type Instant, SECOND, toTimestamp } from '../../shared/model/time.ts';
import type { HealthAnswer } from '../../shared/operator/operations/health.ts';
import type { JournalLine, JournalQuestion } from '../../shared/ports/journal.ts';

export type HubNotes = Pick<HealthAnswer, 'hubs' | 'unread'>;

const HOUR = 3600 * SECOND;
const MOST_LINES = 500;

/** Of the last hour, in which every hub is compared several times. */
export function healthQuestion(hubs: readonly string[], now: Instant): JournalQuestion {
  const about = hubs.flatMap((hub) => [
    { hub, event: 'ResyncDue', code: 'EK000' },
    { hub, code: 'EK310' },
    { hub, code: 'EK200' },
  ]);
  return { about, since: now - HOUR, limit: MOST_LINES };
}

/** `lines`: newest first. */
export function hubNotes(hubs: readonly string[], lines: readonly JournalLine[]): HubNotes {
  return {
    hubs: hubs.map((hub) =>
      sightOf(
        hub,
        lines.filter(({ fields }) => fields.hub === hub),
      ),
    ),
  };
}

export function unreadNotes(hubs: readonly string[], why: string): HubNotes {
  return { hubs: hubs.map((name) => ({ name, silentEstimators: [] })), unread: why };
}

function sightOf(name: string, lines: readonly JournalLine[]): HubNotes['hubs'][number] {
  const resync = lines.find(({ code }) => code === 'EK000');
  const slowed = lines.find(({ code }) => code === 'EK200');
  const silent = new Map<string, HubNotes['hubs'][number]['silentEstimators'][number]>();
  for (const { at, code, fields } of lines) {
    const cluster = String(fields.cluster);
    if (code === 'EK310' && !silent.has(cluster))
      silent.set(cluster, { cluster, at: toTimestamp(at), error: String(fields.error) });
  }
  return {
    name,
    ...(resync && { resyncedAt: toTimestamp(resync.at) }),
    silentEstimators: [...silent.values()],
    ...(slowed && { slowed: { at: toTimestamp(slowed.at), inFlight: Number(slowed.fields.inFlight) } }),
  };
}
