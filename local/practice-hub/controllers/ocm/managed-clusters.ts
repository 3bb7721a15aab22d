/** The managed clusters of a practice hub for Open Cluster Management, with the hub's controllers: the interface for stories and tests. */
import { createMemberCluster } from '../member-cluster.ts';
import type { Controller, ControllerContext } from '../work-loop.ts';
import { createHubRegistration, makeSets } from './hub-registration.ts';
import {
  joinedManagedClusters,
  readManagedCluster,
  registered,
  reportAvailable,
  reportUnreachable,
} from './managed-cluster.ts';
import {
  createManagedClusterSimulator,
  type ManagedClusterOptions,
  type ManagedClusterSimulator,
  managedClusterKinds,
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

export interface ManagedClustersOptions extends ControllerContext {
  readonly managedClusters: readonly ManagedClusterOptions[];
}

export interface ManagedClusterControllers extends Controller {
  readonly managedClusters: ManagedClusters;
}

/** How long the lease may be stale before the cluster is unreachable. */
const UNREACHABLE_MS = 1000;

export function createManagedClusters(options: ManagedClustersOptions): ManagedClusterControllers {
  const { store, loop, now, managedClusters: started } = options;
  const byName = new Map<string, ManagedClusterSimulator>();
  const silence = new Map<string, () => void>();
  const registration = createHubRegistration(options);
  const placement = createPlacement(options);
  const agents = createWorkAgents({ store, loop, now, managedClusters: byName });
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
    const { name, kinds = [], claims = {}, ...simulated } = joining;
    if (byName.has(name)) throw new Error(`managed cluster ${name} already exists; use another name`);
    const onReady = (ids: readonly string[]) => agents.changed(managedCluster, ids);
    const member = createMemberCluster({ name, ...simulated }, { now, later: loop.later, onReady });
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
        const cancel = loop.later(UNREACHABLE_MS, () => {
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
