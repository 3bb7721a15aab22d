/** The practice hub's control plane in one piece: members, detector, scheduler and failover over one store; what `npm start` and the stories drive. */

import { createAssumedRoom } from '../../shared/model/assignment/assumed-room.ts';
import type { Quantities } from '../../shared/model/assignment/quantity.ts';
import { type Clock, systemClock } from '../clock.ts';
import { bindingPlurals, workKey } from './controllers/binding-view.ts';
import { createDetector, workloadPlurals } from './controllers/detector.ts';
import { createFailover, isMarkedFailed } from './controllers/failover.ts';
import { createGarbageCollector } from './controllers/garbage-collector.ts';
import { createGracefulEviction } from './controllers/graceful-eviction.ts';
import type { MemberCluster, MemberOptions } from './controllers/member-cluster.ts';
import { createMembers } from './controllers/members.ts';
import type { SpokeOptions } from './controllers/ocm/spoke-cluster.ts';
import { createSpokes, type Spokes } from './controllers/ocm/spokes.ts';
import { createRecorder } from './controllers/record-event.ts';
import { joinedMembers, registerCluster } from './controllers/registration.ts';
import { createScheduler } from './controllers/scheduler.ts';
import { createWorkLoop } from './controllers/work-loop.ts';
import { createWorkloadStatus } from './controllers/workload-status.ts';
import { storeNameOf } from './store/kind-definition.ts';
import { kinds } from './store/kinds.ts';
import type { Key, ObjectStore } from './store/objects.ts';

export interface Share {
  readonly assigned: number;
  /** Pods that are ready in the member now, which the hub may not have heard of: a failed member reports nothing and has none. */
  readonly ready: number;
}

export interface Fleet {
  /** The clusters of the hub as one of Open Cluster Management; none unless some were started or joined. */
  readonly spokes: Spokes;
  readonly memberNames: readonly string[];
  /** A new member, healthy and empty: the hub may place replicas on it, and moves none there by itself. */
  join(member: MemberOptions): void;
  fail(name: string): void;
  /** Ends a failure or a drain. Nothing moves back by itself. */
  recover(name: string): void;
  /** Takes everything off a healthy member, at once. */
  drain(name: string): void;
  setReadyDelay(name: string, ms: number): void;
  /** Gives the member so many replica slots: fewer, and pods lose theirs and are pending; more, and pending ones start. */
  setCapacity(name: string, slots: number): void;
  pauseScheduler(): void;
  resumeScheduler(): void;
  /** Of the binding with this key, cluster-scoped where the namespace is empty; by cluster name. */
  distribution(binding: Key): ReadonlyMap<string, Share>;
  /** Replicas of the binding's workload that have found no room on the member for longer than `ms`; undefined where there is no such member, or it has failed. */
  unschedulable(name: string, binding: Key, ms: number): number | undefined;
  /** How many more pods with this request the member has room for; undefined as above. */
  roomFor(name: string, request: Quantities): number | undefined;
  /** Resolves when nothing is left to do: all queues empty, no pod on its way, no eviction to come. */
  settled(): Promise<void>;
  close(): void;
}

export interface FleetOptions {
  readonly store: ObjectStore;
  readonly members: readonly MemberOptions[];
  readonly spokes?: readonly SpokeOptions[];
  readonly clock?: Clock;
  /** How long replicas stay assigned to a failed cluster before they are evicted, where their placement says nothing. */
  readonly tolerationMs?: number;
  /** Told when a controller could not do its work on an object; it tries a few times. */
  readonly onFault?: (key: string, error: unknown) => void;
}

const TOLERATION_MS = 3000;

/** Starts over what the store holds: after a restart the pods are as last reported, and a failed cluster is still failed. */
export function startFleet({ store, members: options, ...rest }: FleetOptions): Fleet {
  const { clock = systemClock, tolerationMs = TOLERATION_MS, onFault = () => {} } = rest;
  const { spokes: startedSpokes = [] } = rest;
  const now = (): number => clock.now();
  const loop = createWorkLoop({ clock, onFault });
  const assumed = createAssumedRoom();
  const recorder = createRecorder(store, now);
  // The order in which their queues are served: what one writes, the next sees in the same turn.
  const detector = createDetector(store, loop);
  const failover = createFailover({ store, loop, now, recorder, tolerationMs });
  const scheduler = createScheduler({ store, loop, now, assumed, recorder });
  const members = createMembers({ store, loop, now, assumed });
  const eviction = createGracefulEviction(store, loop, now);
  const garbage = createGarbageCollector(store, loop);
  const ofSpokes = createSpokes({ store, loop, now, spokes: startedSpokes });
  const controllers = [detector, failover, scheduler, members, createWorkloadStatus(store, loop), eviction];
  const unsubscribe = store.onChange((change) =>
    [...controllers, ofSpokes, garbage].forEach((controller) => controller.onChange(change)),
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

  for (const plural of kinds.map(storeNameOf)) {
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
    spokes: ofSpokes.spokes,
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
      failover.setDrained(member(name), false);
    },
    drain: (name) => failover.setDrained(member(name), true),
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
    roomFor: (name, request) => living(name)?.roomFor(request),
    settled: () => loop.settled(),
    close() {
      unsubscribe();
      loop.close();
    },
  };
}

function bindingPlural({ namespace }: Key): (typeof bindingPlurals)[number] {
  return namespace === '' ? 'clusterresourcebindings' : 'resourcebindings';
}

/** Assigned by the hub and ready in the members, for every cluster that has either. */
function distribution(
  store: ObjectStore,
  plural: string,
  key: Key,
  running: ReadonlyMap<string, number>,
): ReadonlyMap<string, Share> {
  const clusters = (store.get(plural, key)?.spec?.clusters ?? []) as readonly { name: string; replicas?: number }[];
  const assigned = new Map(clusters.map(({ name, replicas = 0 }) => [name, replicas]));
  const names = [...assigned.keys(), ...[...running].flatMap(([name, ready]) => (ready > 0 ? [name] : []))];
  return new Map(
    [...new Set(names)]
      .sort()
      .map((name) => [name, { assigned: assigned.get(name) ?? 0, ready: running.get(name) ?? 0 }]),
  );
}
