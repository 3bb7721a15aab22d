/** Merges a delivery's results into a chunk's row, with concurrent writes of other deliveries. */
import { Fault } from '../../shared/core/fault.ts';
import { referenceKey } from '../../shared/kubernetes/object-reference.ts';
import {
  type Chunk,
  countResults,
  isResolved,
  type TaskWorkload,
} from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { Completion } from '../../shared/workload-rebalancer/task-store.ts';

/**
 * Adds results and held triggers to the row. An existing result is never replaced: of two concurrent deliveries both are
 * correct, and the first is kept.
 */
export function recordResults(chunk: Chunk, results: readonly TaskWorkload[]): Chunk {
  const byKey = new Map(results.filter(isWorthKeeping).map((result) => [referenceKey(result.workload), result]));
  const workloads = chunk.workloads.map((workload) =>
    isResolved(workload) ? workload : (byKey.get(referenceKey(workload.workload)) ?? workload),
  );
  return { ...chunk, workloads };
}

/** The row that a concurrent delivery wrote. */
export function storedRow(stored: Chunk | undefined, { number, plan }: Chunk): Chunk {
  if (stored !== undefined) return stored;
  throw new Fault('retryable', `chunk ${number} of plan ${plan} has no row`, { reason: 'ChunkMissing' });
}

function isWorthKeeping(workload: TaskWorkload): boolean {
  return isResolved(workload) || workload.held !== undefined;
}

/** The counts a completed chunk adds to its task (whose plan counts completed chunks only); undefined while some workload has no result. */
export function completionOf(chunk: Chunk): Completion | undefined {
  const { successful, failed, pending } = countResults(chunk.workloads);
  return pending > 0 ? undefined : { number: chunk.number, successful, failed };
}
