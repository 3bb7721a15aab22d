/** Decides for a rebalancer that restores assignments what becomes of a workload: it gets its earlier assignment back, or stays as it is. */

import { toTimestamp } from '../../shared/core/time.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import {
  isSameAssignment,
  presentAssignment,
  RESTORED_AT,
  whyNotRestorable,
} from '../../shared/workload-rebalancer/restore.ts';
import { RESTORE_ANNOTATION } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { failed, type MoveInput, type MoveStep, succeeded, whyOpen, withoutBinding } from './moves.ts';

export function restoreStep(input: MoveInput, clusters: readonly Cluster[]): MoveStep {
  const { workload, binding } = input;
  const { restore } = workload;
  const failure = withoutBinding(input);
  if (failure !== undefined) return failure;
  if (binding === undefined || restore === undefined)
    return failed(workload, 'RestoreNotPossible', `the annotation ${RESTORE_ANNOTATION} has no assignment of it`);
  const no = whyNotRestorable(binding, restore);
  if (no !== undefined) return failed(workload, 'RestoreNotPossible', no);
  if (isSameAssignment(presentAssignment(binding), restore))
    return succeeded(workload, 'it has that assignment', binding);
  const open = whyOpen(binding, clusters);
  if (open !== undefined) return failed(workload, 'SchedulingInProgress', open);
  const assigned = Object.entries(restore).map(([name, replicas]) => ({ name, replicas }));
  const annotations = { [RESTORED_AT]: toTimestamp(workload.wantedSince) };
  const what = 'its replicas';
  return { step: 'Move', move: { binding, keep: { clusters: assigned, annotations }, workload, what } };
}
