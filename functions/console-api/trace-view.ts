/** The view of the functions' log lines about one binding. */

import type { Moment } from '../../shared/console-api/operations/fleet.ts';
import type { LogEntry } from '../../shared/core/log-reader.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { TRIGGERED_BY } from '../../shared/karmada/binding.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';

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
