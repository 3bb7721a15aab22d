/** What people see of what the functions logged about one binding. */
import { TRIGGERED_BY } from '../../shared/model/binding.ts';
import { keyText } from '../../shared/model/object-key.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { toTimestamp } from '../../shared/model/time.ts';
import type { Moment } from '../../shared/operator/operations/fleet.ts';
import type { JournalLine } from '../../shared/ports/journal.ts';

/** By which fields lines tell of a binding, or of the rebalancer that asked for it last. */
export function linesAbout(hub: string, { metadata }: PlacedBinding): readonly Readonly<Record<string, string>>[] {
  const { namespace, name } = metadata;
  const [rebalancer = ''] = (metadata.annotations[TRIGGERED_BY] ?? '').split('/');
  return [
    { hub, namespace, name },
    { hub, binding: keyText({ namespace, name }) },
    ...(rebalancer === '' ? [] : [{ hub, name: rebalancer }]),
  ];
}

export function traceAnswer(lines: readonly JournalLine[]): { readonly history: Moment[] } {
  return { history: lines.map(momentOf) };
}

/** What a function heard, and what it made of it. */
function momentOf({ at, fields }: JournalLine): Moment {
  const { event = 'Evenkeel', eventId, reason = '', error, name = '' } = fields;
  return {
    at: toTimestamp(at),
    who: `${event} ${name}`.trim(),
    what: 'seen',
    text: String(error ?? reason),
    ...(eventId !== undefined && { id: String(eventId) }),
  };
}
