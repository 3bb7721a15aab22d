/** Plans to undo a run of a RebalancePolicy: which workloads get their assignment from before the run, and why others do not. */
import type { RunAnswer } from '../../shared/console-api/operations/decisions.ts';
import { assignOthers } from '../../shared/karmada/assignment/assign-others.ts';
import { createAssumeCache } from '../../shared/karmada/assignment/assume-cache.ts';
import { capacityOf } from '../../shared/karmada/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { movedBetween } from '../../shared/karmada/assignment/rebalance-plan.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-reference.ts';
import {
  isSameAssignment,
  presentAssignment,
  whyNotAssignable,
} from '../../shared/workload-rebalancer/given-assignment.ts';
import type { AssignedReplicas } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

export interface RestoredWorkload {
  readonly workload: ObjectReference;
  readonly binding: PlacedBinding;
  readonly now: AssignedReplicas;
  readonly before: AssignedReplicas;
  /** Replicas that move back. */
  readonly moves: number;
}

export interface UndoPlan {
  readonly restored: readonly RestoredWorkload[];
  /** Workloads that the run moved, or is moving, and that stay. */
  readonly left: readonly { readonly workload: ObjectReference; readonly reason: string }[];
}

export interface UndoInputs {
  /** By keyText. */
  readonly bindings: ReadonlyMap<string, PlacedBinding>;
  readonly clusters: readonly Cluster[];
}

type Decision = RunAnswer['decisions'][number];

/** In the reverse order of the run; each has the capacity that those before it leave. */
export function planUndo(decisions: readonly Decision[], { bindings, clusters }: UndoInputs): UndoPlan {
  const assumed = createAssumeCache();
  const restored: RestoredWorkload[] = [];
  const left: { workload: ObjectReference; reason: string }[] = [];
  for (const decision of decisions.toReversed()) {
    const { workload } = decision;
    if (decision.outcome === 'Moving') {
      left.push({ workload, reason: 'its wave is still in flight; undo the run again when that is over' });
      continue;
    }
    if (decision.outcome !== 'Moved') continue;
    const binding = bindings.get(keyText(bindingKey(workload)));
    const planned = binding === undefined ? 'it has no binding any more' : restore(decision, binding);
    if (typeof planned === 'string') left.push({ workload, reason: planned });
    else restored.push(planned);
  }
  return { restored, left };

  function restore({ workload, current, next }: Decision, binding: PlacedBinding): RestoredWorkload | string {
    const now = presentAssignment(binding);
    const before = withReplicas(current);
    if (isSameAssignment(now, before)) return 'it has its assignment from before the run';
    if (!isSameAssignment(now, next)) return 'it was assigned otherwise since the run';
    const why = whyNotAssignable(binding, before);
    if (why !== undefined) return why;
    const assigned = Object.entries(before).map(([name, replicas]) => ({ name, replicas }));
    const scheduling = assignOthers(
      { binding, clusters, available: capacityOf(binding, { assumed }) },
      { clusters: assigned },
    );
    if (scheduling.outcome !== 'Success') return scheduling.message;
    assumed.addAssigned(binding, assigned);
    return {
      workload,
      binding,
      now,
      before,
      moves: movedBetween(Object.entries(now), new Map(Object.entries(before))),
    };
  }
}

function withReplicas(numbers: AssignedReplicas): AssignedReplicas {
  return Object.fromEntries(Object.entries(numbers).filter(([, replicas]) => replicas > 0));
}
