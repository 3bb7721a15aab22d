/** Counts a workload's pods in its member clusters through the hub's proxy, for hubs whose members have no scheduler-estimator. */
import { setTimeout as wait } from 'node:timers/promises';
import { Fault } from '../core/fault.ts';
import type { Instant } from '../core/time.ts';
import { countUnschedulable } from '../descheduling/count-unschedulable.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { type ObjectReference, referenceKey, referenceLabel } from '../kubernetes/object-reference.ts';
import { deploymentSelectors, type Pod, type PodSelector, pods, selectorText } from '../kubernetes/pods.ts';
import type { ClusterEstimator } from './estimator.ts';

export interface PodEstimatorOptions {
  readonly timeoutMs: number;
  readonly now: () => Instant;
}

export class PodEstimator implements ClusterEstimator {
  readonly #hub: Hub;
  readonly #options: PodEstimatorOptions;
  /** Reads in progress: one workload in a hundred clusters is one read. */
  readonly #selectors = new Map<string, Promise<PodSelector>>();

  constructor(hub: Hub, options: PodEstimatorOptions) {
    this.#hub = hub;
    this.#options = options;
  }

  async unschedulableReplicas(cluster: string, workload: ObjectReference, thresholdSeconds: number): Promise<number> {
    const { timeoutMs, now } = this.#options;
    const found = await withinTime(this.#podsOf(cluster, workload), timeoutMs);
    if (found === undefined)
      throw new Fault('retryable', `the pods of cluster ${cluster} were not listed within ${timeoutMs / 1000} s`, {
        reason: 'EstimatorTimeout',
      });
    return countUnschedulable(workload.name, found, { now: now(), seconds: thresholdSeconds });
  }

  /** Pods do not show the free capacity of a cluster. */
  async maxAvailableReplicas(): Promise<undefined> {
    return undefined;
  }

  async #podsOf(cluster: string, workload: ObjectReference): Promise<readonly Pod[]> {
    const labelSelector = selectorText(await this.#selectorOf(workload));
    const within = { namespace: workload.namespace, labelSelector };
    // By name: a restarted list returns some pods twice.
    const found = new Map<string, Pod>();
    for await (const page of this.#hub.member(cluster).list(pods, within))
      for (const pod of page) found.set(pod.metadata.name, pod);
    return [...found.values()];
  }

  #selectorOf(workload: ObjectReference): Promise<PodSelector> {
    const key = referenceKey(workload);
    const reading = this.#selectors.get(key) ?? this.#readSelector(workload).finally(() => this.#selectors.delete(key));
    this.#selectors.set(key, reading);
    return reading;
  }

  /** From the hub: the members' Deployments are copies, and a selector is immutable. */
  async #readSelector(workload: ObjectReference): Promise<PodSelector> {
    const label = referenceLabel(workload);
    if (workload.apiVersion !== 'apps/v1' || workload.kind !== 'Deployment')
      throw new Fault('terminal', `pods are counted of Deployments only, not of ${label}`, {
        reason: 'EstimatorUnsupported',
      });
    const selector = await this.#hub.get(deploymentSelectors, workload);
    if (selector !== undefined) return selector;
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
