/** The view of the functions' log lines about one binding. */
import { TRIGGERED_BY } from '../../shared/model/binding.ts';
import { keyText } from '../../shared/model/object-key.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { toTimestamp } from '../../shared/model/time.ts';
import type { Moment } from '../../shared/operator/operations/fleet.ts';
import type { LogEntry } from '../../shared/ports/log-reader.ts';

/** Field values of log lines about a binding, or about the rebalancer that last triggered it. */
export function linesAbout(hub: string, { metadata }: PlacedBinding): readonly Readonly<Record<string, string>>[] {
  const { namespace, name } = metadata;
  const [rebalancer = ''] = (metadata.annotations[TRIGGERED_BY] ?? '').split('/');
  return [
    { hub, namespace, name },
    { hub, binding: keyText({ namespace, name }) },
    ...(rebalancer === '' ? [] : [{ hub, name: rebalancer }]),
  ];
}

export function traceAnswer(lines: readonly LogEntry[]): { readonly history: Moment[] } {
  return { history: lines.map(momentOf) };
}

/** The consumed event, and its outcome. */
function momentOf({ at, fields }: LogEntry): Moment {
  const { event = 'Evenkeel', eventId, reason = '', error, name = '' } = fields;
  return {
    at: toTimestamp(at),
    who: `${event} ${name}`.trim(),
    what: 'seen',
    text: String(error ?? reason),
    ...(eventId !== undefined && { id: String(eventId) }),
  };
}
