/** Counts a workload's unschedulable replicas that a smaller number of replicas removes, from the pods that its selector matches in a member cluster. */

import { type Instant, SECOND } from '../core/time.ts';
import type { Pod } from '../kubernetes/pods.ts';

export interface Threshold {
  readonly now: Instant;
  readonly seconds: number;
}

export interface CountedWorkload {
  readonly kind: string;
  readonly name: string;
  /** The replicas that are assigned to the cluster. */
  readonly replicas: number;
  /** The ordinal of a StatefulSet's first pod. */
  readonly firstOrdinal: number;
}

export function countUnschedulable(workload: CountedWorkload, found: readonly Pod[], threshold: Threshold): number {
  if (workload.kind === 'StatefulSet') return countHighest(workload, found, threshold);
  const its = found.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  return workload.kind === 'Job'
    ? its.filter((pod) => isControlledBy(workload, pod) && isUnschedulable(pod, threshold)).length
    : countOfDeployment(workload.name, its, threshold);
}

/** Counts only pods of the current ReplicaSet: during a rollout the old pods are removed anyway. As karmada-scheduler-estimator does. */
function countOfDeployment(name: string, found: readonly Pod[], threshold: Threshold): number {
  const its = found.filter((pod) => isOf(name, pod));
  const current = ownerOf(youngest(its));
  return its.filter((pod) => ownerOf(pod) === current && isUnschedulable(pod, threshold)).length;
}

/**
 * A StatefulSet removes the highest ordinals, whatever their state: as many as are unschedulable, or not created because one below is.
 * Pods 0 to 4 with 2 and 4 unschedulable: 1, because pod 3 would be removed before pod 2.
 */
function countHighest(workload: CountedWorkload, found: readonly Pod[], threshold: Threshold): number {
  const { name, replicas, firstOrdinal } = workload;
  const its = new Map(found.filter((pod) => isControlledBy(workload, pod)).map((pod) => [pod.metadata.name, pod]));
  let count = 0;
  for (let removed = 1; removed <= replicas; removed += 1) {
    const pod = its.get(`${name}-${firstOrdinal + replicas - removed}`);
    if (pod === undefined) continue;
    if (pod.metadata.deletionTimestamp !== undefined || !isUnschedulable(pod, threshold)) break;
    count = removed;
  }
  return count;
}

function isControlledBy({ kind, name }: CountedWorkload, { metadata }: Pod): boolean {
  const owner = metadata.ownerReferences.find(({ controller }) => controller);
  return owner?.kind === kind && owner.name === name;
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
