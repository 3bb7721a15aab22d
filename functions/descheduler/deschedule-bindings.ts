/** Decides from the answers about a chunk's candidates what is recorded and written. */

import type { ItemResult } from '../../shared/core/each-at-once.ts';
import type { Settings } from '../../shared/core/settings.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import type {
  DecisionOutcome,
  DeschedulingDecision,
  DeschedulingRun,
  RunKey,
} from '../../shared/descheduling/descheduling.ts';
import { type AssumedReplicas, createAssumeCache } from '../../shared/karmada/assignment/assume-cache.ts';
import { capacityOf } from '../../shared/karmada/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { distributionOf, leavesBetween } from '../../shared/karmada/assignment/rebalance-plan.ts';
import { type Switch, switchOf } from '../../shared/karmada/rescheduling-policy.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { type Budget, unlimited } from '../../shared/move-budget/budget.ts';
import { moveRequest } from '../../shared/move-budget/move-request.ts';
import { decideEviction, type Eviction } from './decide-eviction.ts';
import type { EvictionCandidate, Queried } from './query-candidates.ts';

/** The outcome to record; undefined if there is none, or the same outcome was recorded recently. */
function outcomeOf(
  { taken, wanted, cannotForecast, kept }: Eviction,
  { last }: EvictionCandidate,
  { position, now, cooldownSeconds }: { position: Switch; now: Instant; cooldownSeconds: number },
): DecisionOutcome | undefined {
  if (wanted === 0 && kept === undefined) return undefined;
  const isUnknown = taken === 0 && cannotForecast !== undefined;
  const acting = taken > 0 ? 'Planned' : 'Withheld';
  const outcome = isUnknown ? 'CannotForecast' : position === 'DryRun' ? 'DryRun' : acting;
  if (outcome === 'Planned') return outcome;
  const isRecent = last !== undefined && now - last.decidedAt < cooldownSeconds * SECOND;
  return isRecent && last.outcome === outcome ? undefined : outcome;
}

function decisionOf(
  { hub, run }: RunKey,
  { binding }: EvictionCandidate,
  { eviction, outcome, now }: { eviction: Eviction; outcome: DecisionOutcome; now: Instant },
): DeschedulingDecision {
  const { namespace, name, resourceVersion } = binding.metadata;
  const { clusters, next, taken, reason } = eviction;
  return {
    hub,
    run,
    binding: { namespace, name },
    decidedAt: now,
    resourceVersion,
    clusters,
    next,
    taken,
    outcome,
    reason,
  };
}

/** What all bindings of a chunk are decided on. */
export interface ChunkInputs {
  readonly run: DeschedulingRun;
  readonly clusters: readonly Cluster[];
  readonly switches: ReadonlyMap<string, string>;
  readonly settings: Settings;
  readonly now: Instant;
}

export interface Decided {
  readonly decision: DeschedulingDecision;
  /** The run of the decision that it replaces. */
  readonly replaces: string | undefined;
}

export interface EvictionPlan {
  readonly decided: readonly Decided[];
  readonly taken: number;
  /** Including the replicas that earlier decisions of the run move. */
  readonly assumed: AssumedReplicas;
  readonly telemetry: readonly TelemetryEntry[];
}

export function moverOf({ run }: Pick<DeschedulingRun, 'run'>): string {
  return `descheduling run ${run}`;
}

/** Those with unschedulable replicas. */
export function namespacesToEvict(all: Queried): ReadonlySet<string> {
  const candidates = all.filter(({ value }) => [...(value?.answers.values() ?? [])].some((answer) => answer > 0));
  return new Set(candidates.map(({ item }) => item.namespace));
}

/** The bindings of evictions that were carried out. */
export function evicted(carriedOut: readonly ItemResult<Decided, unknown>[]): readonly ObjectKey[] {
  return carriedOut.flatMap(({ item: { decision }, fault }) =>
    fault === undefined && decision.outcome === 'Planned' ? [decision.binding] : [],
  );
}

/** Decides sequentially, so that no two bindings claim the same capacity. */
export function planEvictions(
  all: Queried,
  { run, clusters, switches, settings, now }: ChunkInputs,
  budget: Budget = unlimited,
): EvictionPlan {
  const capacity = createAssumeCache(run.assumed);
  const limit = settings.deschedulingRunReplicas - run.moved;
  let taken = 0;
  let withheld = 0;
  const decided = all.flatMap(({ value: asked }): Decided[] => {
    if (asked === undefined) return [];
    const { binding, last, estimated } = asked;
    const position = switchOf(binding.metadata.namespace, switches);
    const move = { reason: 'Descheduling' as const, mover: moverOf(run) };
    const request = moveRequest({ binding }, { ...move, leaves: {} });
    const allowed =
      position === 'On'
        ? budget.most(
            request,
            binding.spec.clusters.map(({ name }) => name),
          )
        : limit;
    const eviction = decideEviction({
      ...asked,
      clusters,
      available: capacityOf(binding, { estimated, assumed: capacity }),
      limit: Math.min(limit - taken, settings.deschedulingWorkloadReplicas, allowed),
      beyondCapacity: settings.deschedulingBeyondCapacity === 1,
      withoutForecast: settings.deschedulingWithoutForecast === 1,
    });
    if (position === 'On') withheld += eviction.wanted - eviction.taken;
    const about = { position, now, cooldownSeconds: settings.deschedulingCooldownSeconds };
    const outcome = outcomeOf(eviction, asked, about);
    if (outcome === undefined) return [];
    if (outcome === 'Planned') {
      const leaves = leavesBetween(distributionOf(binding.spec.clusters), distributionOf(eviction.next));
      // Another delivery of the chunk was granted other moves of it, and may write them.
      if (budget.take({ ...request, leaves }).result !== 'granted') return [];
      taken += eviction.taken;
      const perReplica = binding.spec.replicaRequirements?.resourceRequest ?? undefined;
      for (const { name, replicas } of eviction.lands) capacity.add(name, replicas, perReplica);
    }
    return [{ decision: decisionOf(run, asked, { eviction, outcome, now }), replaces: last?.run }];
  });
  const telemetry =
    withheld > 0 ? [{ metric: 'ReplicasWithheld' as const, value: withheld, dimensions: { hub: run.hub } }] : [];
  return { decided, taken, assumed: capacity.assumed(), telemetry };
}
