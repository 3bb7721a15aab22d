/** State of the descheduler: one run per hub at a time, its chunks of candidates, and a decision for each binding whose replicas it removed or withheld. */

import type { Instant } from '../core/time.ts';
import type { ClusterReplicas } from '../karmada/assignment/assign-replicas.ts';
import type { AssumedReplicas } from '../karmada/assignment/assume-cache.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';

/** On a binding: when the descheduler last removed replicas from it. Written with spec.clusters. */
export const DESCHEDULED_AT = 'evenkeel.dev/descheduled-at';

export type DeschedulingState = 'Sweeping' | 'Working' | 'Finished';

/** A run holds its hub's lease until it is Finished, or until `leaseUntil`. */
export interface DeschedulingRun {
  readonly hub: string;
  /** Later runs sort after earlier ones. */
  readonly run: string;
  readonly state: DeschedulingState;
  readonly startedAt: Instant;
  readonly leaseUntil: Instant;
  readonly pendingChunks: readonly number[];
  /** Bindings that were checked, and those that required a query to an estimator. */
  readonly seen: number;
  readonly candidates: number;
  /** Replicas taken out so far. */
  readonly moved: number;
  /** Where the replicas are expected to go, so that the next binding does not claim the same capacity. */
  readonly assumed: AssumedReplicas;
}

export interface RunKey {
  readonly hub: string;
  readonly run: string;
}

/** About 50 candidates: the unit of processing and retry. Chunks of a run are processed one after another. */
export interface CandidateChunk extends RunKey {
  readonly number: number;
  readonly bindings: readonly ObjectKey[];
}

/**
 * `Planned`: about to be written. `Written`: it is on the hub. `Superseded`: the binding changed under it, and nothing was
 * written. `DryRun`: only recorded, as asked. `Withheld`: replicas are unschedulable, and a guard rail kept them. `CannotForecast`:
 * they are kept because the binding has a field that no forecast covers; the reason names it.
 */
export type DecisionOutcome = 'Planned' | 'Written' | 'Superseded' | 'DryRun' | 'Withheld' | 'CannotForecast';

/** What was read of one cluster, and what was decided for it. */
export interface ClusterReading {
  readonly name: string;
  readonly assigned: number;
  /** Absent where the cluster reported none. */
  readonly ready?: number;
  /** The estimator's answer; absent where it was not asked or did not answer. */
  readonly unschedulable?: number;
  /** Why the answer was not used. */
  readonly unusable?: string;
  readonly taken: number;
}

export interface DeschedulingDecision extends RunKey {
  readonly binding: ObjectKey;
  readonly decidedAt: Instant;
  /** Of the binding that was read: the write is on this version. */
  readonly resourceVersion: string;
  readonly clusters: readonly ClusterReading[];
  /** spec.clusters to be written. */
  readonly next: readonly ClusterReplicas[];
  readonly taken: number;
  readonly outcome: DecisionOutcome;
  readonly reason: string;
}
