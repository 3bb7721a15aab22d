/** An Open Cluster Management fleet with ElasticWorkloads, in virtual time: the practice hub's store and controllers, and the real functions between bus, schedules and table. */
import type { ManagedClusterOptions } from '../../../local/practice-hub/controllers/ocm/managed-cluster-simulator.ts';
import { type SimulatedFleet, startFleet } from '../../../local/practice-hub/fleet.ts';
import type { KubeObject } from '../../../local/practice-hub/store/objects.ts';
import type { ElasticStatus } from '../../../shared/elastic-workload/elastic-workload-schema.ts';
import { deployment, placementOf, threeManagedClusters, user } from '../../fakes/practice-fleet.ts';
import { MemoryElasticStore } from '../../fakes/stores/memory-elastic-store.ts';
import { World, type WorldOptions } from '../../fakes/world.ts';

const OCM = 'cluster.open-cluster-management.io';
const WORKLOAD = 'workload.open-cluster-management.io';

const addOn = { username: 'system:open-cluster-management:addon:prices', manager: 'prices' };

/** Weights by the score `cost` of the AddOnPlacementScores `prices`. */
export const scored = {
  type: 'Weighted',
  weighted: { addOnScore: { resourceName: 'prices', scoreName: 'cost' } },
};

/** Borrowing without limits. */
export const borrowing = { type: 'LimitRange', limitRange: { min: 0, max: 100 } };

export interface ElasticOptions {
  readonly total: number;
  readonly target?: object;
  readonly distribution?: object;
  readonly balance?: object;
  readonly placement?: string;
  readonly statusCollection?: object;
  readonly group?: string;
  readonly spokeNamespace?: string;
}

export class ElasticWorld extends World {
  readonly fleet: SimulatedFleet;

  constructor(managedClusters: readonly ManagedClusterOptions[] = threeManagedClusters, options: WorldOptions = {}) {
    super({ scheduler: false, elastic: true, ...options });
    this.fleet = startFleet({ store: this.store, clock: this.clock, members: [], managedClusters });
    const header = { apiVersion: `${OCM}/v1beta2`, kind: 'ManagedClusterSetBinding' };
    const metadata = { namespace: 'shop', name: 'global' };
    this.store.create('managedclustersetbindings', { ...header, metadata, spec: { clusterSet: 'global' } }, user);
    this.store.create('placements', placementOf('all'), user);
  }

  /** ElasticWorkload shop/<name> of a Deployment of that name, on every managed cluster by default. */
  run(name: string, options: ElasticOptions): KubeObject {
    const { total, target, distribution = {}, balance, placement = 'all', group = WORKLOAD } = options;
    const { statusCollection, spokeNamespace } = options;
    const spec = {
      target: target ?? { type: 'Inline', inline: deployment(name, { replicas: 0 }) },
      placementRef: { name: placement },
      distributionStrategy: { totalReplicas: total, ...distribution },
      ...(balance && { balanceStrategy: balance }),
      ...(statusCollection && { statusCollection }),
      ...(spokeNamespace && { spokeNamespace }),
    };
    const object = { apiVersion: `${group}/v1`, kind: 'ElasticWorkload', metadata: { namespace: 'shop', name }, spec };
    return this.store.create(storeNameIn(group), object, user);
  }

  editElastic(name: string, spec: object, group = WORKLOAD): void {
    const key = { namespace: 'shop', name };
    this.store.patch(storeNameIn(group), key, { type: 'merge', body: { spec } }, user);
  }

  /** The score `cost` of the AddOnPlacementScore `prices` of each of these clusters, as an add-on writes it. */
  score(scores: Readonly<Record<string, number>>, validUntil?: string): void {
    for (const [namespace, value] of Object.entries(scores)) {
      const key = { namespace, name: 'prices' };
      const header = { apiVersion: `${OCM}/v1alpha1`, kind: 'AddOnPlacementScore' };
      if (this.store.get('addonplacementscores', key) === undefined)
        this.store.create('addonplacementscores', { ...header, metadata: key }, addOn);
      const status = { scores: [{ name: 'cost', value }], ...(validUntil !== undefined && { validUntil }) };
      const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
      this.store.patch('addonplacementscores', key, patch, addOn);
    }
  }

  /** What was learned is gone, as when the table was deleted and made again. */
  loseTable(): void {
    this.elastic = new MemoryElasticStore();
  }

  deleteElastic(name: string): void {
    this.store.delete('elasticworkloads', { namespace: 'shop', name }, user);
  }

  elasticObject(name: string, group = WORKLOAD): KubeObject | undefined {
    return this.store.get(storeNameIn(group), { namespace: 'shop', name });
  }

  status(name: string, group = WORKLOAD): ElasticStatus {
    return this.elasticObject(name, group)?.status ?? {};
  }

  /** "Accepted=False ImportNotFound". */
  condition(name: string, type: string, group = WORKLOAD): string {
    const found = this.status(name, group).conditions?.find((condition) => condition.type === type);
    return found === undefined ? `${type} is not set` : `${type}=${found.status} ${found.reason}`;
  }

  message(name: string, type: string): string {
    return this.status(name).conditions?.find((condition) => condition.type === type)?.message ?? '';
  }

  works(name: string): readonly KubeObject[] {
    return this.store.list('manifestworks').filter(({ metadata }) => metadata.name.endsWith(`.shop.${name}`));
  }

  /** "spoke1 4/4": what is ready of what is written, by cluster. */
  shown(name: string): readonly string[] {
    return this.works(name)
      .map(({ metadata, spec }) => {
        const cluster = metadata.namespace ?? '';
        const [manifest] = (spec?.workload as { manifests: { spec: { replicas: number }; metadata: object }[] })
          .manifests;
        return `${cluster} ${this.ready(name, cluster)}/${manifest?.spec.replicas}`;
      })
      .toSorted();
  }

  ready(name: string, cluster: string, namespace = 'default'): number {
    return this.fleet.managedClusters.replicas(cluster, { namespace, name }).ready;
  }

  /** Writes of ManifestWorks by us, by cluster in order. */
  get applied(): readonly string[] {
    return this.hub.calls.flatMap(({ verb, plural, namespace = '' }) =>
      plural === 'manifestworks' && verb === 'apply' ? [namespace] : [],
    );
  }
}

function storeNameIn(group: string): string {
  return group === WORKLOAD ? 'elasticworkloads' : `elasticworkloads.${group}`;
}
