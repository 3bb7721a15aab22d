/** Finds reductions that nobody held in the write that made them, and that members have not carried out yet: what can still be held. */
import type { PlacedBinding } from '../placed-binding.ts';
import { newestTemplate, reportsOf, whyNotCurrent } from '../readiness.ts';
import { fromTimestamp, SECOND } from '../time.ts';
import { assignedTo, suspendedByOthers } from './holds.ts';
import { type ReductionQuestion, whyOthersNotReady } from './release-reduction.ts';
import {
  patienceOf,
  queueOf,
  RELEASED_FOR,
  type ReplicaReductionQueue,
  reductionStrategyOf,
} from './replica-reduction.ts';

/**
 * Only of what the scheduler did within the time that a reduction may wait, and not what was released since: a member that still reports
 * what it is about to lose would else be held again and again. A member that is in the middle of a rollout reports more than it
 * is to have.
 */
export function unheldReductions(question: ReductionQuestion): ReplicaReductionQueue {
  const { binding, members, now, graceSeconds } = question;
  const { metadata, spec, status } = binding;
  const scheduledAt = status.lastScheduledTime;
  if (reductionStrategyOf(binding) === undefined || spec.replicas === 0) return new Map();
  if (metadata.deletionTimestamp !== undefined || scheduledAt == null) return new Map();
  const patience = patienceOf(binding);
  if (now - scheduledAt >= (patience.gracePeriodSeconds ?? graceSeconds) * SECOND) return new Map();
  if (fromTimestamp(metadata.annotations[RELEASED_FOR] ?? '') === scheduledAt) return new Map();
  const others = new Set([
    ...(spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster),
    ...suspendedByOthers(binding),
    ...queueOf(binding).keys(),
  ]);
  const kept = keptElsewhere(binding).filter(
    ({ name }) => !others.has(name) && members.get(name)?.ready && whyOthersNotReady(name, question) !== undefined,
  );
  return new Map(kept.map(({ name, replicas }) => [name, { replicas, ...patience, creationTimestamp: now }]));
}

/** Clusters that have more than they are assigned, by a report of now. */
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
