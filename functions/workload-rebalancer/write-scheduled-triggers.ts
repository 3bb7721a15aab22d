/** Writes the triggers of bindings that name our scheduler together with their new assignments. */
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { asFault } from '../../shared/core/fault.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import { placedKind } from '../../shared/karmada/placed-binding.ts';
import { readClusters } from '../../shared/karmada/read-clusters.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { type AssignmentPorts, writeAssignments } from '../../shared/scheduler/write-assignments.ts';
import type { TaskWorkload } from '../../shared/workload-rebalancer/rebalance-task.ts';
import { inRounds } from './chunk-progress.ts';
import { ofOurScheduler, type TriggeredAssignment, triggeredAssignments, triggeredBy } from './schedule-triggered.ts';
import type { PendingWorkloads, Triggered } from './trigger-bindings.ts';

/**
 * `left`: those of other schedulers, and those that could not be assigned now, for whatever reason: their triggers are written alone, and an event
 * for each then has its own retries.
 */
export async function writeScheduledTriggers(
  hub: Hub,
  { task, workloads }: PendingWorkloads,
  ports: AssignmentPorts,
): Promise<{ readonly scheduled: readonly Triggered[]; readonly left: readonly TaskWorkload[] }> {
  const scheduled: Triggered[] = [];
  const ours = ofOurScheduler(workloads);
  if (ours.length === 0) return { scheduled, left: workloads };
  try {
    const clusters = await readClusters(hub);
    for (const some of inRounds(ours, ports.settings)) {
      const items = await readItems(hub, { task, workloads: some }, ports);
      scheduled.push(...triggeredBy(await writeAssignments(hub, items, clusters, ports)));
    }
  } catch (thrown) {
    const { reason, message: error } = asFault(thrown);
    ports.telemetry.outcome('EK312', { hub: hub.name, reason, error });
  }
  const done = new Set(scheduled.map(({ workload: { workload } }) => workload));
  return { scheduled, left: workloads.filter(({ workload }) => !done.has(workload)) };
}

/** A plan has no placements, so each is read, from the API server's cache. One that can't be read is left. */
async function readItems(
  hub: Hub,
  { task, workloads }: PendingWorkloads,
  { settings, now }: AssignmentPorts,
): Promise<readonly TriggeredAssignment[]> {
  const read = await eachAtOnce(workloads, settings.hubInFlight, async (workload) => {
    const notOlderThan = workload.seen?.resourceVersion;
    const key = bindingKey(workload.workload);
    return { workload, binding: await hub.get(placedKind(key), key, { notOlderThan }).catch(() => undefined) };
  });
  return triggeredAssignments(task, read, now());
}
