/** What the functions write to objects of other owners: annotations of bindings, and taints of clusters. What users write stays. */
import { DESCHEDULED_AT } from '../../shared/descheduling/descheduling.ts';
import {
  GRACE_PERIOD,
  QUEUE,
  REDUCTION_STRATEGY,
  RELEASED_FOR,
  STRATEGY_FROM,
  SUPPRESS_DELETION,
} from '../../shared/graceful-reduction/replica-reduction.ts';
import { ACTED_ON_TRIGGER } from '../../shared/karmada/assignment/plan-scheduling.ts';
import { REQUEST_VERSION, REQUESTED_AT, TRIGGERED_AT, TRIGGERED_BY } from '../../shared/karmada/binding.ts';
import { DRAINED } from '../../shared/workload-rebalancer/drain-share.ts';
import { ASSIGNED_AT } from '../../shared/workload-rebalancer/given-assignment.ts';
import { UNSCHEDULABLE_MOVED_BY } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

type Annotations = Readonly<Record<string, string>>;

/** Annotations of a binding that only the functions write. */
export const writtenByFunctions: readonly string[] = [
  ...[TRIGGERED_BY, TRIGGERED_AT, REQUESTED_AT, REQUEST_VERSION],
  ...[ACTED_ON_TRIGGER, DESCHEDULED_AT, ASSIGNED_AT, DRAINED, UNSCHEDULABLE_MOVED_BY, RELEASED_FOR, STRATEGY_FROM],
];

/** Those of a strategy, which a user writes, or the functions copy from a policy or a ClusterDrain: then STRATEGY_FROM is beside them. */
const strategy: readonly string[] = [REDUCTION_STRATEGY, GRACE_PERIOD, SUPPRESS_DELETION];

/** The names of the annotations that the functions wrote to a binding. Without those of holds, which a release removes. */
export function functionAnnotations(annotations: Annotations): readonly string[] {
  const ours = annotations[STRATEGY_FROM] === undefined ? writtenByFunctions : [...writtenByFunctions, ...strategy];
  return ours.filter((name) => annotations[name] !== undefined);
}

/** The clusters whose reductions a binding holds. */
export function heldClusters(annotations: Annotations): readonly string[] {
  return Object.keys(annotations)
    .filter((name) => name.startsWith(QUEUE))
    .map((name) => name.slice(QUEUE.length))
    .sort();
}
