/** Decides what a rebalance would do to each binding: current replicas, Steady and Fresh assignment, and the number of moves. */
import { type Fault, invalidOption } from '../../shared/core/fault.ts';
import { groupBy } from '../../shared/core/group-by.ts';
import { createAssumeCache } from '../../shared/karmada/assignment/assume-cache.ts';
import { capacityOf } from '../../shared/karmada/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { type Scheduling, scheduleBinding } from '../../shared/karmada/assignment/plan-scheduling.ts';
import {
  cached,
  compareKeys,
  type FreshPlan,
  type FreshPlanInput,
  planFresh,
  sharedCapacities,
} from '../../shared/karmada/assignment/rebalance-plan.ts';
import { assignedBy } from '../../shared/karmada/assignment/scheduling-decision.ts';
import { type PlacedBinding, priorityOf } from '../../shared/karmada/placed-binding.ts';
import { compareReferences } from '../../shared/kubernetes/object-reference.ts';
import { type BindingFilter, chooseBindings, type MissingBinding } from './choose-bindings.ts';
import type { ForecastInput } from './plan-input.ts';
import { notesOf } from './plan-notes.ts';

export interface BindingPlan extends FreshPlan {
  readonly steady: Scheduling;
  readonly capacity: (cluster: Cluster) => number;
}

export interface BindingsPlan {
  /** By namespace and name. */
  readonly bindings: readonly (BindingPlan | MissingBinding)[];
  readonly notes: readonly string[];
}

export interface BindingsPlanOptions extends BindingFilter {
  /** Whether each binding is planned as if no other were rescheduled. */
  readonly eachAlone?: boolean;
  /** Whether the hub has the feature `failback`. */
  readonly failback?: boolean;
}

export function planBindings(
  input: ForecastInput,
  { eachAlone = false, failback = false, ...wanted }: BindingsPlanOptions,
): BindingsPlan {
  const { chosen, missing } = chooseBindings(input, wanted);
  const placed = chosen.filter(
    ({ spec, metadata }) => spec.placement != null && metadata.deletionTimestamp === undefined,
  );
  if (input.clusters.size === 0 && placed.length > 0) throw noCluster();
  const clusters = withServed(input, placed);
  const plans = (eachAlone ? planEachAlone : planInOrder)(placed, { clusters, failback });
  return {
    bindings: [...plans, ...missing].sort((a, b) => compareKeys(a.key, b.key)),
    notes: notesOf(input, chosen),
  };
}

export function noCluster(): Fault {
  return invalidOption(
    'there is no Cluster to plan with; give the clusters too (kubectl get clusters -o yaml), or --kubeconfig',
  );
}

export function isMissing(plan: BindingPlan | MissingBinding): plan is MissingBinding {
  return 'workload' in plan;
}

/** Whether a rebalance would move replicas. */
export function movesAny(bindings: BindingsPlan['bindings']): boolean {
  return bindings.some((plan) => !isMissing(plan) && plan.moves > 0);
}

type OnHub = Required<Pick<FreshPlanInput, 'clusters' | 'failback'>>;

function planEachAlone(bindings: readonly PlacedBinding[], { clusters, failback }: OnHub): readonly BindingPlan[] {
  const capacities = sharedCapacities();
  return bindings.map((binding) => {
    const capacity = capacities(binding);
    return {
      ...planFresh(binding, { clusters, capacity, failback }),
      steady: steadyOf(binding, clusters, capacity),
      capacity,
    };
  });
}

/**
 * In the order in which our scheduler decides them: by schedulePriority, then as a rebalancer lists its workloads. Each has the capacity that those
 * before it leave; a replica that leaves a cluster frees none, because its report comes later.
 */
function planInOrder(bindings: readonly PlacedBinding[], { clusters, failback }: OnHub): readonly BindingPlan[] {
  const assumed = createAssumeCache();
  const capacities = sharedCapacities();
  const ordered = [...bindings].sort(
    (a, b) => priorityOf(b) - priorityOf(a) || compareReferences(a.spec.resource, b.spec.resource),
  );
  return ordered.map((binding) => {
    // Of the moment of its plan: later bindings take capacity.
    const capacity = cached(capacityOf(binding, { assumed }));
    const plan = {
      ...planFresh(binding, { clusters, capacity, failback }),
      steady: steadyOf(binding, clusters, capacities(binding)),
      capacity,
    };
    assumed.addAssigned(binding, assignedBy(plan.fresh) ?? []);
    return plan;
  });
}

function steadyOf(
  binding: PlacedBinding,
  clusters: readonly Cluster[],
  capacity: (cluster: Cluster) => number,
): Scheduling {
  return scheduleBinding({ binding, clusters, available: capacity, mode: 'Steady' });
}

/** A handwritten cluster without status.apiEnablements is assumed to serve every kind. */
export function withServed(
  { clusters, withoutEnablements }: Pick<ForecastInput, 'clusters' | 'withoutEnablements'>,
  bindings: readonly PlacedBinding[],
): readonly Cluster[] {
  if (withoutEnablements.size === 0) return [...clusters.values()];
  const kinds = groupBy(bindings, ({ spec }) => spec.resource.apiVersion);
  const apis = [...kinds].map(([groupVersion, asked]) => ({
    groupVersion,
    kinds: [...new Set(asked.map(({ spec }) => spec.resource.kind))],
  }));
  return [...clusters.values()].map((cluster) =>
    withoutEnablements.has(cluster.name) ? { ...cluster, apis } : cluster,
  );
}
