/** Counts a Deployment's unschedulable replicas from the pods that its selector matches in a member cluster, as karmada-scheduler-estimator does. */

import { type Instant, SECOND } from '../core/time.ts';
import type { Pod } from '../kubernetes/pods.ts';

export interface Threshold {
  readonly now: Instant;
  readonly seconds: number;
}

/** Counts only pods of the current ReplicaSet: during a rollout the old pods are removed anyway. */
export function countUnschedulable(deployment: string, found: readonly Pod[], threshold: Threshold): number {
  const its = found.filter((pod) => pod.metadata.deletionTimestamp === undefined && isOf(deployment, pod));
  const current = ownerOf(youngest(its));
  return its.filter((pod) => ownerOf(pod) === current && isUnschedulable(pod, threshold)).length;
}

/**
 * Whether the pod's controller is a ReplicaSet of this Deployment. The selector alone is ambiguous: the
 * Deployments "web" and "web-canary" may both select app=web, and with 3 pods pending in the second, the first, all
 * of whose pods run, would lose 3. A ReplicaSet is named after its Deployment and the hash in its pods' labels.
 */
function isOf(deployment: string, { metadata }: Pod): boolean {
  const hash = metadata.labels['pod-template-hash'];
  const owner = metadata.ownerReferences.find(({ controller }) => controller);
  return hash !== undefined && owner?.kind === 'ReplicaSet' && owner.name === `${deployment}-${hash}`;
}

function ownerOf(pod: Pod | undefined): string | undefined {
  return pod?.metadata.ownerReferences.find(({ controller }) => controller)?.name;
}

/** The current ReplicaSet creates the newest pods, after a rollback too; within one second, the later name wins. */
function youngest(pods: readonly Pod[]): Pod | undefined {
  return pods.reduce<Pod | undefined>((a, b) => (a !== undefined && isYounger(a, b) ? a : b), undefined);
}

function isYounger({ metadata: a }: Pod, { metadata: b }: Pod): boolean {
  return a.creationTimestamp === b.creationTimestamp ? a.name > b.name : a.creationTimestamp > b.creationTimestamp;
}

/** The threshold is exclusive. A condition without a time is infinitely old, as in Karmada. */
function isUnschedulable({ status }: Pod, { now, seconds }: Threshold): boolean {
  const scheduled = status.conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False' || scheduled.reason !== 'Unschedulable') return false;
  return (scheduled.lastTransitionTime ?? 0) + seconds * SECOND < now;
}
