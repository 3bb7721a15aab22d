/** Decides what a chunk's row says after a delivery has worked on it, whatever other deliveries wrote meanwhile. */
import { referenceKey } from '../../shared/model/object-reference.ts';
import { type Chunk, countResults, isResolved, type TaskWorkload } from '../../shared/model/rebalance-task.ts';
import type { Completion } from '../../shared/ports/task-store.ts';

/** Adds results to the row. A result that stands is never replaced: two deliveries at once both speak true, the first is kept. */
export function recordResults(chunk: Chunk, results: readonly TaskWorkload[]): Chunk {
  const byKey = new Map(results.filter(isResolved).map((result) => [referenceKey(result.workload), result]));
  const workloads = chunk.workloads.map((workload) =>
    isResolved(workload) ? workload : (byKey.get(referenceKey(workload.workload)) ?? workload),
  );
  return { ...chunk, workloads };
}

/** The counts a done chunk adds to its task (which at its plan counted done chunks only); undefined while some workload has no result. */
export function completionOf(chunk: Chunk): Completion | undefined {
  const { successful, failed, pending } = countResults(chunk.workloads);
  return pending > 0 ? undefined : { number: chunk.number, successful, failed };
}
