/** The descheduler's state in the table. Every write is conditional on the step it takes. */

import type { Instant } from '../core/time.ts';
import type { AssumedReplicas } from '../karmada/assignment/assume-cache.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { CandidateChunk, DeschedulingDecision, DeschedulingRun, RunKey } from './descheduling.ts';

export interface DeschedulingStore {
  /** Takes the hub's lease for `run` if it is free at `now`; otherwise returns the run that holds it. Reads are strongly consistent. */
  beginRun(run: DeschedulingRun, now: Instant): Promise<Begun>;
  readRun(hub: string): Promise<DeschedulingRun | undefined>;
  writeChunk(chunk: CandidateChunk, expiresAt: Instant): Promise<void>;
  readChunk(at: RunKey, number: number): Promise<CandidateChunk | undefined>;
  /** Sweeping → Working with these chunks, or Finished if there are none. False: the run is no longer the hub's, or was swept before. */
  endSweep(at: RunKey, swept: Swept): Promise<boolean>;
  /** Adds `replicas` to the run's moved replicas, if they are still `before` and the run is Working; and stores the assumed replicas. */
  reserve(
    at: RunKey,
    moved: { readonly before: number; readonly replicas: number },
    assumed: AssumedReplicas,
  ): Promise<boolean>;
  /** Removes the chunk from the pending ones; the last one finishes the run. Undefined: the run is no longer the hub's. */
  completeChunk(at: RunKey, number: number): Promise<DeschedulingRun | undefined>;
  /** The last decision on a binding. */
  lastDecision(hub: string, binding: ObjectKey): Promise<DeschedulingDecision | undefined>;
  /** Stores `decision` as the binding's last one, and in the hub's history, if the last one still is of run `replaces` (undefined: there is none). */
  record(decision: DeschedulingDecision, replaces: string | undefined, expiresAt: Instant): Promise<boolean>;
  /** Stores the final decision in its place, and in the hub's history; idempotent. */
  settle(decision: DeschedulingDecision, expiresAt: Instant): Promise<void>;
  /** The latest decisions of a hub, newest first. */
  decisions(hub: string, limit: number): Promise<readonly DeschedulingDecision[]>;
}

export type Begun = { readonly begun: true } | { readonly begun: false; readonly holder: DeschedulingRun };

export interface Swept {
  readonly seen: number;
  readonly candidates: number;
  readonly chunks: readonly number[];
  readonly leaseUntil: Instant;
}
