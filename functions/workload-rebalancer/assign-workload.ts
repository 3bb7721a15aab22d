/** Decides for a rebalancer that gives assignments what becomes of a workload: it gets its assignment, or stays as it is. */

import { toTimestamp } from '../../shared/core/time.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import {
  ASSIGNED_AT,
  isSameAssignment,
  presentAssignment,
  whyNotAssignable,
} from '../../shared/workload-rebalancer/given-assignment.ts';
import { ASSIGN_ANNOTATION } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { failed, type MoveInput, type MoveStep, succeeded, whyOpen, withoutBinding } from './moves.ts';

export function assignStep(input: MoveInput, clusters: readonly Cluster[]): MoveStep {
  const { workload, binding } = input;
  const { assignment } = workload;
  const failure = withoutBinding(input);
  if (failure !== undefined) return failure;
  if (binding === undefined || assignment === undefined)
    return failed(workload, 'AssignmentNotPossible', `the annotation ${ASSIGN_ANNOTATION} has no assignment of it`);
  const no = whyNotAssignable(binding, assignment);
  if (no !== undefined) return failed(workload, 'AssignmentNotPossible', no);
  if (isSameAssignment(presentAssignment(binding), assignment))
    return succeeded(workload, 'it has that assignment', binding);
  const open = whyOpen(binding, clusters);
  if (open !== undefined) return failed(workload, 'SchedulingInProgress', open);
  const assigned = Object.entries(assignment).map(([name, replicas]) => ({ name, replicas }));
  const annotations = { [ASSIGNED_AT]: toTimestamp(workload.wantedSince) };
  const what = 'its replicas';
  return { step: 'Move', move: { binding, keep: { clusters: assigned, annotations }, workload, what } };
}
