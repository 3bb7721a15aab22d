/** Counts a Deployment's replicas that no node takes, from the pods its selector finds in a member: what karmada-scheduler-estimator would answer. */
import type { Pod } from './pods.ts';
import { type Instant, SECOND } from './time.ts';

export interface Threshold {
  readonly now: Instant;
  readonly seconds: number;
}

/** Of the Deployment's current ReplicaSet: while a new version is rolled out, the pods of the old one are on their way out by themselves. */
export function countUnschedulable(deployment: string, found: readonly Pod[], threshold: Threshold): number {
  const its = found.filter((pod) => pod.metadata.deletionTimestamp === undefined && isOf(deployment, pod));
  const current = ownerOf(youngest(its));
  return its.filter((pod) => ownerOf(pod) === current && isUnschedulable(pod, threshold)).length;
}

/**
 * Whether the pod's controller is a ReplicaSet of this Deployment. The selector alone says less: nothing keeps the
 * Deployments "web" and "web-canary" from both selecting app=web, and with 3 pods pending in the second, the first, all
 * of whose pods run, would lose 3. A Deployment names its ReplicaSets after itself and the hash that their pods carry.
 */
function isOf(deployment: string, { metadata }: Pod): boolean {
  const hash = metadata.labels['pod-template-hash'];
  const owner = metadata.ownerReferences.find(({ controller }) => controller);
  return hash !== undefined && owner?.kind === 'ReplicaSet' && owner.name === `${deployment}-${hash}`;
}

function ownerOf(pod: Pod | undefined): string | undefined {
  return pod?.metadata.ownerReferences.find(({ controller }) => controller)?.name;
}

/** New pods are made by the current ReplicaSet, after a rollback too; of one second, by the later name. */
function youngest(pods: readonly Pod[]): Pod | undefined {
  return pods.reduce<Pod | undefined>((a, b) => (a !== undefined && isYounger(a, b) ? a : b), undefined);
}

function isYounger({ metadata: a }: Pod, { metadata: b }: Pod): boolean {
  return a.creationTimestamp === b.creationTimestamp ? a.name > b.name : a.creationTimestamp > b.creationTimestamp;
}

/** A time that is just reached is not passed yet. A condition without a time has been so since ever, as Karmada reads it. */
function isUnschedulable({ status }: Pod, { now, seconds }: Threshold): boolean {
  const scheduled = status.conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status !== 'False' || scheduled.reason !== 'Unschedulable') return false;
  return (scheduled.lastTransitionTime ?? 0) + seconds * SECOND < now;
}
