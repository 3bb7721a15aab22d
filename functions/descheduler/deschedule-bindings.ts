/** Decisions for one candidate: whether it is skipped, what is recorded and written, and the outcome of a write without a response. */
import type { AssumeCache } from '../../shared/model/assignment/assume-cache.ts';
import { capacityOf } from '../../shared/model/assignment/available-replicas.ts';
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { whyDue } from '../../shared/model/assignment/why-due.ts';
import {
  DESCHEDULED_AT,
  type DecisionOutcome,
  type DeschedulingDecision,
  type DeschedulingRun,
  type RunKey,
} from '../../shared/model/descheduling.ts';
import { whyNoCandidate } from '../../shared/model/descheduling-candidate.ts';
import type { Fault } from '../../shared/model/fault.ts';
import type { ObjectKey } from '../../shared/model/object-key.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { type Switch, switchOf } from '../../shared/model/rescheduling-policy.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/model/time.ts';
import type { Settings } from '../../shared/settings.ts';
import type { Eviction } from './decide-eviction.ts';
import { decideEviction } from './decide-eviction.ts';

/** Chunks are not needed after their run. */
export const CHUNK_LIFE = 3600 * SECOND;

/** The result for one binding, or its fault. */
export interface OutcomeOfEach<T> {
  readonly key: ObjectKey;
  readonly value?: T;
  readonly fault?: Fault;
}

export function faultsOf(outcomes: readonly OutcomeOfEach<unknown>[]): readonly { key: ObjectKey; fault: Fault }[] {
  return outcomes.flatMap(({ key, fault }) => (fault ? [{ key, fault }] : []));
}

export interface Candidate {
  readonly binding: PlacedBinding;
  /** The last decision on it. */
  readonly last: DeschedulingDecision | undefined;
}

export interface EvictionContext {
  readonly clusters: readonly Cluster[];
  readonly now: Instant;
  readonly cooldownSeconds: number;
}

/** Why a binding is skipped before any query; undefined if it is not. */
export function whyLeave(
  { binding, last }: Candidate,
  { clusters, now, cooldownSeconds }: EvictionContext,
): string | undefined {
  const no = whyNoCandidate(binding);
  if (no !== undefined) return no;
  // Pending replicas may be about to be scheduled.
  if (whyDue(binding, clusters) !== undefined) return 'the scheduler has not acted on its last change yet';
  // After a rebalance, pending pods may be starting.
  const rebalanced = binding.spec.rescheduleTriggeredAt;
  if (rebalanced != null && now - rebalanced < cooldownSeconds * SECOND) return 'it was rebalanced a short while ago';
  if (last?.outcome === 'Written' && now - last.decidedAt < cooldownSeconds * SECOND) return 'it is cooling down';
  return undefined;
}

/** The outcome to record; undefined if there is none, or the same outcome was recorded recently. */
function outcomeOf(
  { taken, wanted, cannotForecast }: Eviction,
  { last }: Candidate,
  { position, now, cooldownSeconds }: { position: Switch; now: Instant; cooldownSeconds: number },
): DecisionOutcome | undefined {
  if (wanted === 0) return undefined;
  const isUnknown = taken === 0 && cannotForecast !== undefined;
  const acting = taken > 0 ? 'Planned' : 'Withheld';
  const outcome = isUnknown ? 'CannotForecast' : position === 'DryRun' ? 'DryRun' : acting;
  if (outcome === 'Planned') return outcome;
  const isRecent = last !== undefined && now - last.decidedAt < cooldownSeconds * SECOND;
  return isRecent && last.outcome === outcome ? undefined : outcome;
}

function decisionOf(
  { hub, run }: RunKey,
  { binding }: Candidate,
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

/** A small write, conditional on the version that was read. */
export function evictionPatch({ resourceVersion, next, decidedAt }: DeschedulingDecision): object {
  const annotations = { [DESCHEDULED_AT]: toTimestamp(decidedAt) };
  return { metadata: { resourceVersion, annotations }, spec: { clusters: next } };
}

/**
 * The outcome of a decision whose write had no response. `write`: the binding is unchanged, so the write did not
 * succeed. If it has the new assignment, the write succeeded. Otherwise another client changed it; the order of
 * the two writes does not matter now.
 */
export function afterWrite({ resourceVersion, next }: DeschedulingDecision, binding: PlacedBinding | undefined) {
  if (binding === undefined) return 'Superseded';
  if (binding.metadata.resourceVersion === resourceVersion) return 'write';
  const same = binding.spec.clusters.length === next.length;
  const holds = next.every(({ name, replicas }) =>
    binding.spec.clusters.some((cluster) => cluster.name === name && cluster.replicas === replicas),
  );
  return same && holds ? 'Written' : 'Superseded';
}

/** A candidate with its clusters' answers. */
export interface Asked extends Candidate {
  readonly answers: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<string, Fault>;
  /** Capacity by the estimators; empty if they can't compute it. */
  readonly estimated: ReadonlyMap<string, number>;
}

/** What all bindings of a chunk are decided on. `capacity` assumes the replicas that earlier decisions of the run move. */
export interface ChunkInputs {
  readonly run: DeschedulingRun;
  readonly clusters: readonly Cluster[];
  readonly switches: ReadonlyMap<string, string>;
  readonly settings: Settings;
  readonly now: Instant;
  readonly capacity: AssumeCache;
}

export interface Decided {
  readonly decision: DeschedulingDecision;
  /** The run of the decision that it replaces. */
  readonly replaces: string | undefined;
}

/** `withheld`: unschedulable replicas that stay. */
export function decideAll(
  all: readonly Asked[],
  { run, clusters, switches, settings, now, capacity }: ChunkInputs,
): { readonly decided: readonly Decided[]; readonly withheld: number } {
  let left = settings.deschedulingRunReplicas - run.moved;
  let withheld = 0;
  const decided = all.flatMap((asked): Decided[] => {
    const { binding, last, estimated } = asked;
    const position = switchOf(binding.metadata.namespace, switches);
    const eviction = decideEviction({
      ...asked,
      clusters,
      available: capacityOf(binding, { estimated, assumed: capacity }),
      limit: Math.min(left, settings.deschedulingWorkloadReplicas),
      beyondCapacity: settings.deschedulingBeyondRoom === 1,
    });
    if (position === 'On') withheld += eviction.wanted - eviction.taken;
    const about = { position, now, cooldownSeconds: settings.deschedulingCooldownSeconds };
    const outcome = outcomeOf(eviction, asked, about);
    if (outcome === undefined) return [];
    if (outcome === 'Planned') {
      left -= eviction.taken;
      const request = binding.spec.replicaRequirements?.resourceRequest ?? undefined;
      for (const { name, replicas } of eviction.lands) capacity.add(name, replicas, request);
    }
    return [{ decision: decisionOf(run, asked, { eviction, outcome, now }), replaces: last?.run }];
  });
  return { decided, withheld };
}
