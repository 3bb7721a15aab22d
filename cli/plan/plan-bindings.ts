/** Decides what a rebalance would do to each binding: where its replicas are, where Steady and Fresh assignment would have them, and how many would move. */
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { compareKeys, type FreshPlan, planFresh, sharedRooms } from '../../shared/model/assignment/rebalance-plan.ts';
import { type Scheduling, scheduleBinding } from '../../shared/model/assignment/schedule-binding.ts';
import type { Fault } from '../../shared/model/fault.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { wrong } from '../manifests/target.ts';
import { chooseBindings, type MissingBinding, type Wanted } from './choose-bindings.ts';
import type { PlanInput } from './plan-input.ts';
import { notesOf } from './plan-notes.ts';

export interface BindingPlan extends FreshPlan {
  readonly steady: Scheduling;
  readonly room: (cluster: Cluster) => number;
}

export interface Plan {
  /** By namespace and name. */
  readonly bindings: readonly (BindingPlan | MissingBinding)[];
  readonly notes: readonly string[];
}

export function planBindings(input: PlanInput, wanted: Wanted): Plan {
  const { chosen, missing } = chooseBindings(input, wanted);
  const placed = chosen.filter(
    ({ spec, metadata }) => spec.placement != null && metadata.deletionTimestamp === undefined,
  );
  if (input.clusters.size === 0 && placed.length > 0) throw noCluster();
  const clusters = withServed(input, placed);
  const rooms = sharedRooms();
  const plans = placed.map((binding) => planBinding(binding, clusters, rooms(binding)));
  return {
    bindings: [...plans, ...missing].sort((a, b) => compareKeys(a.key, b.key)),
    notes: notesOf(input, chosen),
  };
}

export function noCluster(): Fault {
  return wrong(
    'there is no Cluster to plan with; give the clusters too (kubectl get clusters -o yaml), or --kubeconfig',
  );
}

export function isMissing(plan: BindingPlan | MissingBinding): plan is MissingBinding {
  return 'workload' in plan;
}

function planBinding(
  binding: PlacedBinding,
  clusters: readonly Cluster[],
  room: (cluster: Cluster) => number,
): BindingPlan {
  const steady = scheduleBinding({ binding, clusters, available: room, mode: 'Steady' });
  return { ...planFresh(binding, clusters, room), steady, room };
}

/** A cluster that was written down without what it serves is taken to serve what is asked of it. */
export function withServed(
  { clusters, unsaid }: Pick<PlanInput, 'clusters' | 'unsaid'>,
  bindings: readonly PlacedBinding[],
): readonly Cluster[] {
  if (unsaid.size === 0) return [...clusters.values()];
  const kinds = Map.groupBy(bindings, ({ spec }) => spec.resource.apiVersion);
  const apis = [...kinds].map(([groupVersion, asked]) => ({
    groupVersion,
    kinds: [...new Set(asked.map(({ spec }) => spec.resource.kind))],
  }));
  return [...clusters.values()].map((cluster) => (unsaid.has(cluster.name) ? { ...cluster, apis } : cluster));
}
