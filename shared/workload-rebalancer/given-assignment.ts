/** WorkloadRebalancers that give workloads an assignment without a trigger: what `evenkeel undo` creates, and policies by pressure or price. */
import { strategyOf } from '../karmada/assignment/placement.ts';
import { bindingKey } from '../karmada/binding.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { keyText, type ObjectKey } from '../kubernetes/object-key.ts';
import type { ObjectReference } from '../kubernetes/object-reference.ts';
import type { AssignedReplicas, Assignments } from './workload-rebalancer.ts';

/** Annotation of a binding: when it got a given assignment. */
export const ASSIGNED_AT = 'evenkeel.dev/assigned-at';

/** An object's annotations have 256 KiB together. */
export const MOST_ASSIGNED_CHARACTERS = 200_000;

/** What the assignment of a binding adds to the annotation of its rebalancer. */
export function assignedCharacters({ namespace, name }: ObjectKey, assignment: AssignedReplicas): number {
  return namespace.length + name.length + JSON.stringify(assignment).length + '"/":,'.length;
}

export function assignmentFor(assignments: Assignments, workload: ObjectReference): AssignedReplicas | undefined {
  const key = keyText(bindingKey(workload));
  return Object.hasOwn(assignments, key) ? assignments[key] : undefined;
}

/** As a hub has it: a cluster with 0 replicas counts as none. */
export function presentAssignment({ spec }: Pick<PlacedBinding, 'spec'>): AssignedReplicas {
  return Object.fromEntries(spec.clusters.flatMap(({ name, replicas }) => (replicas > 0 ? [[name, replicas]] : [])));
}

export function isSameAssignment(a: AssignedReplicas, b: AssignedReplicas): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => (a[name] ?? 0) === (b[name] ?? 0));
}

/** Why the workload can't have this assignment, whatever the clusters' capacity; undefined if it can. */
export function whyNotAssignable(
  { spec }: Pick<PlacedBinding, 'spec'>,
  assignment: AssignedReplicas,
): string | undefined {
  const { kind } = strategyOf(spec.placement ?? {});
  if (kind === 'Duplicated') return 'it is Duplicated: each cluster of its placement has all of its replicas';
  const total = Object.values(assignment).reduce((sum, replicas) => sum + replicas, 0);
  return total === spec.replicas
    ? undefined
    : `it was scaled since: the assignment is of ${total} replicas, and it has ${spec.replicas}`;
}
