/** Decides the replicas of each cluster for one ElasticWorkload: the desired numbers, the numbers to write in this step, and the next reconciler state. */
import { digest } from '../core/digest.ts';
import { ownValue } from '../core/own-value.ts';
import { sum } from '../core/sum.ts';
import { type Instant, SECOND } from '../core/time.ts';
import { type Desired, desiredReplicas, type WeightedCluster } from './desired-replicas.ts';
import { putBacks } from './drift-correction.ts';
import type { ElasticSpec } from './elastic-workload-schema.ts';
import { limitsOf } from './limits.ts';
import {
  afterWrite,
  type ObservationLimits,
  observe,
  observeAgainAt,
  type PlacementObservation,
  type View,
} from './observe-placement.ts';
import { planTransfer, type Step, type TransferCluster } from './plan-transfer.ts';
import type { ScoresInUse } from './scores-in-use.ts';

export interface ReconcilerState {
  /** Digest of the strategies in effect when the state was recorded. */
  readonly strategy: string;
  readonly observations: Readonly<Record<string, PlacementObservation>>;
  /** If the weights are scores. */
  readonly scores?: ScoresInUse;
  /** When the next reconcile was requested. */
  readonly dueAt?: Instant;
}

export interface BalanceInput {
  readonly uid: string;
  readonly spec: ElasticSpec;
  /** Every cluster that the PlacementDecision names or that has a ManifestWork of ours. */
  readonly views: readonly View[];
  /** By cluster, for selected clusters. */
  readonly weights: ReadonlyMap<string, number>;
  /** Undefined if no state is stored, or it was lost. */
  readonly memory: ReconcilerState | undefined;
  readonly now: Instant;
}

export interface Balance extends Desired, Step {
  readonly memory: Omit<ReconcilerState, 'dueAt' | 'scores'>;
  /** Clusters whose replicas differ from the written number and must be reset: the manifest is rewritten. */
  readonly putBack: ReadonlySet<string>;
  /** When a timeout requires the next reconcile; infinite if none does. */
  readonly reconcileAt: Instant;
  /** Observed state of each cluster. */
  readonly observations: ReadonlyMap<string, PlacementObservation>;
}

export function balanceReplicas(input: BalanceInput): Balance {
  const { uid, spec, views, now } = input;
  const { distributionStrategy, balanceStrategy } = spec;
  const limits = limitsOf(balanceStrategy);
  const borrows = limits.tiers.length > 0;
  const observationLimits = {
    now,
    hesitationMs: borrows ? balanceStrategy.hesitationSeconds * 1000 : Number.POSITIVE_INFINITY,
  };
  const strategy = strategyOf(spec);
  const seen = observeAll(input, observationLimits, strategy);
  const ask = (observations: ReadonlyMap<string, PlacementObservation>) =>
    desiredReplicas({
      uid,
      total: distributionStrategy.totalReplicas,
      limits,
      candidates: candidatesOf(input, observations),
    });
  const first = ask(seen);
  const observations = withoutNeedlessPins(seen, first);
  const desired = observations === seen ? first : ask(observations);
  const places = views.map((view) => placeOf(view, desired, seenOf(view, observations, input.memory)));
  const step = planTransfer(balanceStrategy.transfer, places, uid);
  const after = views.flatMap((view): [string, PlacementObservation][] => {
    const observation = observations.get(view.cluster);
    const next = step.next.get(view.cluster) ?? 0;
    return observation === undefined ? [] : [[view.cluster, afterWrite(observation, { next, ...reportOf(view) }, now)]];
  });
  const { putBack, later } = putBacks(views, step.next, { borrows, now });
  // Numbers just written appear in the list within a second, or were never written.
  const isUnseen = step.waiting > 0 && views.some((view) => unseen(view, input.memory) !== undefined);
  const times = after.map(([, observation]) => observeAgainAt(observation, observationLimits));
  const reconcileAt = Math.min(...times, later, isUnseen ? now + SECOND : Number.POSITIVE_INFINITY);
  return {
    ...desired,
    ...step,
    observations,
    memory: { strategy, observations: Object.fromEntries(after) },
    putBack,
    reconcileAt,
  };
}

function reportOf({ ready, replicasOnCluster }: View): { readonly ready: number; readonly replicasOnCluster?: number } {
  return { ready, ...(replicasOnCluster !== undefined && { replicasOnCluster }) };
}

/** An edit of the strategies replaces the manual overrides of all clusters. */
function strategyOf({ distributionStrategy, balanceStrategy }: ElasticSpec): string {
  return digest(JSON.stringify([distributionStrategy, balanceStrategy]));
}

function observeAll(
  input: BalanceInput,
  observationLimits: ObservationLimits,
  strategy: string,
): ReadonlyMap<string, PlacementObservation> {
  const { views, memory } = input;
  const lost = memory === undefined ? foundAgain(input, observationLimits) : new Map<string, PlacementObservation>();
  const isSame = memory?.strategy === strategy;
  return new Map(
    views.map((view) => {
      const kept = ownValue(memory?.observations, view.cluster) ?? lost.get(view.cluster);
      return [
        view.cluster,
        observe(kept && (isSame || memory === undefined ? kept : withoutPin(kept)), view, observationLimits),
      ];
    }),
  );
}

/** Without reconciler state, manual overrides are restored from the annotations of the ManifestWorks. */
function foundAgain(
  input: BalanceInput,
  observationLimits: ObservationLimits,
): ReadonlyMap<string, PlacementObservation> {
  const pins = input.views.flatMap(({ cluster, written = 0, scaledThere }): [string, PlacementObservation][] =>
    scaledThere === undefined ? [] : [[cluster, { written, pin: scaledThere }]],
  );
  return new Map([...borrowedBefore(input, observationLimits), ...pins]);
}

/**
 * Without reconciler state, borrowed replicas are inferred from the written numbers: they add up to this total, and a cluster has
 * less than its share. The guess lasts for one hesitation period, then is retried, so that a lost table moves nothing at once.
 */
function borrowedBefore(
  input: BalanceInput,
  { now, hesitationMs }: ObservationLimits,
): ReadonlyMap<string, PlacementObservation> {
  const { spec, uid, views } = input;
  const total = spec.distributionStrategy.totalReplicas;
  const written = sum(views.map((view) => view.written ?? 0));
  if (written !== total || !Number.isFinite(hesitationMs)) return new Map();
  const candidates = candidatesOf(input, new Map());
  const known = new Set(views.flatMap(({ cluster, written: number }) => (number === undefined ? [] : [cluster])));
  const { share } = desiredReplicas({ uid, total, limits: limitsOf(spec.balanceStrategy), candidates });
  return new Map(
    candidates.flatMap(({ cluster, holds }): [string, PlacementObservation][] => {
      // A cluster that has just joined has no number yet.
      const isLess = known.has(cluster) && holds < (share.get(cluster) ?? 0);
      return isLess
        ? [[cluster, { written: holds, cap: { replicas: holds, until: now + hesitationMs, guessed: true } }]]
        : [];
    }),
  );
}

function candidatesOf(
  { views, weights }: BalanceInput,
  observations: ReadonlyMap<string, PlacementObservation>,
): readonly WeightedCluster[] {
  return views
    .filter(({ selected }) => selected)
    .map(({ cluster, written = 0 }) => {
      const { pin, cap } = observations.get(cluster) ?? {};
      return {
        cluster,
        weight: weights.get(cluster) ?? 1,
        holds: written,
        ...(pin !== undefined && { pin }),
        ...(cap !== undefined && { cap: cap.replicas }),
      };
    });
}

/** A manual override equal to the computed number is dropped; borrowed replicas above it then move as from a short cluster. */
function withoutNeedlessPins(
  observations: ReadonlyMap<string, PlacementObservation>,
  { needless }: Desired,
): ReadonlyMap<string, PlacementObservation> {
  if (needless.size === 0) return observations;
  return new Map(
    [...observations].map(([cluster, observation]) => [
      cluster,
      needless.has(cluster) ? withoutPin(observation) : observation,
    ]),
  );
}

function withoutPin({ pin, ...observation }: PlacementObservation): PlacementObservation {
  return pin === undefined ? observation : { ...observation, past: pin };
}

/** The number that a concurrent reconcile wrote, if this reconcile's list is older than that write. */
function unseen({ cluster, written }: View, memory: ReconcilerState | undefined): number | undefined {
  const given = ownValue(memory?.observations, cluster)?.written;
  return given === written ? undefined : given;
}

interface WrittenObservation {
  readonly observation: PlacementObservation | undefined;
  /** Of a concurrent reconcile, if its write is not listed yet. */
  readonly given: number | undefined;
}

function seenOf(
  view: View,
  observations: ReadonlyMap<string, PlacementObservation>,
  memory: ReconcilerState | undefined,
): WrittenObservation {
  return { observation: observations.get(view.cluster), given: unseen(view, memory) };
}

/**
 * The replicas that are ready and stay so: a report that is older than the last write may be of more than an earlier write left, and the
 * write of a concurrent reconcile may come after the list.
 */
function stayReady(view: View, { observation, given }: WrittenObservation): number {
  const { ready, written = 0, upToDate, replicasOnCluster } = view;
  if (given !== undefined) return Math.min(ready, written, given);
  const isOfLastWrite = upToDate && (observation?.reached === true || replicasOnCluster === undefined);
  return isOfLastWrite ? ready : Math.min(ready, written, ...(observation?.pending ?? []));
}

function placeOf(view: View, { replicas }: Desired, seen: WrittenObservation): TransferCluster {
  const { observation, given = 0 } = seen;
  const { cluster, selected, reachable, deleting, written = 0, replicasOnCluster } = view;
  const ready = stayReady(view, seen);
  const cap = observation?.cap?.guessed ? undefined : observation?.cap?.replicas;
  return {
    cluster,
    written,
    ready,
    wanted: replicas.get(cluster) ?? 0,
    // Replicas that were scaled down on the cluster are not kept.
    keepable: !deleting && (selected || reachable) ? Math.min(written, replicasOnCluster ?? written) : 0,
    occupied: reachable ? Math.max(replicasOnCluster ?? written, view.ready, given) : 0,
    ...(cap !== undefined && { cap }),
  };
}
