/** Decides where a binding's replicas go: everything that karmada-scheduler (v1.18) does for one binding, for our scheduler, previews, the descheduler's forecast and the practice hub. */

import { type Instant, toTimestamp, wholeSecond } from '../../core/time.ts';
import { isWorkload, type PlacedBinding } from '../placed-binding.ts';
import { needsCapacity } from '../trigger-state.ts';
import { type AssignmentMode, assignReplicas, type ClusterReplicas, NO_LIMIT } from './assign-replicas.ts';
import { assignTiers } from './assign-tiers.ts';
import type { Cluster } from './cluster.ts';
import { matchesAffinity } from './match-cluster.ts';
import {
  type AffinityTerm,
  type ClusterAffinity,
  effectiveSpread,
  knownStrategy,
  messageOf,
  strategyOf,
  unsupportedField,
} from './placement.ts';
import { rankClusters } from './rank-clusters.ts';
import { type Selection, selectClusters } from './select-clusters.ts';
import { spreadClusters } from './spread-clusters.ts';

export interface SchedulingRequest {
  readonly binding: PlacedBinding;
  readonly clusters: readonly Cluster[];
  /** Additional replicas of the binding's workload that a cluster has capacity for. */
  readonly available: (cluster: Cluster) => number;
  readonly mode: AssignmentMode;
  /** Whether a trigger has clusterAffinities start from the first term, whichever scheduler the binding has. Default: false. */
  readonly failback?: boolean;
}

/** Outcomes are upstream's reasons of the condition Scheduled, and `CannotForecast`, which upstream does not have. */
export type Scheduling = Scheduled | Unscheduled | CannotForecast;

export interface Scheduled {
  readonly outcome: 'Success';
  /** By name. */
  readonly clusters: readonly ClusterReplicas[];
  /** The term of clusterAffinities that was used; absent where there are none. */
  readonly affinityName?: string;
  readonly reason: string;
  /** Clusters that are no candidates, with the reason. */
  readonly unfit: ReadonlyMap<string, string>;
}

export interface Unscheduled {
  readonly outcome: 'Unschedulable' | 'NoClusterFit' | 'SchedulerError';
  readonly message: string;
  readonly reason: string;
  readonly unfit: ReadonlyMap<string, string>;
}

/** The binding uses a field that this code does not implement: karmada-scheduler may place it, and its demand on free capacity is unknown. */
export interface CannotForecast {
  readonly outcome: 'CannotForecast';
  /** Its path in the binding. */
  readonly field: string;
  readonly message: string;
  readonly reason: string;
  readonly unfit: ReadonlyMap<string, string>;
}

/**
 * The terms of clusterAffinities are tried in order: from the one in use, or from the first if our scheduler acts on a
 * trigger. If none succeeds, the result is the failure of the first.
 */
export function scheduleBinding(request: SchedulingRequest): Scheduling {
  const placement = request.binding.spec.placement ?? {};
  const unsupported = unsupportedField(placement);
  if (unsupported !== undefined) {
    const message = `${messageOf(unsupported)}; only karmada-scheduler places such a binding`;
    return { outcome: 'CannotForecast', field: unsupported.field, message, reason: message, unfit: new Map() };
  }
  const terms = placement.clusterAffinities;
  if (terms == null) return scheduleWithin(request, placement.clusterAffinity ?? {});
  let first: Exclude<Scheduling, Scheduled> | undefined;
  for (const term of terms.slice(firstTerm(terms, request))) {
    const scheduling = scheduleWithin(request, term);
    if (scheduling.outcome === 'Success') return { ...scheduling, affinityName: term.affinityName };
    first ??= scheduling;
  }
  const message = 'clusterAffinities has no terms';
  return first ?? { outcome: 'SchedulerError', message, reason: message, unfit: new Map() };
}

/** spec.schedulerName of the bindings that our scheduler function assigns. */
export const EVENKEEL_SCHEDULER = 'evenkeel';

/**
 * On a trigger our scheduler starts from the first term, as Karmada does since v1.19. Every other binding belongs to karmada-scheduler,
 * whose v1.18 starts from the term in use and never returns to the first, unless the hub has the feature `failback`.
 */
function firstTerm(terms: readonly AffinityTerm[], { binding, mode, failback = false }: SchedulingRequest): number {
  if (mode === 'Fresh' && (failback || binding.spec.schedulerName === EVENKEEL_SCHEDULER)) return 0;
  const used = affinityInUse(binding);
  return Math.max(
    0,
    terms.findIndex(({ affinityName }) => affinityName === used),
  );
}

/** An affinity, possibly with those that take what it has no capacity for: a term of clusterAffinities, or clusterAffinity. */
type Affinity = ClusterAffinity & Pick<AffinityTerm, 'overflowAffinities'>;

/** What has no replicas needs no capacity, and does not overflow. */
function affinitiesOf({ spec }: PlacedBinding, affinity: Affinity): readonly ClusterAffinity[] {
  return [affinity, ...((needsCapacity(spec) && affinity.overflowAffinities) || [])];
}

/** Clusters that may run the workload by this affinity. */
function selectFor(binding: PlacedBinding, clusters: readonly Cluster[], affinity: Affinity): Selection<Cluster> {
  const { spec } = binding;
  const current = new Set(spec.clusters.map(({ name }) => name));
  const evicted = new Set((spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster));
  return selectClusters({
    clusters,
    affinities: affinitiesOf(binding, affinity),
    spreadConstraints: spec.placement?.spreadConstraints ?? [],
    tolerations: spec.placement?.clusterTolerations ?? [],
    resource: spec.resource,
    holds: (name) => current.has(name),
    evicting: (name) => evicted.has(name),
  });
}

/** The clusters whose capacity can matter: those that fit by the affinity, or by any term of several. */
export function possibleClusters(binding: PlacedBinding, clusters: readonly Cluster[]): readonly Cluster[] {
  const { clusterAffinities: terms, clusterAffinity } = binding.spec.placement ?? {};
  const affinities: readonly Affinity[] = terms ?? [clusterAffinity ?? {}];
  const fitting = affinities.flatMap((affinity) => selectFor(binding, clusters, affinity).candidates);
  return [...new Set(fitting)];
}

function scheduleWithin(request: SchedulingRequest, affinity: Affinity): Scheduling {
  const { binding, clusters, available, mode } = request;
  const { spec } = binding;
  const placement = spec.placement ?? {};
  const current = new Map(spec.clusters.map(({ name, replicas }) => [name, replicas]));
  const { candidates, unfit, message } = selectFor(binding, clusters, affinity);
  if (candidates.length === 0) return { outcome: 'NoClusterFit', message, reason: message, unfit };
  const strategy = strategyOf(placement);
  const counts = spec.replicas > 0 || (spec.components ?? []).length > 0;
  const affinities = affinitiesOf(binding, affinity);
  const ranked = rankClusters({
    candidates,
    current,
    available: (cluster) => (counts ? available(cluster) : NO_LIMIT),
    tierOf: (cluster) => (affinities.length === 1 ? 0 : affinities.findIndex((each) => matchesAffinity(each, cluster))),
  });
  const spread = spreadClusters({
    candidates: ranked,
    constraints: effectiveSpread(placement),
    replicas: spec.replicas,
    divided: strategy.kind !== 'Duplicated',
  });
  if ('failure' in spread) return { outcome: 'SchedulerError', message: spread.failure, reason: spread.failure, unfit };
  const workload = isWorkload(binding);
  const assign = workload && affinity.overflowAffinities != null ? assignTiers : assignReplicas;
  const assignment = assign({
    replicas: spec.replicas,
    strategy,
    clusters: spread.chosen,
    current,
    mode,
    uid: spec.resource.uid,
    workload,
  });
  if (assignment.outcome === 'Assigned')
    return { outcome: 'Success', clusters: assignment.clusters, reason: assignment.reason, unfit };
  return { outcome: assignment.outcome, message: assignment.message, reason: assignment.reason, unfit };
}

/** Fresh if a rescheduling was triggered after the last scheduling: strictly later, in whole seconds. Steady if either time is absent: the first scheduling divides all replicas anyway. */
export function modeOf(binding: PlacedBinding): AssignmentMode {
  return isTriggered(binding) && !hasActedOnTrigger(binding) ? 'Fresh' : 'Steady';
}

/** Whether the status shows a pending trigger. */
export function isTriggered({ spec, status }: PlacedBinding): boolean {
  const { rescheduleTriggeredAt: triggered } = spec;
  const { lastScheduledTime: last } = status;
  return triggered != null && last != null && wholeSecond(triggered) > wholeSecond(last);
}

/**
 * The last trigger that our scheduler acted on. It is written with spec.clusters, because the status is a second write. A process that
 * ends between the two would act again: 12 replicas that went from 0/6/6 to 4/4/4 would then go to 5/4/3, by capacity that the clusters
 * have not reported as taken yet. karmada-scheduler has this race.
 */
export const ACTED_ON_TRIGGER = 'evenkeel.dev/acted-on-trigger';

export function hasActedOnTrigger({ metadata, spec }: PlacedBinding): boolean {
  const { rescheduleTriggeredAt: triggered } = spec;
  const [acted] = metadata.annotations[ACTED_ON_TRIGGER]?.split(' ') ?? [];
  return triggered != null && acted === toTimestamp(triggered);
}

/** Value of ACTED_ON_TRIGGER: the trigger's time, and the term of clusterAffinities in use, if any. */
export function actedOn(triggered: Instant, affinityName: string | undefined): string {
  return [toTimestamp(triggered), ...(affinityName === undefined ? [] : [affinityName])].join(' ');
}

/** The term of clusterAffinities in use: from the status, unless our last trigger is newer. */
export function affinityInUse(binding: PlacedBinding): string | undefined {
  const { metadata, status } = binding;
  const noted = status.schedulerObservingAffinityName ?? undefined;
  if (!isTriggered(binding) || !hasActedOnTrigger(binding)) return noted;
  const [, ...name] = metadata.annotations[ACTED_ON_TRIGGER]?.split(' ') ?? [];
  return name.length === 0 ? noted : name.join(' ');
}

/** Whether the binding follows the set of clusters that fit: a cluster that joins gets a copy. */
export function goesEverywhere(binding: PlacedBinding): boolean {
  return !isWorkload(binding) || knownStrategy(binding.spec.placement ?? {})?.kind === 'Duplicated';
}

/** Whether the capacity of clusters affects its assignment. */
export function countsCapacity(binding: PlacedBinding): boolean {
  if (binding.spec.replicas === 0) return false;
  const placement = binding.spec.placement ?? {};
  const limited = effectiveSpread(placement).length > 0;
  const overflows = (placement.clusterAffinities ?? []).some(({ overflowAffinities }) => overflowAffinities != null);
  return limited || overflows || !(goesEverywhere(binding) || knownStrategy(placement)?.kind === 'StaticWeight');
}
