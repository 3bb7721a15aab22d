/** Decides where a binding's replicas go: the whole of what karmada-scheduler (v1.18) does for one binding, for our scheduler, for previews, for the descheduler's forecast and for the practice hub. */
import { isWorkload, type PlacedBinding } from '../placed-binding.ts';
import { type Instant, toTimestamp, wholeSecond } from '../time.ts';
import {
  type AssignmentMode,
  assignReplicas,
  type CandidateCluster,
  type ClusterReplicas,
  NO_LIMIT,
} from './assign-replicas.ts';
import type { Cluster } from './cluster.ts';
import {
  type AffinityTerm,
  type ClusterAffinity,
  clusterConstraint,
  knownStrategy,
  notCovered,
  type Placement,
  strategyOf,
} from './placement.ts';
import { type Selection, selectClusters } from './select-clusters.ts';
import { spreadClusters } from './spread-clusters.ts';

export interface SchedulingRequest {
  readonly binding: PlacedBinding;
  readonly clusters: readonly Cluster[];
  /** How many more replicas of the binding's workload a cluster has room for. */
  readonly available: (cluster: Cluster) => number;
  readonly mode: AssignmentMode;
}

/** Outcomes are the reasons of the condition Scheduled, in upstream's words. */
export type Scheduling = Scheduled | Unscheduled;

export interface Scheduled {
  readonly outcome: 'Success';
  /** By name. */
  readonly clusters: readonly ClusterReplicas[];
  /** The term of clusterAffinities that was used; absent where there are none. */
  readonly affinityName?: string;
  readonly reason: string;
  /** Clusters that were no candidates, with the reason. */
  readonly unfit: ReadonlyMap<string, string>;
}

export interface Unscheduled {
  readonly outcome: 'Unschedulable' | 'NoClusterFit' | 'SchedulerError';
  readonly message: string;
  readonly reason: string;
  readonly unfit: ReadonlyMap<string, string>;
}

/**
 * The terms of clusterAffinities are tried in order: from the one in use, or from the first where a rescheduling was asked
 * for. Where none succeeds, the first one's failure is the answer.
 */
export function scheduleBinding(request: SchedulingRequest): Scheduling {
  const placement = request.binding.spec.placement ?? {};
  const missing = notCovered(placement);
  if (missing !== undefined) {
    const message = `${missing}: not covered by Evenkeel's scheduler; leave such bindings to karmada-scheduler`;
    return { outcome: 'SchedulerError', message, reason: message, unfit: new Map() };
  }
  const terms = placement.clusterAffinities;
  if (terms == null) return scheduleWithin(request, placement.clusterAffinity ?? undefined);
  let first: Unscheduled | undefined;
  for (const term of terms.slice(firstTerm(terms, request))) {
    const scheduling = scheduleWithin(request, term);
    if (scheduling.outcome === 'Success') return { ...scheduling, affinityName: term.affinityName };
    first ??= scheduling;
  }
  const message = 'clusterAffinities has no terms';
  return first ?? { outcome: 'SchedulerError', message, reason: message, unfit: new Map() };
}

/** Karmada starts from the first on a trigger since v1.19; v1.18 stays with the term in use, and so never comes back to the first. */
function firstTerm(terms: readonly AffinityTerm[], { binding, mode }: SchedulingRequest): number {
  if (mode === 'Fresh') return 0;
  const used = affinityInUse(binding);
  return Math.max(
    0,
    terms.findIndex(({ affinityName }) => affinityName === used),
  );
}

/** Which clusters may hold it by this affinity. */
function selectFor(
  { spec }: PlacedBinding,
  clusters: readonly Cluster[],
  affinity: ClusterAffinity | undefined,
): Selection<Cluster> {
  const current = new Set(spec.clusters.map(({ name }) => name));
  const evicted = new Set((spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster));
  return selectClusters({
    clusters,
    affinity,
    tolerations: spec.placement?.clusterTolerations ?? [],
    resource: spec.resource,
    holds: (name) => current.has(name),
    evicting: (name) => evicted.has(name),
  });
}

/** The clusters whose room may decide: those that fit by the affinity, or by any term of several. */
export function possibleClusters(binding: PlacedBinding, clusters: readonly Cluster[]): readonly Cluster[] {
  const { clusterAffinities: terms, clusterAffinity } = binding.spec.placement ?? {};
  const affinities = terms ?? [clusterAffinity ?? undefined];
  const fitting = affinities.flatMap((affinity) => selectFor(binding, clusters, affinity).candidates);
  return [...new Set(fitting)];
}

function scheduleWithin(request: SchedulingRequest, affinity: ClusterAffinity | undefined): Scheduling {
  const { binding, clusters, available, mode } = request;
  const { spec } = binding;
  const placement = spec.placement ?? {};
  const current = new Map(spec.clusters.map(({ name, replicas }) => [name, replicas]));
  const { candidates, unfit, message } = selectFor(binding, clusters, affinity);
  if (candidates.length === 0) return { outcome: 'NoClusterFit', message, reason: message, unfit };
  const counts = isWorkload(binding);
  const rooms = candidates.map(
    (cluster): CandidateCluster => ({ ...cluster, available: spec.replicas > 0 ? available(cluster) : NO_LIMIT }),
  );
  const chosen = choose(placement, rooms, { replicas: spec.replicas, current });
  if ('failure' in chosen) return { outcome: 'SchedulerError', message: chosen.failure, reason: chosen.failure, unfit };
  const assignment = assignReplicas({
    replicas: spec.replicas,
    strategy: strategyOf(placement),
    clusters: chosen.chosen,
    current,
    mode,
    uid: spec.resource.uid,
    workload: counts,
  });
  if (assignment.outcome === 'Assigned')
    return { outcome: 'Success', clusters: assignment.clusters, reason: assignment.reason, unfit };
  return { outcome: assignment.outcome, message: assignment.message, reason: assignment.reason, unfit };
}

function choose(
  placement: Placement,
  candidates: readonly CandidateCluster[],
  { replicas, current }: { readonly replicas: number; readonly current: ReadonlyMap<string, number> },
) {
  const constraint = clusterConstraint(placement);
  if (constraint === undefined) return { chosen: candidates };
  const roomCounts = strategyOf(placement).kind !== 'Duplicated';
  return spreadClusters({ candidates, constraint, replicas: roomCounts ? replicas : undefined, current });
}

/** Fresh where a rescheduling was asked for after the last scheduling: strictly later, in whole seconds; false where either is absent: the first scheduling divides anew anyway. */
export function modeOf(binding: PlacedBinding): AssignmentMode {
  return isTriggered(binding) && !hasActedOnTrigger(binding) ? 'Fresh' : 'Steady';
}

/** Whether the status shows a trigger that was not acted on. */
export function isTriggered({ spec, status }: PlacedBinding): boolean {
  const { rescheduleTriggeredAt: triggered } = spec;
  const { lastScheduledTime: last } = status;
  return triggered != null && last != null && wholeSecond(triggered) > wholeSecond(last);
}

/**
 * The trigger on which our scheduler acted last: written with spec.clusters, for the status comes in a second write. A process that
 * ends between the two would act again: 12 replicas that went from 0/6/6 to 4/4/4 would then go on to 5/4/3, by room that the clusters
 * have not reported as taken yet. karmada-scheduler does that now and then.
 */
export const ACTED_ON_TRIGGER = 'evenkeel.dev/acted-on-trigger';

export function hasActedOnTrigger({ metadata, spec }: PlacedBinding): boolean {
  const { rescheduleTriggeredAt: triggered } = spec;
  const [acted] = metadata.annotations[ACTED_ON_TRIGGER]?.split(' ') ?? [];
  return triggered != null && acted === toTimestamp(triggered);
}

/** What ACTED_ON_TRIGGER says: the trigger's time, and the term of clusterAffinities that was used, where there are any. */
export function actedOn(triggered: Instant, affinityName: string | undefined): string {
  return [toTimestamp(triggered), ...(affinityName === undefined ? [] : [affinityName])].join(' ');
}

/** The term of clusterAffinities in use: by the status, unless that is behind what we did on the trigger. */
export function affinityInUse(binding: PlacedBinding): string | undefined {
  const { metadata, status } = binding;
  const noted = status.schedulerObservingAffinityName ?? undefined;
  if (!isTriggered(binding) || !hasActedOnTrigger(binding)) return noted;
  const [, ...name] = metadata.annotations[ACTED_ON_TRIGGER]?.split(' ') ?? [];
  return name.length === 0 ? noted : name.join(' ');
}

/** Whether it follows the set of clusters that fit: a cluster that joins gets its copy. */
export function goesEverywhere(binding: PlacedBinding): boolean {
  return !isWorkload(binding) || knownStrategy(binding.spec.placement ?? {})?.kind === 'Duplicated';
}

/** Whether the room of clusters decides where it goes. */
export function countsRoom(binding: PlacedBinding): boolean {
  if (binding.spec.replicas === 0 || goesEverywhere(binding)) return false;
  const placement = binding.spec.placement ?? {};
  return knownStrategy(placement)?.kind !== 'StaticWeight' || clusterConstraint(placement) !== undefined;
}
