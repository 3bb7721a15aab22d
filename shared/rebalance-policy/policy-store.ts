/** State of RebalancePolicies in the table. Every write names the version it starts from. */

import type { Instant } from '../core/time.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { ClusterObservations, PolicyKey, PolicyState, RunRecord, Wave } from './policy-run.ts';

/** The run that holds a workload, and until when. */
export interface Lease {
  readonly run: string;
  readonly until: Instant;
}

/** Names are searched in so many of a hub's runs. */
export const RECENT_RUNS = 500;

export interface PolicyStore {
  /** Reads are strongly consistent. */
  readObservations(hub: string): Promise<ClusterObservations | undefined>;
  /** Replaces the observations if they still have `observations.version`, and increments the version. */
  saveObservations(observations: ClusterObservations): Promise<boolean>;
  /** All stored policies of a hub. */
  readStates(hub: string): Promise<readonly PolicyState[]>;
  readState(key: PolicyKey): Promise<PolicyState | undefined>;
  /** Replaces the state if it still has `state.version`, and increments the version. */
  saveState(state: PolicyState): Promise<boolean>;
  /**
   * Stores a wave of a run for the state of `version`, and returns the stored one: of two writers with the
   * same version the first wins, and a delayed writer replaces no row of a later version.
   * A run's rows are read only after its policy's state refers to the run.
   */
  writeWave(wave: Wave, version: number, expiresAt: Instant): Promise<Wave>;
  readWave(at: PolicyKey & { readonly run: string }, number: number): Promise<Wave | undefined>;
  /** Chunks of workloads that the run skips. */
  writeSkipped(chunk: Wave, expiresAt: Instant): Promise<void>;
  /** Takes the workload for a run if no run holds it at `now`, or this run does. */
  takeLease(hub: string, binding: ObjectKey, lease: Lease, now: Instant): Promise<boolean>;
  /** Releases the run's lease; idempotent. */
  releaseLease(hub: string, binding: ObjectKey, run: string): Promise<void>;
  /** The lease of the last run that took the workload; its `until` is 0 once it is released. Kept for a day after its end. */
  lastLease(hub: string, binding: ObjectKey): Promise<Lease | undefined>;
  /** For the history; the state of the policy counts as long as it has the run. */
  recordRun(hub: string, record: RunRecord, expiresAt: Instant): Promise<void>;
  /** The latest recorded runs of a hub, newest first. */
  runs(hub: string, limit: number): Promise<readonly RunRecord[]>;
  /** All decisions of a run: its waves, and the skipped workloads. */
  decisions(
    at: PolicyKey & { readonly run: string },
  ): Promise<{ readonly waves: readonly Wave[]; readonly skipped: readonly Wave[] }>;
}
