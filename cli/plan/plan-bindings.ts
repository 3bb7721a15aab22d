/** Decides what a rebalance would do to each binding: current replicas, Steady and Fresh assignment, and the number of moves. */
import { type Fault, invalidOption } from '../../shared/core/fault.ts';
import { groupBy } from '../../shared/core/group-by.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { type Scheduling, scheduleBinding } from '../../shared/karmada/assignment/plan-scheduling.ts';
import {
  compareKeys,
  type FreshPlan,
  planFresh,
  sharedCapacities,
} from '../../shared/karmada/assignment/rebalance-plan.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
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

export function planBindings(input: ForecastInput, wanted: BindingFilter): BindingsPlan {
  const { chosen, missing } = chooseBindings(input, wanted);
  const placed = chosen.filter(
    ({ spec, metadata }) => spec.placement != null && metadata.deletionTimestamp === undefined,
  );
  if (input.clusters.size === 0 && placed.length > 0) throw noCluster();
  const clusters = withServed(input, placed);
  const capacities = sharedCapacities();
  const plans = placed.map((binding) => planBinding(binding, clusters, capacities(binding)));
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

function planBinding(
  binding: PlacedBinding,
  clusters: readonly Cluster[],
  capacity: (cluster: Cluster) => number,
): BindingPlan {
  const steady = scheduleBinding({ binding, clusters, available: capacity, mode: 'Steady' });
  return { ...planFresh(binding, clusters, capacity), steady, capacity };
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
