/** MoveBudget (evenkeel.dev/v1alpha1): the fields that users write, in one schema. */
import * as z from 'zod/mini';
import { describe, type KindRule, text } from '../kubernetes/crd-fields.ts';
import { durationText, durationWithin } from '../rebalance-policy/policy-fields.ts';
import { calendar } from '../rebalance-policy/policy-schema.ts';

/** What moves replicas, as in `reasons` of a limit. */
export const moveReasons = ['Rebalance', 'Policy', 'Drain', 'Descheduling'] as const;

/** A number of replicas, or a percentage. */
export const AMOUNT = /^([0-9]{1,7}|[0-9]{1,2}%|100%)$/;

const limit = z.object({
  per: describe(
    'What is limited: the replicas that move on the whole hub, that leave one cluster, or that move of one workload.',
    z.enum(['Hub', 'Cluster', 'Workload']),
  ),
  replicas: describe(
    'How many replicas, or which percentage, may move at once, or with window within that time: "20", "10%", "0". A percentage is rounded up; it is that of the pods that the clusters report (Hub, Cluster), or of the replicas of the workload.',
    text(1, 7).check(z.regex(AMOUNT)),
  ),
  window: describe(
    'Limits the moves that begin within this time: 1m to 168h. Absent: those that are in flight.',
    z.optional(durationText()),
  ),
  reasons: describe(
    'Limits only moves of these: WorkloadRebalancers of users, RebalancePolicies, ClusterDrains, the descheduler. Absent: all.',
    z.optional(z.array(z.enum(moveReasons)).check(z.maxLength(moveReasons.length))),
  ),
  schedule: describe('When the limit begins to apply. Absent: it always applies.', z.optional(z.object(calendar))),
  duration: describe('With schedule: how long it applies: 1m to 168h.', z.optional(durationText())),
});

const budgetSpec = z.object({
  limits: describe('Each applies, with those of all other MoveBudgets.', z.array(limit).check(z.maxLength(16))),
});

export const budgetObject = z.object({ spec: budgetSpec });

/** Rules over several fields, as CEL over the spec. */
export function budgetRules(spec: string): readonly KindRule[] {
  const each = (expression: string) => `${spec}.limits.all(l, ${expression})`;
  return [
    {
      field: 'spec.limits',
      expression: each('has(l.schedule) == has(l.duration)'),
      message: `'spec.limits: schedule and duration go together; write both, or none for a limit that always applies'`,
    },
    ...['window', 'duration'].map((field) => ({
      field: 'spec.limits',
      expression: each(`!has(l.${field}) || (${durationWithin(`l.${field}`, '1m', '168h')})`),
      message: `'spec.limits: a ${field} is out of range; write each from 1m to 168h, for example 1h30m'`,
    })),
  ];
}
