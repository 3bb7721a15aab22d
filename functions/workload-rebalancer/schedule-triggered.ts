/** Decides which workloads of a chunk our scheduler assigns in the write of their triggers. */
import type { Instant } from '../../shared/core/time.ts';
import { isOurs } from '../../shared/karmada/assignment/scheduling-decision.ts';
import { bindingOf, type PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { BindingToAssign } from '../../shared/scheduler/decide-assignments.ts';
import { seenBinding } from '../../shared/workload-rebalancer/observed-bindings.ts';
import type { RebalanceTask, TaskWorkload } from '../../shared/workload-rebalancer/rebalance-task.ts';
import { isOfOurScheduler, type Triggered, triggerStep } from './trigger-bindings.ts';

/** A binding whose trigger and assignment are one write, and its workload after that. */
export interface TriggeredAssignment extends BindingToAssign {
  readonly triggered: Triggered;
}

/** Those whose bindings name our scheduler. */
export function ofOurScheduler(workloads: readonly TaskWorkload[]): readonly TaskWorkload[] {
  return workloads.filter(({ seen }) => isOfOurScheduler(seen));
}

/** Those that our scheduler assigns now; a workload whose binding could not be read is none of them. */
export function triggeredAssignments(
  task: RebalanceTask,
  read: readonly { readonly workload: TaskWorkload; readonly binding: PlacedBinding | undefined }[],
  now: Instant,
): readonly TriggeredAssignment[] {
  return read.flatMap(({ workload, binding }) => {
    const item = binding && triggeredAssignment(task, { workload, binding }, now);
    return item === undefined ? [] : [item];
  });
}

/** Undefined if our scheduler does not assign it now, or the workload has another result: its trigger is written as that of any other. */
function triggeredAssignment(
  task: RebalanceTask,
  { workload, binding }: { readonly workload: TaskWorkload; readonly binding: PlacedBinding },
  now: Instant,
): TriggeredAssignment | undefined {
  if (!isOurs(binding)) return undefined;
  const seen = seenBinding(bindingOf(binding), workload.workload);
  const { write, triggered } = triggerStep(task, workload, { seen, now, isScheduledWithIt: true });
  if (triggered.workload.result !== 'Successful') return undefined;
  return { binding, ...(write && { trigger: write.trigger }), triggered };
}

interface WrittenTrigger {
  readonly item: TriggeredAssignment;
  readonly isWritten: boolean;
  readonly fault?: unknown;
}

/** The workloads whose triggers are written. One whose status could not be written is not scheduled: an event of its binding follows. */
export function triggeredBy(written: readonly WrittenTrigger[]): readonly Triggered[] {
  return written.flatMap(({ item: { triggered }, isWritten, fault }) => {
    if (!isWritten) return [];
    return [fault === undefined ? { ...triggered, isScheduled: true } : triggered];
  });
}
