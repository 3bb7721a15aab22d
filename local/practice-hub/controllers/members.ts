/** Registers the simulated members, runs the assigned workloads on them, and reports aggregatedStatus of bindings and resources of clusters. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { AssumeCache } from '../../../shared/karmada/assignment/assume-cache.ts';
import { withCondition } from '../../../shared/kubernetes/condition.ts';
import { keyOf } from '../store/object-collection.ts';
import type { Key, KubeObject, ObjectStore } from '../store/objects.ts';
import { controllerManager as by } from './actors.ts';
import {
  type BindingView,
  bindingAt,
  bindingPlurals,
  getByWorkKey,
  readBinding,
  readWorkKey,
  specChanged,
  workKey,
} from './binding-view.ts';
import { createMemberCluster, type MemberCluster, type MemberOptions } from './member-cluster.ts';
import {
  assignedReplicas,
  dispatchedNext,
  entryOf,
  FULLY_APPLIED,
  isHeld,
  type MemberWork,
  NOT_APPLIED,
  otherClusters,
  reportedCounts,
  reportedWork,
} from './member-work.ts';
import type { Controller, ControllerContext } from './work-loop.ts';

export interface Members extends Controller {
  readonly byName: ReadonlyMap<string, MemberCluster>;
  /** Adds a member; the caller creates its Cluster. */
  add(options: MemberOptions): MemberCluster;
  /** Reconciles all bindings of this member: it failed, recovered or was drained. */
  revisit(member: MemberCluster): void;
  /** Reports every member's resources now; they are also reported after each round of the work loop. */
  reportResources(): void;
  /** The replicas of a binding that run in the members, regardless of the hub's state. */
  running(binding: string): ReadonlyMap<string, number>;
}

type PodTemplateEntry = Readonly<Record<string, unknown>>;

interface Placed {
  /** The binding's uid: a recreated binding has none of its pods. */
  readonly uid: string;
  /** The last applied version by member; undefined if none was applied yet. */
  readonly on: Map<MemberCluster, MemberWork | undefined>;
}

export function createMembers({ store, loop, now, assumed }: ControllerContext & { assumed: AssumeCache }): Members {
  // Unlimited batch: the clusters' reports at the end of a round must include all that the scheduler assigned in it.
  const places = loop.queue(place, Number.POSITIVE_INFINITY);
  const reports = loop.queue(report);
  const byName = new Map<string, MemberCluster>();
  /** Bindings with the members that run them, so that 1,000 members are not searched for each of 5,000 bindings. */
  const placed = new Map<string, Placed>();

  function place(key: string): void {
    const binding = bindingAt(store, key);
    const before = placed.get(key);
    if (before !== undefined && before.uid !== binding?.metadata.uid) remove(key, before);
    if (binding === undefined) return;
    const adopting = !placed.has(key);
    const { on } = placed.get(key) ?? { on: new Map<MemberCluster, MemberWork | undefined>() };
    const named = [...binding.spec.clusters, ...(adopting ? reportedClusters(binding) : [])];
    for (const { name } of named) {
      const member = byName.get(name);
      if (member && !on.has(member)) on.set(member, adopting ? reportedWork(binding, name) : undefined);
    }
    for (const [member, work] of on) {
      const { name } = member.options;
      const had = adopting ? reportedCounts(binding, name) : member.counts(key);
      const held = isHeld(binding, name);
      // Held replicas keep their version, regardless of changes to the workload.
      if (held && !adopting) continue;
      const replicas = held ? had.replicas : assignedReplicas(binding, name);
      const request = binding.spec.replicaRequirements?.resourceRequest ?? undefined;
      member.want(key, { replicas, request }, adopting ? had.ready : 0);
      if (!held) on.set(member, dispatchedNext(work, { replicas, template: templateOf(binding) }));
      if (replicas === 0 && !named.some((cluster) => cluster.name === name)) on.delete(member);
    }
    placed.set(key, { uid: binding.metadata.uid, on });
    reports.add(key);
  }

  /** The version of the hub's workload to apply. */
  function templateOf({ spec: { resource } }: BindingView): number {
    const { namespace, name } = resource;
    const object = resource.kind === 'Deployment' ? store.get('deployments', { namespace, name }) : undefined;
    return object?.metadata.generation ?? 1;
  }

  /** The binding was deleted or recreated: deletes its pods. */
  function remove(key: string, { on }: Placed): void {
    for (const member of on.keys()) member.want(key, { replicas: 0, request: undefined });
    placed.delete(key);
  }

  function report(key: string): void {
    const object = getByWorkKey(store, key);
    if (object === undefined) return;
    const binding = readBinding(readWorkKey(key).plural, object);
    const before = (object.status?.aggregatedStatus ?? []) as readonly PodTemplateEntry[];
    const listed = [...binding.spec.clusters.map(({ name }) => name), ...otherClusters(binding)];
    const aggregatedStatus = [...new Set(listed)].sort().flatMap((name): PodTemplateEntry[] => {
      const member = byName.get(name);
      const last = before.find(({ clusterName }) => clusterName === name);
      // A failed member reports nothing: its last report stays.
      if (member === undefined || member.failed) return last === undefined ? [] : [last];
      return [entryOf(binding, name, { ...member.counts(key), ...placed.get(key)?.on.get(member) })];
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
      if (byName.has(name)) throw new Error(`member ${name} already exists; use another name`);
      const onReady = (workloads: readonly string[]): void => workloads.forEach((key) => reports.add(key));
      const member = createMemberCluster(options, { now, later: loop.later, onReady });
      byName.set(name, member);
      return member;
    },
    reportResources,
    onChange(change) {
      if (!bindingPlurals.includes(change.plural) || !specChanged(change)) return;
      places.add(workKey(change.plural, keyOf(change.object)));
    },
    revisit(member) {
      for (const [key, { on }] of placed) if (on.has(member)) places.add(key);
    },
    running: (key) =>
      new Map([...(placed.get(key)?.on.keys() ?? [])].map((member) => [member.options.name, member.counts(key).ready])),
  };
}

function reportedClusters({ status }: BindingView): { name: string }[] {
  return status.aggregatedStatus.map(({ clusterName }) => ({ name: clusterName }));
}

/** The simulation's options, so that the member exists again after a restart. */
export const SIMULATED = 'practice-hub.evenkeel.dev/simulated';

const simulation = z.object({ capacity: z.number(), readyDelayMs: z.number() });

/** Creates the Cluster of a member if the hub has none. */
export function registerCluster(store: ObjectStore, { name, labels, ...simulated }: MemberOptions): KubeObject {
  const existing = store.get('clusters', { namespace: '', name });
  if (existing !== undefined) return existing;
  const annotations = { [SIMULATED]: JSON.stringify(simulated) };
  const metadata = { name, annotations, ...(labels && { labels }) };
  const header = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' };
  return store.create('clusters', { ...header, metadata, spec: { syncMode: 'Push' } }, by);
}

/** The members that joined before the hub's restart, from their Clusters, except for those of the options. */
export function joinedMembers(store: ObjectStore, startedWith: readonly MemberOptions[]): readonly MemberOptions[] {
  const known = new Set(startedWith.map(({ name }) => name));
  return store.list('clusters').flatMap(({ metadata: { name, annotations = {} } }) => {
    const simulated = known.has(name) ? undefined : readSimulation(annotations[SIMULATED]);
    return simulated === undefined ? [] : [{ name, ...simulated }];
  });
}

/** A Cluster that a user created is not simulated. */
export function readSimulation(text = ''): z.output<typeof simulation> | undefined {
  try {
    return z.safeParse(simulation, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
