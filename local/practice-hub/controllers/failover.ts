/** Taints failed members, evicts their replicas after the toleration, and removes the taint on recovery; never moves replicas back. */

import { DAY, toTimestamp } from '../../../shared/core/time.ts';
import { parseCluster, type Taint } from '../../../shared/karmada/assignment/cluster.ts';
import { toleratedUntil } from '../../../shared/karmada/assignment/match-cluster.ts';
import type { KubeObject } from '../store/objects.ts';
import { controllerManager as by } from './actors.ts';
import { type BindingView, bindingPlurals, readBinding, specChanged } from './binding-view.ts';
import { workloadKinds } from './detector.ts';
import type { MemberCluster } from './member-cluster.ts';
import type { Recorder } from './record-event.ts';
import type { Controller, ControllerContext } from './work-loop.ts';

/** A timer of more than 24.8 days would fire at once; this one fires after a day and is set again. */
const LONGEST_WAIT = DAY;
const NOT_READY = 'cluster.karmada.io/not-ready';
/** The API groups of the members: those of all propagated kinds. */
const apiEnablements = workloadKinds.map(({ apiVersion, plural, kind }) => ({
  groupVersion: apiVersion,
  resources: [{ name: plural, kind }],
}));

export interface Failover extends Controller {
  /** Reports the member's readiness, and sets or removes the taint. */
  reportReadiness(member: MemberCluster): void;
}

export interface FailoverOptions extends ControllerContext {
  readonly recorder: Recorder;
  /** How long replicas stay on a cluster that is not ready, unless the placement has a toleration. */
  readonly tolerationMs: number;
}

export function createFailover({ store, loop, now, recorder, tolerationMs }: FailoverOptions): Failover {
  const queue = loop.queue(evictDue);

  /** Evicts bindings that are due, and sets a timer for the others. */
  function evictDue(name: string): void {
    const object = store.get('clusters', { namespace: '', name });
    const taints = object ? parseCluster(object).taints.filter(({ effect }) => effect === 'NoExecute') : [];
    if (taints.length === 0) return;
    let next = Number.POSITIVE_INFINITY;
    for (const plural of bindingPlurals) {
      for (const stored of store.list(plural)) {
        if (!assignedTo(stored, name)) continue;
        const binding = readable(plural, stored);
        if (binding === undefined) continue;
        const tolerations = binding.spec.placement?.clusterTolerations ?? [];
        const at = Math.min(...taints.map((taint) => toleratedUntil(taint, tolerations, untoleratedMs(taint))));
        if (at <= now()) evict(binding, name);
        else next = Math.min(next, at);
      }
    }
    if (Number.isFinite(next)) queue.addAfter(name, Math.min(next - now(), LONGEST_WAIT));
  }

  /** Without a toleration, only not-ready has a default. */
  function untoleratedMs({ key }: Taint): number {
    return key === NOT_READY ? tolerationMs : 0;
  }

  function evict(binding: BindingView, cluster: string): void {
    const { plural, key, spec } = binding;
    const clusters = spec.clusters.filter(({ name }) => name !== cluster);
    const task = {
      fromCluster: cluster,
      purgeMode: 'Gracefully',
      reason: 'TaintUntolerated',
      producer: 'TaintManager',
      creationTimestamp: toTimestamp(now()),
    };
    const tasks = (store.get(plural, key)?.spec?.gracefulEvictionTasks ?? []) as readonly { fromCluster: string }[];
    const gracefulEvictionTasks = [...tasks.filter(({ fromCluster }) => fromCluster !== cluster), task];
    store.patch(plural, key, { type: 'merge', body: { spec: { clusters, gracefulEvictionTasks } } }, by);
    const message = `Evict from cluster ${cluster} succeed.`;
    recorder.recordOnBoth(binding, { type: 'Normal', reason: 'EvictWorkloadFromClusterSucceed', message }, by);
  }

  function setNotReady(name: string, wanted: boolean): void {
    const at = { namespace: '', name };
    const taints = taintsOf(store.get('clusters', at));
    if (taints.some(({ key }) => key === NOT_READY) === wanted) return;
    const others = taints.filter(({ key }) => key !== NOT_READY);
    const taint = { key: NOT_READY, effect: 'NoExecute', timeAdded: toTimestamp(now()) };
    const body = { spec: { taints: wanted ? [...others, taint] : others } };
    store.patch('clusters', at, { type: 'merge', body }, by);
  }

  return {
    onChange(change) {
      if (change.plural === 'clusters' && specChanged(change)) queue.add(change.object.metadata.name);
    },
    reportReadiness(member) {
      const { name } = member.options;
      const at = { namespace: '', name };
      const before = (store.get('clusters', at)?.status?.conditions ?? []) as readonly Record<string, unknown>[];
      const status = member.failed ? 'False' : 'True';
      if (before.find(({ type }) => type === 'Ready')?.status !== status) {
        const reasons = member.failed
          ? { reason: 'ClusterNotReachable', message: 'cluster is not reachable' }
          : { reason: 'ClusterReady', message: 'cluster is healthy and ready to accept workloads' };
        const ready = { type: 'Ready', status, ...reasons, lastTransitionTime: toTimestamp(now()) };
        const conditions = [...before.filter(({ type }) => type !== 'Ready'), ready];
        // Reported together with the readiness, so that the scheduler can use the capacity at once.
        const body = {
          status: { conditions, ...(!member.failed && { resourceSummary: member.summary(), apiEnablements }) },
        };
        store.patch('clusters', at, { type: 'merge', body, subresource: 'status' }, by);
      }
      setNotReady(name, member.failed);
    },
  };
}

/** Whether the hub marks the cluster as failed: the state of a member after the hub's restart. */
export function isMarkedFailed(cluster: KubeObject): boolean {
  return taintsOf(cluster).some(({ key }) => key === NOT_READY);
}

function taintsOf(cluster: KubeObject | undefined): readonly Taint[] {
  const taints = cluster?.spec?.taints;
  return Array.isArray(taints) ? (taints as readonly Taint[]) : [];
}

/** An unreadable binding must not stop the eviction of others; the scheduler's queue reports it. */
function readable(plural: string, stored: KubeObject): BindingView | undefined {
  try {
    return readBinding(plural, stored);
  } catch {
    return undefined;
  }
}

/** Avoids parsing, since all bindings are searched for a cluster that may have few. */
function assignedTo({ spec }: KubeObject, cluster: string): boolean {
  const clusters = (spec?.clusters ?? []) as readonly { readonly name: string }[];
  return clusters.some(({ name }) => name === cluster);
}
