/** Decides what a rebalance would do to each binding: where its replicas are, where Steady and Fresh assignment would have them, and how many would move. */
import type { ClusterReplicas } from '../../shared/model/assignment/assign-replicas.ts';
import { roomOf } from '../../shared/model/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { type Scheduling, scheduleBinding } from '../../shared/model/assignment/schedule-binding.ts';
import { assignedBy } from '../../shared/model/assignment/scheduling-decision.ts';
import type { ObjectKey } from '../../shared/model/object-key.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { wrong } from '../manifests/target.ts';
import { chooseBindings, type MissingBinding, type Wanted } from './choose-bindings.ts';
import type { PlanInput } from './plan-input.ts';
import { notesOf } from './plan-notes.ts';

export type Distribution = ReadonlyMap<string, number>;

export interface BindingPlan {
  readonly key: ObjectKey;
  readonly binding: PlacedBinding;
  readonly current: Distribution;
  readonly steady: Scheduling;
  readonly fresh: Scheduling;
  /** Replicas that Fresh takes from clusters which have them. */
  readonly moves: number;
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
  if (input.clusters.size === 0 && placed.length > 0)
    throw wrong(
      'there is no Cluster to plan with; give the clusters too (kubectl get clusters -o yaml), or --kubeconfig',
    );
  const clusters = withServed(input, placed);
  const rooms = sharedRooms();
  const plans = placed.map((binding) => planBinding(binding, clusters, rooms(binding)));
  return {
    bindings: [...plans, ...missing].sort((a, b) => compareKeys(a.key, b.key)),
    notes: notesOf(input, chosen),
  };
}

export function isMissing(plan: BindingPlan | MissingBinding): plan is MissingBinding {
  return 'workload' in plan;
}

function planBinding(
  binding: PlacedBinding,
  clusters: readonly Cluster[],
  room: (cluster: Cluster) => number,
): BindingPlan {
  const { namespace, name } = binding.metadata;
  const current = distributionOf(binding.spec.clusters);
  const question = { binding, clusters, available: room };
  const steady = scheduleBinding({ ...question, mode: 'Steady' });
  const fresh = scheduleBinding({ ...question, mode: 'Fresh' });
  return { key: { namespace, name }, binding, current, steady, fresh, moves: movesOf(current, fresh), room };
}

/** Where no cluster fits, all that is assigned goes; where there is too little room, all stays. */
function movesOf(current: Distribution, fresh: Scheduling): number {
  const assigned = assignedBy(fresh);
  if (assigned === undefined) return 0;
  const next = distributionOf(assigned);
  return [...current].reduce((sum, [name, replicas]) => sum + Math.max(0, replicas - (next.get(name) ?? 0)), 0);
}

export function distributionOf(clusters: readonly ClusterReplicas[]): Distribution {
  return new Map(clusters.map(({ name, replicas }) => [name, replicas] as const).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Workloads that ask for the same find the same room: it is worked out once a cluster, not once a binding and cluster. */
function sharedRooms(): (binding: PlacedBinding) => (cluster: Cluster) => number {
  const byRequest = new Map<string, (cluster: Cluster) => number>();
  return (binding) => {
    const request = JSON.stringify(binding.spec.replicaRequirements ?? null);
    const known = byRequest.get(request) ?? remembered(roomOf(binding));
    byRequest.set(request, known);
    return known;
  };
}

function remembered(room: (cluster: Cluster) => number): (cluster: Cluster) => number {
  const known = new Map<Cluster, number>();
  return (cluster) => {
    const value = known.get(cluster) ?? room(cluster);
    known.set(cluster, value);
    return value;
  };
}

/** A cluster that was written down without what it serves is taken to serve what is asked of it. */
function withServed({ clusters, unsaid }: PlanInput, bindings: readonly PlacedBinding[]): readonly Cluster[] {
  if (unsaid.size === 0) return [...clusters.values()];
  const kinds = Map.groupBy(bindings, ({ spec }) => spec.resource.apiVersion);
  const apis = [...kinds].map(([groupVersion, asked]) => ({
    groupVersion,
    kinds: [...new Set(asked.map(({ spec }) => spec.resource.kind))],
  }));
  return [...clusters.values()].map((cluster) => (unsaid.has(cluster.name) ? { ...cluster, apis } : cluster));
}

function compareKeys(a: ObjectKey, b: ObjectKey): number {
  return compare(a.namespace, b.namespace) || compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
