/** The trigger `externalEvents` of a RebalancePolicy, and its rules. */
import * as z from 'zod/mini';
import { externalEventTypes } from '../external-events/external-event.ts';
import { describe, type KindRule, text } from '../kubernetes/crd-fields.ts';
import { duration, durationWithin, texts } from './policy-fields.ts';

const externalEvent = z.object({
  types: describe(
    'Types of events. At least one of types and match.',
    z.optional(z.array(z.enum(externalEventTypes)).check(z.minLength(1), z.maxLength(16))),
  ),
  match: describe(
    "CEL that is true for an event. Variable: event, with its fields as on EventBridge: event.source, event['detail-type'], event.account, event.region, event.time, event.resources, event.detail.",
    z.optional(text(1, 512)),
  ),
  clusters: texts('The member clusters that it may concern. Without a place of its own an event concerns these.'),
  action: describe(
    'Drain: moves replicas off the part of the cluster that the event concerns, and keeps new ones away. Cordon: keeps new ones away. Rebalance: starts a run of this policy.',
    z._default(z.enum(['Drain', 'Cordon', 'Rebalance']), 'Drain'),
  ),
  limit: duration('The longest time that it acts for, for an event whose end is not known: 1m to 24h.', '1h'),
});

export const externalEvents = describe(
  'Events from outside the hub: of AWS, of Alertmanager, of a pipeline.',
  z.optional(z.array(externalEvent).check(z.minLength(1), z.maxLength(16))),
);

export function eventRules(spec: string): readonly KindRule[] {
  const external = `${spec}.triggers.externalEvents`;
  return [
    {
      field: 'spec.triggers.externalEvents',
      expression: `!has(${external}) || ${external}.all(e, has(e.types) || has(e.match))`,
      message: `'spec.triggers.externalEvents: an entry has neither types nor match, so it chooses no event; write types, for example [ZonalShift], or match'`,
    },
    {
      field: 'spec.triggers.externalEvents',
      expression: `!has(${external}) || ${external}.all(e, !has(e.limit) || (${durationWithin('e.limit', '1m', '24h')}))`,
      message: `'spec.triggers.externalEvents: a limit is out of range; write each from 1m to 24h, for example 30m'`,
    },
  ];
}
