/** The descheduler's state in memory: for simulation and tests; the same contract as the one on DynamoDB. */

import type { Instant } from '../../../shared/core/time.ts';
import type {
  CandidateChunk,
  DeschedulingDecision,
  DeschedulingRun,
  RunKey,
} from '../../../shared/descheduling/descheduling.ts';
import type { Begun, DeschedulingStore, Swept } from '../../../shared/descheduling/descheduling-store.ts';
import type { AssumedReplicas } from '../../../shared/karmada/assignment/assume-cache.ts';
import { keyText, type ObjectKey } from '../../../shared/kubernetes/object-key.ts';

export class MemoryDeschedulingStore implements DeschedulingStore {
  readonly #runs = new Map<string, DeschedulingRun>();
  readonly #chunks = new Map<string, CandidateChunk>();
  readonly #last = new Map<string, DeschedulingDecision>();
  readonly #history = new Map<string, DeschedulingDecision>();

  async beginRun(run: DeschedulingRun, now: Instant): Promise<Begun> {
    const holder = this.#runs.get(run.hub);
    if (holder !== undefined && holder.state !== 'Finished' && holder.leaseUntil > now)
      return { begun: false, holder: structuredClone(holder) };
    this.#runs.set(run.hub, structuredClone(run));
    return { begun: true };
  }

  async readRun(hub: string): Promise<DeschedulingRun | undefined> {
    return structuredClone(this.#runs.get(hub));
  }

  async writeChunk(chunk: CandidateChunk): Promise<void> {
    this.#chunks.set(chunkText(chunk, chunk.number), structuredClone(chunk));
  }

  async readChunk(at: RunKey, number: number): Promise<CandidateChunk | undefined> {
    return structuredClone(this.#chunks.get(chunkText(at, number)));
  }

  async endSweep(at: RunKey, { chunks, ...swept }: Swept): Promise<boolean> {
    return this.#change(
      at,
      ({ state }) => state === 'Sweeping',
      () => ({ ...swept, pendingChunks: chunks, state: chunks.length > 0 ? 'Working' : 'Finished' }),
    );
  }

  async reserve(
    at: RunKey,
    { before, replicas }: { readonly before: number; readonly replicas: number },
    assumed: AssumedReplicas,
  ): Promise<boolean> {
    return this.#change(
      at,
      ({ state, moved }) => state === 'Working' && moved === before,
      () => ({ moved: before + replicas, assumed }),
    );
  }

  async completeChunk(at: RunKey, number: number): Promise<DeschedulingRun | undefined> {
    this.#change(
      at,
      ({ state }) => state === 'Working',
      ({ pendingChunks }) => {
        const left = pendingChunks.filter((pending) => pending !== number);
        return { pendingChunks: left, state: left.length > 0 ? 'Working' : 'Finished' };
      },
    );
    const run = this.#runs.get(at.hub);
    return run?.run === at.run ? structuredClone(run) : undefined;
  }

  async lastDecision(hub: string, binding: ObjectKey): Promise<DeschedulingDecision | undefined> {
    return structuredClone(this.#last.get(bindingText(hub, binding)));
  }

  async record(decision: DeschedulingDecision, replaces: string | undefined): Promise<boolean> {
    const key = bindingText(decision.hub, decision.binding);
    if (this.#last.get(key)?.run !== replaces) return false;
    this.#last.set(key, structuredClone(decision));
    this.#history.set(`${decision.run} ${key}`, structuredClone(decision));
    return true;
  }

  async settle(decision: DeschedulingDecision): Promise<void> {
    const key = bindingText(decision.hub, decision.binding);
    this.#history.set(`${decision.run} ${key}`, structuredClone(decision));
    if (this.#last.get(key)?.run === decision.run) this.#last.set(key, structuredClone(decision));
  }

  async decisions(hub: string, limit: number): Promise<readonly DeschedulingDecision[]> {
    const ofHub = [...this.#history].filter(([, decision]) => decision.hub === hub);
    const newestFirst = ofHub.sort(([a], [b]) => (a < b ? 1 : -1)).map(([, decision]) => decision);
    return structuredClone(newestFirst.slice(0, limit));
  }

  #change(
    at: RunKey,
    may: (run: DeschedulingRun) => boolean,
    change: (run: DeschedulingRun) => Partial<DeschedulingRun>,
  ): boolean {
    const run = this.#runs.get(at.hub);
    if (run?.run !== at.run || !may(run)) return false;
    this.#runs.set(at.hub, structuredClone({ ...run, ...change(run) }));
    return true;
  }
}

function chunkText({ hub, run }: RunKey, number: number): string {
  return `${hub} ${run} ${number}`;
}

function bindingText(hub: string, binding: ObjectKey): string {
  return `${hub} ${keyText(binding)}`;
}
