/** The managed clusters of a practice hub for Open Cluster Management, with the hub's controllers: the interface for stories and tests. */
import type { ObjectStore, StoreChange } from '../../store/objects.ts';
import { createMemberCluster } from '../member-cluster.ts';
import type { WorkLoop } from '../work-loop.ts';
import { joinedManagedClusters, registered, reportAvailable, reportUnreachable } from './cluster-reports.ts';
import { createHubRegistration, makeSets } from './hub-registration.ts';
import { readManagedCluster } from './managed-cluster.ts';
import { managedClusterKinds } from './managed-cluster-kinds.ts';
import {
  createManagedClusterSimulator,
  type ManagedClusterOptions,
  type ManagedClusterSimulator,
} from './managed-cluster-simulator.ts';
import { createPlacement } from './placement.ts';
import { createWorkAgents } from './work-agents.ts';

/** An object on a managed cluster. */
export interface ManagedClusterWorkload {
  /** Deployment by default. */
  readonly kind?: string;
  /** "apps" by default. */
  readonly group?: string;
  readonly namespace: string;
  readonly name: string;
}

export interface ManagedClusters {
  readonly names: readonly string[];
  /** Adds a managed cluster, healthy, empty and in the default set. */
  join(managedCluster: ManagedClusterOptions): void;
  /** Its pods are lost and its agents stop; a moment later the hub marks it as unreachable. */
  fail(name: string): void;
  recover(name: string): void;
  setCapacity(name: string, slots: number): void;
  setReadyDelay(name: string, ms: number): void;
  /** Scales the object directly on the cluster, bypassing the hub. */
  scale(name: string, workload: ManagedClusterWorkload, replicas: number): void;
  /** The object's desired and ready replicas there; 0 if it does not exist. */
  replicas(name: string, workload: ManagedClusterWorkload): { readonly replicas: number; readonly ready: number };
}

export interface ManagedClustersOptions {
  readonly store: ObjectStore;
  readonly loop: WorkLoop;
  readonly now: () => number;
  readonly managedClusters: readonly ManagedClusterOptions[];
  /** How long the lease may be stale before the cluster is unreachable. */
  readonly unreachableMs?: number;
  /** How long polled feedback may be stale. */
  readonly pollMs?: number;
}

export interface ManagedClusterControllers {
  readonly managedClusters: ManagedClusters;
  onChange(change: StoreChange): void;
}

const UNREACHABLE_MS = 1000;
const POLL_MS = 1000;

export function createManagedClusters({
  store,
  loop,
  now,
  managedClusters: started,
  ...rest
}: ManagedClustersOptions): ManagedClusterControllers {
  const { unreachableMs = UNREACHABLE_MS, pollMs = POLL_MS } = rest;
  const byName = new Map<string, ManagedClusterSimulator>();
  const silence = new Map<string, () => void>();
  const registration = createHubRegistration({ store, loop, now });
  const placement = createPlacement({ store, loop, now });
  const agents = createWorkAgents({ store, loop, now, managedClusters: byName, pollMs });
  const controllers = [registration, placement, agents];

  loop.afterRound(() => {
    for (const managedCluster of byName.values()) {
      const ids = managedCluster.member.failed ? [] : managedCluster.member.startWaiting();
      if (ids.length > 0) agents.changed(managedCluster, ids);
    }
  });

  function managedClusterNamed(name: string): ManagedClusterSimulator {
    const found = byName.get(name);
    if (found === undefined)
      throw new Error(`managed cluster ${name} not found; there are: ${[...byName.keys()].join(', ')}`);
    return found;
  }

  function join(joining: ManagedClusterOptions): void {
    const { name, kinds = [], claims = {}, ...options } = joining;
    if (byName.has(name)) throw new Error(`managed cluster ${name} already exists; use another name`);
    const onReady = (ids: readonly string[]) => agents.changed(managedCluster, ids);
    const member = createMemberCluster({ name, ...options }, { now, later: loop.later, onReady });
    const managedCluster: ManagedClusterSimulator = createManagedClusterSimulator(member, [
      ...managedClusterKinds,
      ...kinds,
    ]);
    byName.set(name, managedCluster);
    if (readManagedCluster(registered(store, joining)).available === 'Unknown') managedCluster.member.fail();
    else resumeReports(managedCluster, claims);
    agents.revisit(managedCluster);
  }

  function resumeReports({ member }: ManagedClusterSimulator, claims?: ManagedClusterOptions['claims']): void {
    silence.get(member.options.name)?.();
    silence.delete(member.options.name);
    reportAvailable({ store, now: now() }, member, claims);
  }

  const known = new Set(started.map(({ name }) => name));
  const joined = joinedManagedClusters(store).filter(({ name }) => !known.has(name));
  if (started.length + joined.length > 0) makeSets(store);
  for (const each of [...started, ...joined]) join(each);
  for (const plural of ['managedclusters', 'placements']) {
    for (const object of store.list(plural)) {
      for (const controller of controllers) controller.onChange({ type: 'ADDED', plural, object });
    }
  }

  return {
    onChange: (change) => controllers.forEach((controller) => controller.onChange(change)),
    managedClusters: {
      get names() {
        return [...byName.keys()];
      },
      join(managedCluster) {
        makeSets(store);
        join(managedCluster);
      },
      fail(name) {
        managedClusterNamed(name).member.fail();
        silence.get(name)?.();
        const cancel = loop.later(unreachableMs, () => {
          silence.delete(name);
          reportUnreachable({ store, now: now() }, name);
        });
        silence.set(name, cancel);
      },
      recover(name) {
        const managedCluster = managedClusterNamed(name);
        managedCluster.member.recover();
        resumeReports(managedCluster);
        agents.revisit(managedCluster);
      },
      setCapacity(name, slots) {
        const managedCluster = managedClusterNamed(name);
        managedCluster.member.setCapacity(slots);
        if (!managedCluster.member.failed) resumeReports(managedCluster);
        agents.changed(managedCluster, managedCluster.member.workloads());
      },
      setReadyDelay: (name, ms) => managedClusterNamed(name).member.setReadyDelay(ms),
      scale(name, workload, replicas) {
        const managedCluster = managedClusterNamed(name);
        if (!managedCluster.scale(idIn(workload), replicas)) {
          throw new Error(`${idIn(workload)} not found on managed cluster ${name}`);
        }
        agents.changed(managedCluster, [idIn(workload)]);
      },
      replicas: (name, workload) => managedClusterNamed(name).counts(idIn(workload)),
    },
  };
}

function idIn({ kind = 'Deployment', group = 'apps', namespace, name }: ManagedClusterWorkload): string {
  return `${group}/${kind}/${namespace}/${name}`;
}
