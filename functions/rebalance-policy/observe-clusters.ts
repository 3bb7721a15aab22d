/** Decides since when each cluster has been healthy without interruption, from the current and the previous observation. */

import type { Instant } from '../../shared/core/time.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import type { ClusterObservations } from '../../shared/rebalance-policy/policy-run.ts';

type ClusterObservation = ClusterObservations['clusters'][string];

/** The observations to save, and whether they differ from the saved ones. */
export function nextObservations(
  hub: string,
  before: ClusterObservations = { hub, version: 0, clusters: {} },
  { members, now }: { readonly members: readonly Member[]; readonly now: Instant },
): { readonly next: ClusterObservations; readonly isChanged: boolean } {
  const clusters = observeClusters(before.clusters, members, now);
  return { next: { ...before, clusters }, isChanged: JSON.stringify(clusters) !== JSON.stringify(before.clusters) };
}

/**
 * Worked examples (observed before → observed at 10:00 → healthy since):
 *
 * | before | now | since | because |
 * |---|---|---|---|
 * | nothing | healthy, Ready since 08:00 | 08:00 | as the hub reports |
 * | healthy since 08:00 | not ready, or tainted | – | |
 * | not healthy | healthy, Ready since 09:58 | 10:00 | the removal time of its taint is not recorded |
 * | healthy since 08:00 | healthy, Ready since 09:59 | 09:59 | it was not Ready between two observations |
 * | healthy since 10:00 | healthy, Ready since 09:58 | 10:00 | |
 */
export function observeClusters(
  before: ClusterObservations['clusters'],
  members: readonly Member[],
  now: Instant,
): ClusterObservations['clusters'] {
  return Object.fromEntries(members.map((member) => [member.uid, observe(before[member.uid], member, now)]));
}

function observe(
  before: ClusterObservation | undefined,
  { cluster: { name }, healthy, readySince = 0 }: Member,
  now: Instant,
): ClusterObservation {
  if (!healthy) return { name };
  const ready = Math.min(readySince, now);
  if (before === undefined) return { name, readySince: ready };
  return { name, readySince: before.readySince === undefined ? now : Math.max(before.readySince, ready) };
}
