/**
 * Plans shifts: some replicas of some workloads move from one cluster to another, and all others stay. One planner, whose objective decides what a move
 * is worth: the relief of a cluster, or the savings by prices.
 */
import { assignOthers } from '../karmada/assignment/assign-others.ts';
import { NO_LIMIT } from '../karmada/assignment/assign-replicas.ts';
import type { AssumeCache } from '../karmada/assignment/assume-cache.ts';
import { capacityOf } from '../karmada/assignment/available-replicas.ts';
import type { Cluster } from '../karmada/assignment/cluster.ts';
import { possibleClusters } from '../karmada/assignment/plan-scheduling.ts';
import type { Amounts } from '../karmada/assignment/quantity.ts';
import { type Distribution, distributionOf } from '../karmada/assignment/rebalance-plan.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { requestOf } from './cluster-loads.ts';

/** So many replicas of a workload from one cluster to another. */
export interface Shift {
  readonly from: string;
  readonly to: string;
  readonly replicas: number;
}

/** The larger first, compared element by element. */
type Worth = readonly number[];

/** A workload whose replicas may move, as far as it is planned. */
export interface ShiftedWorkload {
  readonly binding: PlacedBinding;
  /** The request of one replica. */
  readonly request: Amounts;
  /** The receivers that its placement allows. */
  readonly possible: ReadonlySet<Cluster>;
  readonly shifts: readonly Shift[];
  /** Replicas that its shifts move. */
  readonly moved: number;
}

export interface ShiftOffer {
  readonly to: string;
  readonly replicas: number;
  readonly worth: Worth;
}

/** What a plan is to achieve. */
export interface ShiftObjective {
  /** Clusters that may get replicas, the preferred first. */
  receivers(): readonly Cluster[];
  /**
   * The best shift of up to `most` replicas from the cluster, of those that `capacity` allows; undefined if none helps. Every shift of the plan can only
   * make another one worth less, so that a worth that was computed before is an upper bound.
   */
  best(
    workload: ShiftedWorkload,
    from: { readonly cluster: string; readonly most: number },
    capacity: (receiver: Cluster) => number,
  ): ShiftOffer | undefined;
  /** A shift is part of the plan. */
  took(workload: ShiftedWorkload, shift: Shift): void;
}

interface Planned extends ShiftedWorkload {
  /** Replicas that were on the cluster before the plan, and are still. */
  readonly left: Map<string, number>;
  readonly gained: Set<string>;
  /** What loses replicas gets none. */
  readonly gave: Set<string>;
  /** What its placement does not allow after its shifts so far: receivers, by the cluster that would give. */
  readonly blocked: Map<string, Set<string>>;
  shifts: Shift[];
  moved: number;
}

interface Entry {
  readonly workload: Planned;
  readonly from: string;
  readonly worth: Worth;
}

/** The workloads that move, with their shifts, in the order in which the first of each was chosen. */
export function planShifts(
  bindings: readonly PlacedBinding[],
  objective: ShiftObjective,
  { clusters, assumed }: { readonly clusters: readonly Cluster[]; readonly assumed: AssumeCache },
): readonly ShiftedWorkload[] {
  const receivers = objective.receivers();
  const queue: Entry[] = [];
  for (const [place, binding] of bindings.entries()) {
    const workload = asPlanned(binding, receivers);
    for (const from of workload.left.keys()) offer(workload, from, -place);
  }
  const moving = new Set<Planned>();
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    const { workload, from } = entry;
    const place = entry.worth.at(-1) ?? 0;
    const best = bestOf(workload, from);
    if (best === undefined) continue;
    const next = queue.at(-1);
    const isBest = next === undefined || compareWorth([...best.worth, place], next.worth) >= 0;
    if (isBest) take(workload, { from, to: best.to, replicas: best.replicas }, place);
    offer(workload, from, place);
  }
  return [...moving];

  function bestOf(workload: Planned, from: string): ShiftOffer | undefined {
    const most = workload.left.get(from) ?? 0;
    if (most === 0 || workload.gained.has(from)) return undefined;
    const available = capacityOf(workload.binding, { assumed });
    const isOpen = (receiver: Cluster) =>
      receiver.name !== from &&
      workload.possible.has(receiver) &&
      !workload.gave.has(receiver.name) &&
      !workload.blocked.get(from)?.has(receiver.name);
    return objective.best(workload, { cluster: from, most }, (receiver) =>
      isOpen(receiver) ? available(receiver) : 0,
    );
  }

  function offer(workload: Planned, from: string, place: number): void {
    const best = bestOf(workload, from);
    if (best !== undefined) insert(queue, { workload, from, worth: [...best.worth, place] });
  }

  function take(workload: Planned, shift: Shift, place: number): void {
    const { from, to, replicas } = shift;
    const shifts = [...workload.shifts, shift];
    if (whyNotPlaced(workload.binding, afterShifts(workload.binding, shifts), { clusters }) !== undefined) {
      workload.blocked.set(from, new Set(workload.blocked.get(from)).add(to));
      return;
    }
    objective.took(workload, shift);
    assumed.add(to, replicas, workload.binding.spec.replicaRequirements?.resourceRequest ?? undefined);
    workload.shifts = shifts;
    workload.moved += replicas;
    workload.left.set(from, (workload.left.get(from) ?? 0) - replicas);
    workload.gained.add(to);
    workload.gave.add(from);
    moving.add(workload);
    // On other clusters than before, its placement may allow what it did not: with at most two clusters, a third one once it has left the second.
    const again = [...workload.blocked.keys()].filter((each) => each !== from);
    workload.blocked.clear();
    for (const each of again) offer(workload, each, place);
  }
}

function asPlanned(binding: PlacedBinding, receivers: readonly Cluster[]): Planned {
  const { spec } = binding;
  // A cluster that has replicas fits whatever its taints are, so it is asked as if it had none.
  const elsewhere = { ...binding, spec: { ...spec, clusters: [] } };
  return {
    binding,
    request: requestOf(binding),
    possible: new Set(possibleClusters(elsewhere, receivers)),
    left: new Map(spec.clusters.flatMap(({ name, replicas }) => (replicas > 0 ? [[name, replicas]] : []))),
    gained: new Set(),
    gave: new Set(),
    blocked: new Map(),
    shifts: [],
    moved: 0,
  };
}

/** The assignment of the binding with these shifts. */
export function afterShifts({ spec }: PlacedBinding, shifts: readonly Shift[]): Distribution {
  const next = new Map(spec.clusters.map(({ name, replicas }) => [name, replicas]));
  for (const { from, to, replicas } of shifts) {
    next.set(from, (next.get(from) ?? 0) - replicas);
    next.set(to, (next.get(to) ?? 0) + replicas);
  }
  return distributionOf([...next].flatMap(([name, replicas]) => (replicas > 0 ? [{ name, replicas }] : [])));
}

/** Replicas that each cluster gets, or, negative, loses; without those that keep theirs. */
export function changesBetween({ spec }: PlacedBinding, next: Distribution): readonly (readonly [string, number])[] {
  const current = new Map(spec.clusters.map(({ name, replicas }) => [name, replicas]));
  return [...new Set([...current.keys(), ...next.keys()])].flatMap((name) => {
    const change = (next.get(name) ?? 0) - (current.get(name) ?? 0);
    return change === 0 ? [] : [[name, change] as const];
  });
}

/** Why its placement does not allow the assignment, or the clusters lack capacity for it; undefined if it is possible. */
export function whyNotPlaced(
  binding: PlacedBinding,
  next: Distribution,
  { clusters, available = () => NO_LIMIT }: { clusters: readonly Cluster[]; available?: (cluster: Cluster) => number },
): string | undefined {
  const settled = [...next].map(([name, replicas]) => ({ name, replicas }));
  const scheduling = assignOthers({ binding, clusters, available }, { clusters: settled });
  return scheduling.outcome === 'Success' ? undefined : scheduling.message;
}

function insert(queue: Entry[], entry: Entry): void {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = queue[middle];
    if (other !== undefined && compareWorth(other.worth, entry.worth) <= 0) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, entry);
}

export function compareWorth(a: Worth, b: Worth): number {
  for (const [i, one] of a.entries()) {
    const difference = one - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
