/** A simulated fleet of managed clusters with replica counts only and a manual clock. Tests of the pure functions apply the decisions of an ElasticWorkload to it. */

import { type ElasticSpec, elasticSpec } from '../../../shared/elastic-workload/elastic-workload-schema.ts';
import type { View } from '../../../shared/elastic-workload/observe-placement.ts';
import {
  type Balance,
  balanceReplicas,
  type ReconcilerState,
} from '../../../shared/elastic-workload/replica-balance.ts';

interface ManagedClusterFixture {
  selected: boolean;
  available: boolean;
  /** Number of pods that fit. */
  capacity: number;
  weight: number;
  /** Of the ManifestWork; undefined where there is none. */
  written: number | undefined;
  writtenAt: number;
  putBacks: number | undefined;
  /** The number on the managed cluster. */
  replicas: number | undefined;
  ready: number;
}

export function specOf(strategies: {
  readonly total: number;
  readonly balance?: object;
  readonly type?: 'Even' | 'Weighted';
}): ElasticSpec {
  const { total, balance = {}, type = 'Even' } = strategies;
  return elasticSpec.parse({
    target: { type: 'Inline', inline: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } } },
    placementRef: { name: 'all' },
    distributionStrategy: { totalReplicas: total, type, ...(type === 'Weighted' && { weighted: {} }) },
    balanceStrategy: balance,
  });
}

export class ManagedClusters {
  now = Date.parse('2026-11-22T10:00:00Z');
  spec: ElasticSpec;
  memory: ReconcilerState | undefined;
  /** Number of writes over all reconciles. */
  writes = 0;
  last: Balance | undefined;
  /** Called before the writes of each reconcile are applied. */
  onStep: (balance: Balance) => void = () => {};
  readonly managedClusters = new Map<string, ManagedClusterFixture>();
  #seen = '';

  constructor(spec: ElasticSpec, names: readonly string[]) {
    this.spec = spec;
    for (const name of names) this.join(name);
  }

  join(name: string, weight = 1): void {
    const managedCluster = {
      selected: true,
      available: true,
      capacity: 100,
      weight,
      ready: 0,
      writtenAt: this.now,
      putBacks: undefined,
    };
    this.managedClusters.set(name, { ...managedCluster, written: undefined, replicas: undefined });
  }

  of(name: string): ManagedClusterFixture {
    const managedCluster = this.managedClusters.get(name);
    if (managedCluster === undefined) throw new Error(`there is no managed cluster ${name}`);
    return managedCluster;
  }

  /** Every manifest was applied, whatever was made of its number since. */
  agentsHaveSeen(): void {
    for (const managedCluster of this.managedClusters.values()) edited.delete(managedCluster);
  }

  /** A user scales it on the managed cluster. */
  scale(name: string, replicas: number): void {
    this.of(name).replicas = replicas;
  }

  look(): Balance {
    const views = [...this.managedClusters].flatMap(([cluster, managedCluster]) =>
      this.#viewOf(cluster, managedCluster),
    );
    const weights = new Map(views.map(({ cluster }) => [cluster, this.of(cluster).weight]));
    const { spec, memory, now } = this;
    const balance = balanceReplicas({ uid: 'uid', spec, views, weights, memory, now });
    this.last = balance;
    this.memory = balance.memory;
    this.onStep(balance);
    for (const [cluster, next] of balance.next) this.#write(cluster, next, balance.putBack.has(cluster));
    return balance;
  }

  /** Runs the managed clusters second by second, and reconciles if something changed or the next reconcile is due. */
  pass(seconds: number): void {
    const end = this.now + seconds * 1000;
    while (this.now < end) {
      this.now += 1000;
      for (const managedCluster of this.managedClusters.values()) if (managedCluster.available) work(managedCluster);
      const seen = JSON.stringify([this.spec, this.memory === undefined, ...this.managedClusters.values()]);
      if (seen !== this.#seen || this.now >= (this.last?.reconcileAt ?? 0)) this.look();
      else this.#skipTo(Math.min(end, this.last?.reconcileAt ?? end));
      this.#seen = seen;
    }
  }

  /** Where a second changed nothing, none will: to the last one before `time`. */
  #skipTo(time: number): void {
    const idle = Math.ceil((time - this.now) / 1000) - 1;
    this.now += Math.max(0, idle) * 1000;
  }

  /** "a 4/4" for what is written and ready, by name. */
  shown(): string[] {
    return [...this.managedClusters]
      .filter(([, { written }]) => written !== undefined)
      .map(([name, { written, ready }]) => `${name} ${ready}/${written}`)
      .sort();
  }

  ready(): number {
    return [...this.managedClusters.values()].reduce((sum, { ready, available }) => sum + (available ? ready : 0), 0);
  }

  /** Replicas on the managed clusters, regardless of the written numbers. */
  there(): number {
    return [...this.managedClusters.values()].reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  }

  #viewOf(cluster: string, managedCluster: ManagedClusterFixture): View[] {
    const { selected, available, written, writtenAt, putBacks, replicas, ready } = managedCluster;
    if (!selected && written === undefined) return [];
    const isThere = written !== undefined;
    return [
      {
        cluster,
        selected,
        reachable: available,
        deleting: false,
        upToDate: isThere,
        ready: available && isThere ? ready : 0,
        ...(isThere && { written, writtenAt }),
        ...(putBacks !== undefined && { putBacks }),
        ...(isThere && replicas !== undefined && { replicasOnCluster: replicas }),
      },
    ];
  }

  #write(cluster: string, next: number, isPutBack: boolean): void {
    const managedCluster = this.of(cluster);
    if (!managedCluster.selected && next === 0) {
      this.writes += 1;
      managedCluster.written = undefined;
      return;
    }
    if (managedCluster.written === next && !isPutBack) return;
    managedCluster.putBacks = isPutBack ? (managedCluster.putBacks ?? 0) + 1 : undefined;
    this.writes += 1;
    managedCluster.written = next;
    managedCluster.writtenAt = this.now;
    edited.add(managedCluster);
  }
}

/** Clusters whose manifest was edited since the agent's last sync: the agent then applies the number of the manifest. */
const edited = new WeakSet<ManagedClusterFixture>();

function work(managedCluster: ManagedClusterFixture): void {
  if (managedCluster.written === undefined) managedCluster.replicas = undefined;
  else if (edited.has(managedCluster)) managedCluster.replicas = managedCluster.written;
  edited.delete(managedCluster);
  const goal = Math.min(managedCluster.replicas ?? 0, managedCluster.capacity);
  managedCluster.ready = Math.min(managedCluster.ready + 1, goal);
}

/** How much a cluster may have is no matter. */
export const ampleLimits = { type: 'LimitRange', limitRange: { min: 0, max: 100 } };

export const none = { type: 'None' };

/** Twelve replicas on three clusters, all of them ready. */
export function settled(balance: object = ampleLimits): ManagedClusters {
  const fleet = new ManagedClusters(specOf({ total: 12, balance }), ['a', 'b', 'c']);
  fleet.look();
  fleet.pass(30);
  return fleet;
}
