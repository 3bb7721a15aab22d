/** What is kept of RebalancePolicies in the table. Every write names the version it starts from. */
import type { ObjectKey } from '../model/object-key.ts';
import type { ClusterSights, PolicyKey, PolicyState, RunRecord, Wave } from '../model/rebalance-policy/policy-run.ts';
import type { Instant } from '../model/time.ts';

/** Which run holds a workload, and until when. */
export interface Lease {
  readonly run: string;
  readonly until: Instant;
}

export interface PolicyStore {
  /** Reads are strongly consistent. */
  readSights(hub: string): Promise<ClusterSights | undefined>;
  /** Replaces the sights, if they still are of `sights.version`; they are then of the next one. */
  saveSights(sights: ClusterSights): Promise<boolean>;
  /** Of all policies of a hub that anything is kept of. */
  readStates(hub: string): Promise<readonly PolicyState[]>;
  readState(key: PolicyKey): Promise<PolicyState | undefined>;
  /** Replaces the state, if it still is of `state.version`; it is then of the next one. */
  saveState(state: PolicyState): Promise<boolean>;
  /**
   * Keeps a wave of a run, as whoever replaces the state of `version` would have it, and gives what is kept: two who start from the
   * same version keep what the first of them wrote, and one who was held up replaces nothing that later versions wrote.
   * Nobody reads a run's rows before its policy's state names the run.
   */
  writeWave(wave: Wave, version: number, expiresAt: Instant): Promise<Wave>;
  readWave(at: PolicyKey & { readonly run: string }, number: number): Promise<Wave | undefined>;
  /** Chunks of those that the run leaves alone. */
  writeSkipped(chunk: Wave, expiresAt: Instant): Promise<void>;
  /** Takes the workload for a run, where nobody holds it at `now`, or this run does. */
  takeLease(hub: string, binding: ObjectKey, lease: Lease, now: Instant): Promise<boolean>;
  /** Gives back what this run holds; again changes nothing. */
  releaseLease(hub: string, binding: ObjectKey, run: string): Promise<void>;
  /** For people: the run as it is, for the hub's history. */
  recordRun(hub: string, record: RunRecord, expiresAt: Instant): Promise<void>;
  /** The latest runs of a hub, newest first. */
  runs(hub: string, limit: number): Promise<readonly RunRecord[]>;
  /** All that a run decided: its waves, and what it left alone. */
  decisions(
    at: PolicyKey & { readonly run: string },
  ): Promise<{ readonly waves: readonly Wave[]; readonly skipped: readonly Wave[] }>;
}
