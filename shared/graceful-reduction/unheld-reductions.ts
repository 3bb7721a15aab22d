/** Finds reductions that admission did not hold in their write and that member clusters have not carried out yet, so that they can still be held. */

import { fromTimestamp, SECOND } from '../core/time.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { newestTemplate, reportsOf, whyNotCurrent } from '../karmada/readiness.ts';
import { type ReductionInput, whyOthersNotReady } from './decide-reductions.ts';
import { assignedTo, suspendedByOthers } from './holds.ts';
import {
  gracePeriodOf,
  queueOf,
  RELEASED_FOR,
  type ReplicaReductionQueue,
  reductionStrategyOf,
} from './replica-reduction.ts';

/**
 * Limited to the grace period after the last scheduling, and to reductions that were not released since: otherwise a member that still
 * reports its old replicas would be held repeatedly. A member in the middle of a rollout reports more replicas than
 * assigned.
 */
export function unheldReductions(input: ReductionInput): ReplicaReductionQueue {
  const { binding, members, now, graceSeconds } = input;
  const { metadata, spec, status } = binding;
  const scheduledAt = status.lastScheduledTime;
  if (reductionStrategyOf(binding) === undefined || spec.replicas === 0) return new Map();
  if (metadata.deletionTimestamp !== undefined || scheduledAt == null) return new Map();
  const gracePeriod = gracePeriodOf(binding);
  if (now - scheduledAt >= (gracePeriod.gracePeriodSeconds ?? graceSeconds) * SECOND) return new Map();
  if (fromTimestamp(metadata.annotations[RELEASED_FOR] ?? '') === scheduledAt) return new Map();
  const others = new Set([
    ...(spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster),
    ...suspendedByOthers(binding),
    ...queueOf(binding).keys(),
  ]);
  const kept = keptElsewhere(binding).filter(
    ({ name }) => !others.has(name) && members.get(name)?.ready && whyOthersNotReady(name, input) !== undefined,
  );
  return new Map(
    kept.map(({ name, replicas }) => [
      name,
      { replicas: Math.min(replicas, spec.replicas), ...gracePeriod, creationTimestamp: now },
    ]),
  );
}

/** Clusters with more replicas than assigned, by a current report. */
function keptElsewhere(binding: PlacedBinding): readonly { readonly name: string; readonly replicas: number }[] {
  const template = newestTemplate(binding);
  return [...reportsOf(binding)].flatMap(([name, report]) => {
    const { replicas, readyReplicas, updatedReplicas } = report.status ?? {};
    if (replicas == null || whyNotCurrent(report, template) !== undefined) return [];
    const isRollingOut = (updatedReplicas ?? replicas) < replicas;
    const isMore = replicas > assignedTo(binding, name) && (readyReplicas ?? 0) > 0;
    return isMore && !isRollingOut ? [{ name, replicas }] : [];
  });
}
