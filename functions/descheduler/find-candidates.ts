/** Decides for which bindings of a hub to query clusters, in which chunks. */

import type { PublishedOutcome } from '../../shared/bus/published-outcome.ts';
import { count } from '../../shared/core/count.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { fromTimestamp, type Instant, SECOND, toTimestamp } from '../../shared/core/time.ts';
import { type CandidateChunk, DESCHEDULED_AT, type DeschedulingRun } from '../../shared/descheduling/descheduling.ts';
import { whyNoCandidate } from '../../shared/descheduling/descheduling-candidate.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { readReschedulingPolicy, reschedulingWord, switchOf } from '../../shared/karmada/rescheduling-policy.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { firstChunk } from './chunk-result.ts';

/** Bindings in one chunk: some seconds of queries to members. */
const CHUNK = 50;
/** For so long a descheduled binding is read again, so that its decision is settled even if every delivery of its chunk failed after the write. */
const SETTLED_WITHIN = 3600 * SECOND;
/** Longer than a function's timeout, so that its redelivery or the next schedule takes over a sweep that crashed. */
const SWEEP_LEASE = 150 * SECOND;

export interface PolicySwitches {
  /** Annotations of policies, and switches of namespaces. */
  readonly annotations: ReadonlyMap<string, string>;
  readonly switches: ReadonlyMap<string, string>;
}

export interface SweepInput extends PolicySwitches {
  readonly startedAt: Instant;
}

export type CandidateClass = 'candidate' | 'no candidate' | 'paused' | 'unknown policy';

/** Cheap checks first; a binding with an unsupported strategy is no candidate. */
function classifyBinding(binding: PlacedBinding, { annotations, switches, startedAt }: SweepInput): CandidateClass {
  const policy = readReschedulingPolicy(reschedulingWord(binding, annotations));
  if (policy === undefined) return 'unknown policy';
  if (policy === 'Never' || isWithoutNeed(binding, startedAt)) return 'no candidate';
  return switchOf(binding.metadata.namespace, switches) === 'Paused' ? 'paused' : 'candidate';
}

function isWithoutNeed(binding: PlacedBinding, startedAt: Instant): boolean {
  const descheduledAt = fromTimestamp(binding.metadata.annotations[DESCHEDULED_AT] ?? '');
  const isRecent = descheduledAt !== undefined && startedAt - descheduledAt < SETTLED_WITHIN;
  try {
    return whyNoCandidate(binding) !== undefined && !isRecent;
  } catch {
    return true; // An unsupported strategy: the scheduler reports it on the binding.
  }
}

export function newRun(hub: string, id: string, startedAt: Instant): DeschedulingRun {
  return {
    hub,
    // Starts with the time, so that later ones sort after earlier ones.
    run: `${toTimestamp(startedAt)}-${id}`,
    state: 'Sweeping',
    startedAt,
    leaseUntil: startedAt + SWEEP_LEASE,
    pendingChunks: [],
    seen: 0,
    candidates: 0,
    moved: 0,
    assumed: {},
  };
}

/** The function of the run in progress may have crashed before it published its chunk; publishing it twice is harmless. */
export function runInProgress(holder: DeschedulingRun): PublishedOutcome {
  const { run, pendingChunks } = holder;
  const reason = `run ${run} is under way, with ${count(pendingChunks.length, 'chunk')} open`;
  return { reason, events: firstChunk(holder) };
}

/** Classifies the bindings of a hub page by page, and divides the candidates into chunks. Holds at most one chunk. */
export class CandidateSweep {
  readonly #input: SweepInput;
  readonly #counts = new Map<CandidateClass, number>();
  readonly #chunks: number[] = [];
  #open: ObjectKey[] = [];

  constructor(input: SweepInput) {
    this.#input = input;
  }

  /** The chunks that this page completes. */
  add(page: readonly PlacedBinding[]): readonly SweptChunk[] {
    return page.flatMap((binding) => {
      const candidateClass = classifyBinding(binding, this.#input);
      this.#counts.set(candidateClass, this.#countOf(candidateClass) + 1);
      if (candidateClass === 'candidate')
        this.#open.push({ namespace: binding.metadata.namespace, name: binding.metadata.name });
      return this.#open.length >= CHUNK ? [this.#take()] : [];
    });
  }

  /** The last chunk, if there is one. */
  end(): readonly SweptChunk[] {
    return this.#open.length > 0 ? [this.#take()] : [];
  }

  get totals(): { readonly seen: number; readonly candidates: number; readonly chunks: readonly number[] } {
    const seen = [...this.#counts.values()].reduce((sum, each) => sum + each, 0);
    return { seen, candidates: this.#countOf('candidate'), chunks: this.#chunks };
  }

  get outcome(): Outcome {
    const { seen, candidates } = this.totals;
    const fields = {
      seen,
      candidates,
      paused: this.#countOf('paused'),
      unknownPolicy: this.#countOf('unknown policy'),
    };
    return { reason: `${candidates} of ${count(seen, 'binding')} may have replicas to take out`, fields };
  }

  #take(): SweptChunk {
    const chunk = { number: this.#chunks.length, bindings: this.#open };
    this.#chunks.push(chunk.number);
    this.#open = [];
    return chunk;
  }

  #countOf(candidateClass: CandidateClass): number {
    return this.#counts.get(candidateClass) ?? 0;
  }
}

export type SweptChunk = Pick<CandidateChunk, 'number' | 'bindings'>;
