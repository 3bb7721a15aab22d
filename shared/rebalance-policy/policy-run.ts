/** Stored state of a policy: the handled triggers, its run, and the run's waves with each workload's decision. */

import type { Instant } from '../core/time.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { ObjectReference } from '../kubernetes/object-reference.ts';

/** What triggered a run. `at`: since when the cluster is healthy, or the scheduled or requested time. */
export type Trigger =
  | {
      readonly type: 'ClusterRecovered' | 'ClusterJoined';
      readonly cluster: string;
      readonly uid: string;
      readonly at: Instant;
    }
  | { readonly type: 'Schedule'; readonly at: Instant }
  /** By spec.triggers.requestedAt. */
  | { readonly type: 'Requested'; readonly at: Instant }
  /** `at`: when an event from outside was received. */
  | { readonly type: 'ExternalEvent'; readonly event: string; readonly at: Instant }
  /** Of a ClusterDrain, while its cluster is tainted. */
  | { readonly type: 'ClusterDrained'; readonly cluster: string }
  | { readonly type: 'CapacityFreed' }
  | { readonly type: 'Imbalance'; readonly percent: number }
  /** A cluster is above so many percent. */
  | { readonly type: 'Pressure'; readonly percent: number }
  | { readonly type: 'Price'; readonly minScore: number };

/** Since when each cluster has been healthy without interruption, by its uid; `readySince` is absent if it is unhealthy. */
export interface ClusterObservations {
  readonly hub: string;
  /** Counts the writes of this row; each write names the version it starts from. */
  readonly version: number;
  readonly clusters: Readonly<Record<string, { readonly name: string; readonly readySince?: Instant }>>;
}

/** `Running`: waves are pending. The others are final; docs/guides/rebalance-policy.md describes them. */
export type RunState = 'Running' | 'Finished' | 'DryRun' | 'Stopped' | 'Superseded' | 'Cancelled';

/** The triggers that a policy has handled. */
export interface HandledTriggers {
  /** By uid of a cluster: the `at` of its last handled trigger. */
  readonly clusters: Readonly<Record<string, Instant>>;
  /** The last scheduled time that was handled, or since when the schedule is unchanged. */
  readonly calendar?: { readonly text: string; readonly at: Instant };
  /** The last request of a run that was handled. */
  readonly requestedAt?: Instant;
  /** When the last event from outside was received that was handled. */
  readonly externalEventAt?: Instant;
}

export interface WaveInFlight {
  readonly rebalancer: string;
  /** Absent until the WorkloadRebalancer is created. */
  readonly rebalancerUid?: string;
  readonly startedAt: Instant;
  readonly readyBy: Instant;
}

export interface PolicyRun {
  /** Later runs sort after earlier ones. */
  readonly run: string;
  readonly triggers: readonly Trigger[];
  readonly state: RunState;
  /** Why it is in its state, for display. */
  readonly message: string;
  readonly startedAt: Instant;
  readonly finishedAt?: Instant;
  /** Digest of the policy when the run was planned (planOf). */
  readonly plan: string;
  readonly waves: number;
  /** Completed waves: the 0-based number of the wave in flight, or of the next one. */
  readonly wavesDone: number;
  readonly inFlight?: WaveInFlight;
  /** Bindings that an earlier move had not left when the run was planned: while it lasts, they count as in flight. */
  readonly unfinished?: readonly ObjectKey[];
  /** No wave starts before. */
  readonly notBefore: Instant;
  /** Why all workloads of the next wave were put off; absent if some moved. */
  readonly heldBy?: string;
  readonly workloads: number;
  /** Replicas that were moved, and workloads that were skipped, so far. */
  readonly moved: number;
  readonly skipped: number;
  /** Restored if the run ends early, so that its triggers fire again. */
  readonly before: HandledTriggers;
}

export interface PolicyKey {
  readonly hub: string;
  /** Uid of the policy: a policy that was deleted and created again is a different one. */
  readonly uid: string;
}

export interface PolicyState extends PolicyKey {
  readonly name: string;
  /** The cluster, if it is the state of a ClusterDrain. */
  readonly drains?: string;
  /** Counts the writes of this row; each write names the version it starts from. 0 where there is none yet. */
  readonly version: number;
  readonly answered: HandledTriggers;
  /** The current run, or the last one. */
  readonly run?: PolicyRun;
  /** The plan of a stopped run: no run starts until the policy changes. */
  readonly stoppedPlan?: string;
  /** DynamoDB TTL of a deleted policy's row. */
  readonly expiresAt?: Instant;
}

export interface PolicyWithRun extends PolicyState {
  readonly run: PolicyRun;
}

/**
 * `Moving`: in the wave in flight. `Moved`, `Unmoved`: rescheduled and ready, on other clusters or on the same. `NotReady`: not in
 * time. `Gone`: its binding was deleted. `Skipped`: excluded. `CannotForecast`: excluded because its placement has a field
 * that no forecast covers. `PutOff`: retried in a later wave. `DryRun`: only recorded.
 */
export type WorkloadOutcome =
  | 'Moving'
  | 'Moved'
  | 'Unmoved'
  | 'NotReady'
  | 'Gone'
  | 'Skipped'
  | 'CannotForecast'
  | 'PutOff'
  | 'DryRun';

/** Whether the run has finished with the workload without moving it. */
export function isLeftAlone({ outcome }: Pick<WorkloadDecision, 'outcome'>): boolean {
  return outcome === 'Skipped' || outcome === 'Gone' || outcome === 'CannotForecast';
}

export interface WorkloadDecision {
  readonly workload: ObjectReference;
  readonly binding: ObjectKey;
  /** Why it is to be moved. */
  readonly why: string;
  /** Replicas by cluster. */
  readonly current: Readonly<Record<string, number>>;
  readonly next: Readonly<Record<string, number>>;
  readonly moves: number;
  /** Of a move by price: its savings divided by its disruption, in percent. */
  readonly score?: number;
  /** Absent while it waits for its wave. */
  readonly outcome?: WorkloadOutcome;
  readonly reason?: string;
  /** When the budget of moves allows it at the earliest, if it was put off for that. */
  readonly until?: Instant;
  /** How often it was put off. */
  readonly putOff?: number;
}

/** The unit of processing of a run: workloads that move together. */
export interface Wave extends PolicyKey {
  readonly run: string;
  /** 0-based. */
  readonly number: number;
  readonly workloads: readonly WorkloadDecision[];
}

/** What is shown of a run. */
export interface RunRecord extends PolicyKey {
  readonly name: string;
  readonly run: Omit<PolicyRun, 'plan' | 'before' | 'unfinished' | 'heldBy'>;
}

export interface RunWithDecisions {
  readonly record: RunRecord;
  readonly waves: readonly Wave[];
  readonly skipped: readonly Wave[];
}

export function recordOf({ hub, uid, name }: PolicyState, run: PolicyRun): RunRecord {
  const { plan: _plan, before: _before, unfinished: _unfinished, heldBy: _heldBy, ...record } = run;
  return { hub, uid, name, run: record };
}

export function isRunning(state: PolicyState | undefined): boolean {
  return state?.run?.state === 'Running';
}

export function hasRun(state: PolicyState | undefined): state is PolicyWithRun {
  return state?.run !== undefined;
}

/** Names of the clusters whose health triggered it. */
export function clustersOf(triggers: readonly Trigger[]): readonly string[] {
  return triggers.flatMap((trigger) => ('uid' in trigger ? [trigger.cluster] : []));
}

/** "ClusterRecovered member1", for display. */
export function triggerText(trigger: Trigger): string {
  switch (trigger.type) {
    case 'ClusterRecovered':
    case 'ClusterJoined':
    case 'ClusterDrained':
      return `${trigger.type} ${trigger.cluster}`;
    case 'ExternalEvent':
      return `${trigger.type} ${trigger.event}`;
    case 'Imbalance':
      return `Imbalance of ${trigger.percent} %`;
    case 'Pressure':
      return `Pressure above ${trigger.percent} %`;
    case 'Price':
      return `Price, score from ${trigger.minScore} %`;
    default:
      return trigger.type;
  }
}
