/** What is kept of a policy: what it has answered, its run, and the run's waves with each workload's decision. */
import type { ObjectKey } from '../object-key.ts';
import type { ObjectReference } from '../object-reference.ts';
import type { Instant } from '../time.ts';

/** What set a run off. `at`: since when the cluster is well, or the calendar's time. */
export type Trigger =
  | {
      readonly type: 'ClusterRecovered' | 'ClusterJoined';
      readonly cluster: string;
      readonly uid: string;
      readonly at: Instant;
    }
  | { readonly type: 'Schedule'; readonly at: Instant }
  | { readonly type: 'CapacityFreed' }
  | { readonly type: 'Imbalance'; readonly percent: number };

/** Since when each cluster has been well without a break, by its uid; absent in `wellSince` where it is not. */
export interface ClusterSights {
  readonly hub: string;
  /** Counts the writes of this row; each write names the version it starts from. */
  readonly version: number;
  readonly clusters: Readonly<Record<string, { readonly name: string; readonly wellSince?: Instant }>>;
}

/** `Running`: waves are still to come. The others are ends; what each means is in docs/rebalance-policy.md. */
export type RunState = 'Running' | 'Finished' | 'DryRun' | 'Stopped' | 'Superseded' | 'Cancelled';

/** What a policy has answered already. */
export interface Answered {
  /** By uid of a cluster: the `at` of its last trigger that was answered. */
  readonly clusters: Readonly<Record<string, Instant>>;
  /** The calendar's last time that was answered, or since when the calendar is as it is. */
  readonly calendar?: { readonly text: string; readonly at: Instant };
}

export interface WaveInFlight {
  readonly rebalancer: string;
  /** Absent until the WorkloadRebalancer was made. */
  readonly rebalancerUid?: string;
  readonly startedAt: Instant;
  readonly readyBy: Instant;
}

export interface PolicyRun {
  /** Later runs sort after earlier ones. */
  readonly run: string;
  readonly triggers: readonly Trigger[];
  readonly state: RunState;
  /** Why it is in its state, for people. */
  readonly message: string;
  readonly startedAt: Instant;
  readonly finishedAt?: Instant;
  /** What the policy said when the run was planned (planOf). */
  readonly plan: string;
  readonly waves: number;
  /** Waves that are done: the number of the wave in flight, or of the next one. 0-based. */
  readonly wavesDone: number;
  readonly inFlight?: WaveInFlight;
  /** No wave starts before. */
  readonly notBefore: Instant;
  readonly workloads: number;
  /** Replicas that were moved, and workloads that were left alone, so far. */
  readonly moved: number;
  readonly skipped: number;
  /** To be asked again where the run ends before its work is done. */
  readonly before: Answered;
}

export interface PolicyKey {
  readonly hub: string;
  /** Of the policy: one that was deleted and made again is another. */
  readonly uid: string;
}

export interface PolicyState extends PolicyKey {
  readonly name: string;
  /** Counts the writes of this row; each write names the version it starts from. 0 where there is none yet. */
  readonly version: number;
  readonly answered: Answered;
  /** The run under way, or the last one. */
  readonly run?: PolicyRun;
  /** The plan under which a run was stopped: nothing starts until the policy says something else. */
  readonly stoppedPlan?: string;
  /** When DynamoDB may forget it: of a policy that is gone. */
  readonly expiresAt?: Instant;
}

/**
 * `Moving`: in the wave that is in flight. `Moved`, `Unmoved`: rescheduled and ready, elsewhere or where it was. `NotReady`: not in
 * time. `Gone`: it has no binding any more. `Skipped`: left alone. `PutOff`: to be tried in a later wave. `DryRun`: only recorded.
 */
export type WorkloadOutcome = 'Moving' | 'Moved' | 'Unmoved' | 'NotReady' | 'Gone' | 'Skipped' | 'PutOff' | 'DryRun';

export interface WorkloadDecision {
  readonly workload: ObjectReference;
  readonly binding: ObjectKey;
  /** Why it is concerned. */
  readonly why: string;
  /** Replicas by cluster. */
  readonly current: Readonly<Record<string, number>>;
  readonly next: Readonly<Record<string, number>>;
  readonly moves: number;
  /** Absent while it waits for its wave. */
  readonly outcome?: WorkloadOutcome;
  readonly reason?: string;
  /** How often it was put off. */
  readonly putOff?: number;
}

/** The unit of work of a run: those that move together. */
export interface Wave extends PolicyKey {
  readonly run: string;
  /** 0-based. */
  readonly number: number;
  readonly workloads: readonly WorkloadDecision[];
}

/** What is remembered of a run after its end. */
export interface RunRecord extends PolicyKey {
  readonly name: string;
  readonly run: Omit<PolicyRun, 'plan' | 'before'>;
}

export function isRunning(state: PolicyState | undefined): boolean {
  return state?.run?.state === 'Running';
}

/** Whose change set it off, by name. */
export function clustersOf(triggers: readonly Trigger[]): readonly string[] {
  return triggers.flatMap((trigger) => ('cluster' in trigger ? [trigger.cluster] : []));
}

/** "ClusterRecovered member1", for people. */
export function triggerText(trigger: Trigger): string {
  switch (trigger.type) {
    case 'ClusterRecovered':
    case 'ClusterJoined':
      return `${trigger.type} ${trigger.cluster}`;
    case 'Imbalance':
      return `Imbalance of ${trigger.percent} %`;
    default:
      return trigger.type;
  }
}
