/** Runs what bindings assign on the simulated members, and reports it: aggregatedStatus of bindings, resources of clusters. */
import { isDeepStrictEqual } from 'node:util';
import type { AssumedRoom } from '../../../shared/model/assignment/assumed-room.ts';
import { withCondition } from '../../../shared/model/condition.ts';
import { isWorkload } from '../../../shared/model/placed-binding.ts';
import { keyOf } from '../store/object-collection.ts';
import type { Change, Key, ObjectStore } from '../store/objects.ts';
import { controllerManager as by } from './actors.ts';
import {
  type BindingView,
  bindingPlurals,
  getByWorkKey,
  readBinding,
  readWorkKey,
  specChanged,
  workKey,
} from './binding-view.ts';
import { createMemberCluster, type MemberCluster, type MemberOptions } from './member-cluster.ts';
import type { WorkLoop } from './work-loop.ts';

export interface Members {
  readonly byName: ReadonlyMap<string, MemberCluster>;
  /** A member more; the hub hears of it from whoever adds it. */
  add(options: MemberOptions): MemberCluster;
  onChange(change: Change): void;
  /** Has everything on this member looked at again: it failed, recovered or was emptied. */
  revisit(member: MemberCluster): void;
  /** Has the hub told of every member's room now; it is told after each round of work as well. */
  reportResources(): void;
  /** What the members run of a binding, whatever the hub knows of it. */
  running(binding: string): ReadonlyMap<string, number>;
}

export interface MembersOptions {
  readonly store: ObjectStore;
  readonly loop: WorkLoop;
  readonly now: () => number;
  readonly assumed: AssumedRoom;
}

type Entry = Readonly<Record<string, unknown>>;

interface Placed {
  /** Of the binding: one that was deleted and made again has none of its pods. */
  readonly uid: string;
  readonly on: Set<MemberCluster>;
}

export function createMembers({ store, loop, now, assumed }: MembersOptions): Members {
  // Unlimited a turn: the clusters' reports at its end must hold all that the scheduler placed in it.
  const places = loop.queue(place, Number.POSITIVE_INFINITY);
  const reports = loop.queue(report);
  const byName = new Map<string, MemberCluster>();
  /** Bindings seen, with the members that run something of them: 1,000 members are not asked about each of 5,000 bindings. */
  const placed = new Map<string, Placed>();

  function place(key: string): void {
    const object = getByWorkKey(store, key);
    const binding = object && readBinding(readWorkKey(key).plural, object);
    const before = placed.get(key);
    if (before !== undefined && before.uid !== binding?.metadata.uid) remove(key, before);
    if (binding === undefined) return;
    const adopting = !placed.has(key);
    const { on } = placed.get(key) ?? { on: new Set<MemberCluster>() };
    const named = [...binding.spec.clusters, ...(adopting ? reportedClusters(binding) : [])];
    for (const { name } of named) {
      const member = byName.get(name);
      if (member) on.add(member);
    }
    for (const member of on) {
      const { name } = member.options;
      const had = adopting ? reportedCounts(binding, name) : member.counts(key);
      const replicas = wantedReplicas(binding, name, had.replicas);
      const request = binding.spec.replicaRequirements?.resourceRequest ?? undefined;
      member.want(key, { replicas, request }, adopting ? had.ready : 0);
      if (replicas === 0 && !named.some((cluster) => cluster.name === name)) on.delete(member);
    }
    placed.set(key, { uid: binding.metadata.uid, on });
    reports.add(key);
  }

  /** The binding has gone, or is another one of the same name: its pods go. */
  function remove(key: string, { on }: Placed): void {
    for (const member of on) member.want(key, { replicas: 0, request: undefined });
    placed.delete(key);
  }

  function report(key: string): void {
    const object = getByWorkKey(store, key);
    if (object === undefined) return;
    const binding = readBinding(readWorkKey(key).plural, object);
    const before = (object.status?.aggregatedStatus ?? []) as readonly Entry[];
    const listed = [...binding.spec.clusters.map(({ name }) => name), ...heldClusters(binding)];
    const aggregatedStatus = [...new Set(listed)].sort().flatMap((name): Entry[] => {
      const member = byName.get(name);
      const last = before.find(({ clusterName }) => clusterName === name);
      // A member that has failed says nothing: what it said last stands.
      if (member === undefined || member.failed) return last === undefined ? [] : [last];
      return [entryOf(binding, name, member.counts(key))];
    });
    const complete = listed.length > 0 && aggregatedStatus.length === new Set(listed).size;
    const condition = complete ? FULLY_APPLIED : NOT_APPLIED;
    const conditions = withCondition(binding.status.conditions, condition, now());
    if (isDeepStrictEqual([aggregatedStatus, conditions], [before, binding.status.conditions])) return;
    if (listed.length === 0 && before.length === 0) return;
    const patch = { type: 'merge', body: { status: { aggregatedStatus, conditions } }, subresource: 'status' } as const;
    store.patch(binding.plural, binding.key, patch, by);
  }

  function reportResources(): void {
    for (const member of byName.values()) {
      if (member.failed) continue;
      for (const workload of member.startWaiting()) reports.add(workload);
      const key: Key = { namespace: '', name: member.options.name };
      const body = { status: { resourceSummary: member.summary() } };
      const cluster = store.get('clusters', key);
      if (cluster === undefined || isDeepStrictEqual(cluster.status?.resourceSummary, body.status.resourceSummary))
        continue;
      store.patch('clusters', key, { type: 'merge', body, subresource: 'status' }, by);
    }
    assumed.clear();
  }
  loop.afterRound(reportResources);

  return {
    byName,
    add(options) {
      const { name } = options;
      if (byName.has(name)) throw new Error(`there is a member ${name} already; join one by another name`);
      const onReady = (workloads: readonly string[]): void => workloads.forEach((key) => reports.add(key));
      const member = createMemberCluster(options, { now, later: loop.later, onReady });
      byName.set(name, member);
      return member;
    },
    reportResources,
    onChange(change) {
      if (!(bindingPlurals as readonly string[]).includes(change.plural) || !specChanged(change)) return;
      places.add(workKey(change.plural, keyOf(change.object)));
    },
    revisit(member) {
      for (const [key, { on }] of placed) if (on.has(member)) places.add(key);
    },
    running: (key) =>
      new Map([...(placed.get(key)?.on ?? [])].map((member) => [member.options.name, member.counts(key).ready])),
  };
}

const FULLY_APPLIED = {
  type: 'FullyApplied',
  status: 'True',
  reason: 'FullyAppliedSuccess',
  message: 'All works have been successfully applied',
} as const;
const NOT_APPLIED = {
  type: 'FullyApplied',
  status: 'False',
  reason: 'FullyAppliedFailed',
  message: 'Failed to apply all works, see status.aggregatedStatus for details',
} as const;

/** The pods a member is to run: what is assigned, except where a suspension or an eviction task holds what was there. */
function wantedReplicas(binding: BindingView, member: string, before: number): number {
  const { suspension, clusters } = binding.spec;
  const held = suspension?.dispatching === true || suspension?.dispatchingOnClusters?.clusterNames?.includes(member);
  if (held || heldClusters(binding).includes(member)) return before;
  const assigned = clusters.find(({ name }) => name === member);
  if (assigned === undefined || !isWorkload(binding)) return 0;
  return assigned.replicas;
}

/** Clusters that are no longer assigned and keep the work until their eviction task has gone. */
function heldClusters({ spec }: BindingView): string[] {
  return (spec.gracefulEvictionTasks ?? [])
    .filter(({ purgeMode }) => purgeMode !== 'Directly' && purgeMode !== 'Immediately')
    .map(({ fromCluster }) => fromCluster)
    .filter((name) => !spec.clusters.some((cluster) => cluster.name === name));
}

function reportedClusters({ status }: BindingView): { name: string }[] {
  return status.aggregatedStatus.map(({ clusterName }) => ({ name: clusterName }));
}

/** After a restart of the hub the members' pods are taken to be as last reported. */
function reportedCounts({ status }: BindingView, member: string): { replicas: number; ready: number } {
  const last = status.aggregatedStatus.find(({ clusterName }) => clusterName === member)?.status;
  return { replicas: last?.replicas ?? 0, ready: last?.readyReplicas ?? 0 };
}

/** readyReplicas is absent, not 0, where none is ready: that is how Deployments report it. */
function entryOf(
  binding: BindingView,
  clusterName: string,
  { replicas, ready }: { replicas: number; ready: number },
): Entry {
  if (!isWorkload(binding)) return { clusterName, applied: true, health: 'Unknown' };
  const health = ready === replicas ? 'Healthy' : 'Unhealthy';
  return { clusterName, applied: true, health, status: { replicas, ...(ready > 0 && { readyReplicas: ready }) } };
}
