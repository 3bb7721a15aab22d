/** The practice hub's control plane: members, detector, scheduler and failover over one store, for `npm start` and the stories. */
import { createAssumeCache } from '../../shared/karmada/assignment/assume-cache.ts';
import type { Quantities } from '../../shared/karmada/assignment/quantity.ts';
import { type Clock, systemClock } from '../clock.ts';
import { bindingPlurals, workKey } from './controllers/binding-view.ts';
import { createDetector, workloadPlurals } from './controllers/detector.ts';
import { createFailover, isMarkedFailed } from './controllers/failover.ts';
import { createGarbageCollector } from './controllers/garbage-collector.ts';
import { createGracefulEviction } from './controllers/graceful-eviction.ts';
import type { MemberCluster, MemberOptions } from './controllers/member-cluster.ts';
import { createMembers, joinedMembers, registerCluster } from './controllers/members.ts';
import type { ManagedClusterOptions } from './controllers/ocm/managed-cluster-simulator.ts';
import { createManagedClusters, type ManagedClusters } from './controllers/ocm/managed-clusters.ts';
import { createRecorder } from './controllers/record-event.ts';
import { createScheduler } from './controllers/scheduler.ts';
import { createWorkLoop } from './controllers/work-loop.ts';
import { createWorkloadStatus } from './controllers/workload-status.ts';
import { kinds } from './store/kinds.ts';
import type { Key, ObjectStore } from './store/objects.ts';

export interface MemberShare {
  readonly assigned: number;
  /** Pods that are ready in the member now, possibly not reported yet; a failed member has none. */
  readonly ready: number;
}

export interface SimulatedFleet {
  /** The clusters for Open Cluster Management; empty unless some were started or joined. */
  readonly managedClusters: ManagedClusters;
  readonly memberNames: readonly string[];
  /** Adds a member, healthy and empty: the hub may place replicas on it, and moves none there by itself. */
  join(member: MemberOptions): void;
  fail(name: string): void;
  /** Ends a failure. Nothing moves back by itself. */
  recover(name: string): void;
  setReadyDelay(name: string, ms: number): void;
  /** Sets the member's replica slots: with fewer, pods become pending; with more, pending pods start. */
  setCapacity(name: string, slots: number): void;
  pauseScheduler(): void;
  resumeScheduler(): void;
  /** Of the binding with this key, cluster-scoped if the namespace is empty; by cluster name. */
  distribution(binding: Key): ReadonlyMap<string, MemberShare>;
  /** Replicas of the binding's workload that have been pending on the member for longer than `ms`; undefined if the member does not exist, or has failed. */
  unschedulable(name: string, binding: Key, ms: number): number | undefined;
  /** How many more pods with this request fit on the member; undefined as above. */
  capacityFor(name: string, request: Quantities): number | undefined;
  /** Resolves when nothing is pending: all queues empty, no starting pod, no eviction. */
  settled(): Promise<void>;
  close(): void;
}

export interface FleetOptions {
  readonly store: ObjectStore;
  readonly members: readonly MemberOptions[];
  readonly managedClusters?: readonly ManagedClusterOptions[];
  readonly clock?: Clock;
  /** How long replicas stay on a failed cluster before they are evicted, unless their placement has a toleration. */
  readonly tolerationMs?: number;
  /** Called when a controller failed to reconcile an object; it is retried a few times. */
  readonly onFault?: (key: string, error: unknown) => void;
}

const TOLERATION_MS = 3000;

/** Starts from the content of the store: after a restart the pods are as last reported, and a failed cluster is still failed. */
export function startFleet({ store, members: options, ...rest }: FleetOptions): SimulatedFleet {
  const { clock = systemClock, tolerationMs = TOLERATION_MS, onFault = () => {} } = rest;
  const { managedClusters: startedManagedClusters = [] } = rest;
  const now = (): number => clock.now();
  const loop = createWorkLoop({ clock, onFault });
  const assumed = createAssumeCache();
  const recorder = createRecorder(store, now);
  // The order in which their queues are served: a write of one is reconciled by the next in the same round.
  const context = { store, loop, now, assumed, recorder };
  const detector = createDetector(context);
  const failover = createFailover({ ...context, tolerationMs });
  const scheduler = createScheduler(context);
  const members = createMembers(context);
  const eviction = createGracefulEviction(context);
  const garbage = createGarbageCollector(context);
  const ofManagedClusters = createManagedClusters({ ...context, managedClusters: startedManagedClusters });
  const controllers = [detector, failover, scheduler, members, createWorkloadStatus(context), eviction];
  const unsubscribe = store.onChange((change) =>
    [...controllers, ofManagedClusters, garbage].forEach((controller) => controller.onChange(change)),
  );

  function join(joining: MemberOptions): void {
    const joined = members.add(joining);
    if (isMarkedFailed(registerCluster(store, joining))) joined.fail();
    failover.reportReadiness(joined);
  }

  for (const each of [...options, ...joinedMembers(store, options)]) join(each);
  for (const plural of [...workloadPlurals, ...bindingPlurals, 'clusters']) {
    for (const object of store.list(plural)) {
      for (const controller of controllers) controller.onChange({ type: 'ADDED', plural, object });
    }
  }

  for (const plural of kinds.map(({ storeName }) => storeName)) {
    for (const object of store.list(plural)) garbage.onChange({ type: 'ADDED', plural, object });
  }

  function member(name: string): MemberCluster {
    const found = members.byName.get(name);
    if (found === undefined) {
      throw new Error(`there is no member ${name}; there are: ${[...members.byName.keys()].join(', ')}`);
    }
    return found;
  }

  const living = (name: string): MemberCluster | undefined => {
    const found = members.byName.get(name);
    return found?.failed === false ? found : undefined;
  };

  return {
    managedClusters: ofManagedClusters.managedClusters,
    get memberNames() {
      return [...members.byName.keys()];
    },
    join,
    fail(name) {
      member(name).fail();
      failover.reportReadiness(member(name));
    },
    recover(name) {
      member(name).recover();
      members.revisit(member(name));
      failover.reportReadiness(member(name));
    },
    setReadyDelay: (name, ms) => member(name).setReadyDelay(ms),
    setCapacity(name, slots) {
      member(name).setCapacity(slots);
      members.revisit(member(name));
      members.reportResources();
    },
    pauseScheduler: () => scheduler.pause(),
    resumeScheduler: () => scheduler.resume(),
    distribution(key) {
      const plural = bindingPlural(key);
      return distribution(store, plural, key, members.running(workKey(plural, key)));
    },
    unschedulable: (name, key, ms) => living(name)?.unschedulable(workKey(bindingPlural(key), key), ms),
    capacityFor: (name, request) => living(name)?.capacityFor(request),
    settled: () => loop.settled(),
    close() {
      unsubscribe();
      loop.close();
    },
  };
}

function bindingPlural({ namespace }: Key): string {
  return namespace === '' ? 'clusterresourcebindings' : 'resourcebindings';
}

/** Assigned by the hub and ready in the members, for every cluster with either. */
function distribution(
  store: ObjectStore,
  plural: string,
  key: Key,
  running: ReadonlyMap<string, number>,
): ReadonlyMap<string, MemberShare> {
  const clusters = (store.get(plural, key)?.spec?.clusters ?? []) as readonly { name: string; replicas?: number }[];
  const assigned = new Map(clusters.map(({ name, replicas = 0 }) => [name, replicas]));
  const names = [...assigned.keys(), ...[...running].flatMap(([name, ready]) => (ready > 0 ? [name] : []))];
  return new Map(
    [...new Set(names)]
      .sort()
      .map((name) => [name, { assigned: assigned.get(name) ?? 0, ready: running.get(name) ?? 0 }]),
  );
}
