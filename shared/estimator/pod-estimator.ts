/** Counts a workload's pods in its member clusters through the hub's proxy, for hubs whose members have no scheduler-estimator. */

import { setTimeout as wait } from 'node:timers/promises';
import { Fault } from '../core/fault.ts';
import type { Instant } from '../core/time.ts';
import { NOT_MOVABLE } from '../descheduling/cluster-readings.ts';
import { countUnschedulable } from '../descheduling/count-unschedulable.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { type ObjectReference, referenceKey, referenceLabel } from '../kubernetes/object-reference.ts';
import { type Pod, type PodOwner, podOwnerOf, pods, selectorText } from '../kubernetes/pods.ts';
import { type AssignedWorkload, type ClusterEstimator } from './estimator.ts';

export interface PodEstimatorOptions {
  readonly timeoutMs: number;
  readonly now: () => Instant;
}

export class PodEstimator implements ClusterEstimator {
  readonly #hub: Hub;
  readonly #options: PodEstimatorOptions;
  /** Reads in progress: one workload in a hundred clusters is one read. */
  readonly #owners = new Map<string, Promise<PodOwner>>();

  constructor(hub: Hub, options: PodEstimatorOptions) {
    this.#hub = hub;
    this.#options = options;
  }

  async unschedulableReplicas(cluster: string, workload: AssignedWorkload, thresholdSeconds: number): Promise<number> {
    const { timeoutMs, now } = this.#options;
    const found = await withinTime(this.#find(cluster, workload), timeoutMs);
    if (found === undefined)
      throw new Fault('retryable', `the pods of cluster ${cluster} were not listed within ${timeoutMs / 1000} s`, {
        reason: 'EstimatorTimeout',
      });
    const { pods: its, firstOrdinal, bound } = found;
    const count = countUnschedulable({ ...workload, firstOrdinal }, its, { now: now(), seconds: thresholdSeconds });
    if (count === 0 || bound === undefined) return count;
    throw new Fault('terminal', `${referenceLabel(workload)} keeps its replicas: ${bound}`, { reason: NOT_MOVABLE });
  }

  /** Pods do not show the free capacity of a cluster. */
  async maxAvailableReplicas(): Promise<undefined> {
    return undefined;
  }

  async #find(cluster: string, workload: ObjectReference): Promise<PodOwner & { readonly pods: readonly Pod[] }> {
    const owner = await this.#ownerOf(workload);
    const labelSelector = selectorText(owner.selector);
    const within = { namespace: workload.namespace, labelSelector };
    // By name: a restarted list returns some pods twice.
    const found = new Map<string, Pod>();
    for await (const page of this.#hub.member(cluster).list(pods, within))
      for (const pod of page) found.set(pod.metadata.name, pod);
    return { ...owner, pods: [...found.values()] };
  }

  #ownerOf(workload: ObjectReference): Promise<PodOwner> {
    const key = referenceKey(workload);
    const reading = this.#owners.get(key) ?? this.#readOwner(workload).finally(() => this.#owners.delete(key));
    this.#owners.set(key, reading);
    return reading;
  }

  /** From the hub: the members' workloads are copies, and what is read of them is immutable. */
  async #readOwner(workload: ObjectReference): Promise<PodOwner> {
    const label = referenceLabel(workload);
    const kind = podOwnerOf(workload);
    if (kind === undefined)
      throw new Fault('terminal', `pods are counted of Deployments, StatefulSets and Jobs, not of ${label}`, {
        reason: NOT_MOVABLE,
      });
    const owner = await this.#hub.get(kind, workload);
    if (owner !== undefined) return owner;
    throw new Fault('retryable', `${label} is not on hub ${this.#hub.name}`, { reason: 'WorkloadMissing' });
  }
}

/** Undefined on timeout. */
async function withinTime<T>(answer: Promise<T>, ms: number): Promise<T | undefined> {
  const answered = new AbortController();
  try {
    return await Promise.race([answer, wait(ms, undefined, { signal: answered.signal })]);
  } finally {
    answered.abort();
  }
}
