/** Decides what follows a chunk of candidates: its rest again, the next chunk, or the end of the run. */
import { DeschedulingChunkPlanned } from '../../shared/bus/catalogue.ts';
import type { PublishedOutcome } from '../../shared/bus/published-outcome.ts';
import { count } from '../../shared/core/count.ts';
import type { ItemResult } from '../../shared/core/each-at-once.ts';
import type { Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { SECOND } from '../../shared/core/time.ts';
import type { CandidateChunk, DeschedulingRun, RunKey } from '../../shared/descheduling/descheduling.ts';
import type { ObjectKey } from '../../shared/kubernetes/object-key.ts';
import type { Decided, EvictionPlan } from './deschedule-bindings.ts';
import type { Queried } from './query-candidates.ts';

/** Chunks are not needed after their run. */
export const CHUNK_LIFE = 3600 * SECOND;

/** The result for a chunk's bindings. */
export interface ChunkResult {
  readonly outcome: Outcome;
  /** Bindings to retry, and their first fault. */
  readonly left: readonly ObjectKey[];
  readonly fault?: Fault | undefined;
}

export const noEstimator: ChunkResult = { outcome: { reason: 'the hub has no estimator any more' }, left: [] };

interface PendingKey extends RunKey {
  readonly chunk: number;
}

/** The run of a chunk that is still pending; otherwise what a delivery of it publishes. */
export function pendingRun(
  stored: DeschedulingRun | undefined,
  { run, chunk }: PendingKey,
): { readonly run: DeschedulingRun } | { readonly published: PublishedOutcome } {
  if (stored?.run !== run || stored.state !== 'Working')
    return { published: { reason: 'the run has ended', events: [] } };
  if (stored.pendingChunks.includes(chunk)) return { run: stored };
  return { published: nextChunk(stored, { reason: 'the chunk was done before' }) };
}

/** Recorded decisions without a result are retried. A binding that could not be queried may have such a record from an earlier delivery. */
export function chunkResult(
  asked: Queried,
  { taken, decided }: Pick<EvictionPlan, 'taken' | 'decided'>,
  carriedOut: readonly ItemResult<Decided, void>[],
): ChunkResult {
  const failed = asked.flatMap(({ item, fault }) => (fault ? [{ key: item, fault }] : []));
  const unfinished = carriedOut.flatMap(({ item, fault }) => (fault ? [{ key: item.decision.binding, fault }] : []));
  const retried = [...unfinished, ...failed.filter(({ fault }) => fault.retryClass !== 'terminal')];
  const answered = asked.filter(({ value }) => value !== undefined).length;
  return {
    outcome: {
      reason: `${count(answered, 'binding')} asked about, ${count(taken, 'replica')} taken out`,
      fields: { taken, decisions: decided.length, faults: failed.length },
    },
    left: retried.map(({ key }) => key),
    fault: retried[0]?.fault,
  };
}

/**
 * The rest of a chunk is a new message, because a delivery with progress must not count as a failed attempt; without
 * progress its fault is thrown. Undefined: nothing is left.
 */
export function restOfChunk(
  { hub, run, chunk: number }: PendingKey,
  bindings: readonly ObjectKey[],
  { outcome, left, fault }: ChunkResult,
): { readonly chunk: CandidateChunk; readonly published: PublishedOutcome } | undefined {
  if (left.length === 0) return undefined;
  if (fault && left.length === bindings.length) throw fault;
  const reason = `${outcome.reason} (${count(left.length, 'binding')} of the chunk left)`;
  const events = [DeschedulingChunkPlanned.of({ hub, run, chunk: number })];
  return { chunk: { hub, run, number, bindings: left }, published: { ...outcome, reason, events } };
}

/** The next pending chunk of the run; undefined: the run is no longer the hub's. */
export function nextChunk(run: DeschedulingRun | undefined, { reason, fields }: Outcome): PublishedOutcome {
  if (run === undefined) return { reason, ...(fields && { fields }), events: [] };
  const { pendingChunks, moved } = run;
  const left = pendingChunks.length === 0 ? 'the last chunk' : `${count(pendingChunks.length, 'chunk')} left`;
  return { reason: `${reason} (${left})`, fields: { ...fields, moved }, events: firstChunk(run) };
}

/** Only the first chunk; its function publishes the next. Two concurrent chunks would claim the same capacity. */
export function firstChunk({ hub, run, pendingChunks }: Pick<DeschedulingRun, 'hub' | 'run' | 'pendingChunks'>) {
  return pendingChunks.slice(0, 1).map((chunk) => DeschedulingChunkPlanned.of({ hub, run, chunk }));
}
