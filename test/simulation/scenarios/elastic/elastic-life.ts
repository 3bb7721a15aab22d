/** An Open Cluster Management hub whose managed clusters run their ManifestWorks, and the acts on them. */
import { type SimulatedFleet, startFleet } from '../../../../local/practice-hub/fleet.ts';
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import { OWNER_LABEL, ownerLabel, TARGET_LABEL } from '../../../../shared/elastic-workload/elastic-workload.ts';
import { deployment, placementOf, user } from '../../../fakes/practice-fleet.ts';
import type { System } from '../../system/system.ts';
import { doCommon } from '../common-acts.ts';
import type { Act } from './acts.ts';
import {
  distributions,
  firstManagedClusters,
  NAMESPACE,
  PLACEMENT,
  placements,
  WORKLOAD_NAMESPACE,
  type WorkloadName,
  workloadNames,
  workloads,
} from './parts.ts';
import { isBefore, manifestIn } from './read-objects.ts';
import { specOf } from './shares.ts';
import { balanceOf, withoutNulls } from './written-specs.ts';

const OCM = 'cluster.open-cluster-management.io';
const CAPACITY = 60;
const READY_AFTER_MS = 2000;
const TAINT = { key: 'example.com/repairs', effect: 'NoSelect' };
const HOUR = 3_600_000;
/** The share of histories in which users change the spec after the last fault, which ends manual scaling. */
const CHANGED_SPECS = 0.7;

const disturbing: ReadonlySet<Act['do']> = new Set([
  'fail',
  'recover',
  'capacity',
  'scale there',
  'delete work',
  'edit work',
  'leave work of rival',
]);

/** A user scaled a workload directly on a managed cluster. */
interface Scaling {
  readonly at: number;
  readonly managedCluster: string;
  readonly runs: string;
  readonly replicas: number;
}

export class ElasticLife {
  readonly fleet: SimulatedFleet;
  readonly scalings: Scaling[] = [];
  /** The last act on a managed cluster or a ManifestWork that no order of moves can allow for. */
  disturbedAt = 0;
  tableLostAt = Number.NEGATIVE_INFINITY;
  /** Whether users changed the spec after the last fault. */
  specChanged = false;
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
    const { store, clock } = system.hub;
    store.create('namespaces', { metadata: { name: NAMESPACE } }, user);
    const managedClusters = firstManagedClusters.map((name) => ({
      name,
      capacity: CAPACITY,
      readyDelayMs: READY_AFTER_MS,
    }));
    this.fleet = startFleet({ store, clock, members: [], managedClusters });
    system.hub.hook.reportFor({ elasticWorkloads: true });
    const set = { namespace: NAMESPACE, name: 'global' };
    const header = { apiVersion: `${OCM}/v1beta2`, kind: 'ManagedClusterSetBinding' };
    store.create('managedclustersetbindings', { ...header, metadata: set, spec: { clusterSet: 'global' } }, user);
    store.create('placements', placementOf(PLACEMENT), user);
    this.act({ do: 'create import' });
  }

  calm(): void {
    const { random, clock } = this.#system;
    for (const managedCluster of this.fleet.managedClusters.names) {
      this.act({ do: 'recover', managedCluster });
      this.act({ do: 'capacity', managedCluster, slots: CAPACITY });
      this.act({ do: 'ready after', managedCluster, ms: READY_AFTER_MS });
    }
    if (random.of('new wish') < CHANGED_SPECS) clock.after(HOUR, () => this.#changeSpecs());
  }

  act(act: Act): void {
    const { store, clock } = this.#system.hub;
    const { managedClusters } = this.fleet;
    if (disturbing.has(act.do) && this.#changesSomething(act)) this.disturbedAt = clock.now();
    if (act.do === 'lose table') this.tableLostAt = clock.now();
    if ('managedCluster' in act && act.do !== 'join' && !managedClusters.names.includes(act.managedCluster)) return;
    switch (act.do) {
      case 'create':
        return this.#create(act);
      case 'delete': {
        const { plural } = workloads[act.workload];
        store.delete(plural, { namespace: NAMESPACE, name: act.workload }, user);
        return;
      }
      case 'total':
        return this.#edit(act.workload, { distributionStrategy: { totalReplicas: act.total } });
      case 'distribution':
        return this.#edit(act.workload, { distributionStrategy: distributions[act.distribution] });
      case 'balance':
        return this.#edit(act.workload, { balanceStrategy: balanceOf(act) });
      case 'template':
        return this.#template(act);
      case 'place by':
        return this.#edit(act.workload, { placementRef: { name: act.placement } });
      case 'collect':
        return this.#edit(act.workload, { statusCollection: { type: act.by } });
      case 'delete import':
        store.delete('deployments', { namespace: NAMESPACE, name: 'api' }, user);
        return;
      case 'create import':
        store.create('deployments', deployment('api', { replicas: 0 }), user);
        return;
      case 'placement': {
        const body = { spec: placements[act.selects] };
        store.patch('placements', { namespace: NAMESPACE, name: PLACEMENT }, { type: 'merge', body }, user);
        return;
      }
      case 'fail':
        return managedClusters.fail(act.managedCluster);
      case 'recover':
        return managedClusters.recover(act.managedCluster);
      case 'capacity':
        return managedClusters.setCapacity(act.managedCluster, act.slots);
      case 'ready after':
        return managedClusters.setReadyDelay(act.managedCluster, act.ms);
      case 'scale there':
        return this.#scaleThere(act);
      case 'join':
        if (managedClusters.names.includes(act.managedCluster)) return;
        return managedClusters.join({
          name: act.managedCluster,
          capacity: CAPACITY,
          readyDelayMs: READY_AFTER_MS,
          labels: { tier: 'late' },
        });
      case 'taint':
        return this.#taint(act.managedCluster, [TAINT]);
      case 'untaint':
        return this.#taint(act.managedCluster, []);
      case 'delete work':
        store.delete('manifestworks', workKey(act), user);
        return;
      case 'edit work':
        return this.#editWork(act);
      case 'leave work of rival':
        return this.#leaveWork(act);
      default:
        return doCommon(this.#system.hub, act);
    }
  }

  #changesSomething(act: Act): boolean {
    if (act.do === 'fail' || act.do === 'recover') return this.isAvailable(act.managedCluster) === (act.do === 'fail');
    if (act.do === 'delete work' || act.do === 'edit work')
      return this.work(act.workload, act.managedCluster) !== undefined;
    return act.do !== 'capacity' || act.slots < CAPACITY;
  }

  elastic(workload: WorkloadName): KubeObject | undefined {
    return this.#system.hub.store.get(workloads[workload].plural, { namespace: NAMESPACE, name: workload });
  }

  work(workload: WorkloadName, managedCluster: string): KubeObject | undefined {
    return this.#system.hub.store.get('manifestworks', workKey({ workload, managedCluster }));
  }

  /** The clusters that the placement selects. */
  selected(placement: string): ReadonlySet<string> {
    const slices = this.#system.hub.store
      .list('placementdecisions', NAMESPACE)
      .filter(({ metadata }) => metadata.labels?.[`${OCM}/placement`] === placement);
    const decisions = slices.flatMap(
      ({ status }) => (status?.decisions ?? []) as readonly { readonly clusterName: string }[],
    );
    return new Set(decisions.map(({ clusterName }) => clusterName));
  }

  /** Clusters that earlier ElasticWorkloads with the same target select, or have ManifestWorks on. */
  taken(name: WorkloadName): ReadonlySet<string> {
    const own = this.elastic(name);
    const earlier = workloadNames.flatMap((other) => {
      const claim = this.elastic(other);
      const isEarlier = other !== name && workloads[other].runs === workloads[name].runs && claim && own;
      return isEarlier && isBefore(claim, own) ? [{ other, claim }] : [];
    });
    return new Set(
      earlier.flatMap(({ other, claim }) => [
        ...this.selected(specOf(claim).placement),
        ...this.fleet.managedClusters.names.filter((managedCluster) => this.work(other, managedCluster) !== undefined),
      ]),
    );
  }

  isAvailable(cluster: string): boolean {
    const { conditions = [] } = (this.#system.hub.store.get('managedclusters', { namespace: '', name: cluster })
      ?.status ?? {}) as { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    return conditions.some(({ type, status }) => type === 'ManagedClusterConditionAvailable' && status === 'True');
  }

  /** The actual replicas on the managed cluster. */
  there(workload: WorkloadName, managedCluster: string): { readonly replicas: number; readonly ready: number } {
    return this.fleet.managedClusters.replicas(managedCluster, {
      namespace: WORKLOAD_NAMESPACE,
      name: workloads[workload].runs,
    });
  }

  #create(act: Extract<Act, { do: 'create' }>): void {
    const { group, plural, target } = workloads[act.workload];
    const spec = withoutNulls({
      target: target(0),
      placementRef: { name: PLACEMENT },
      distributionStrategy: { totalReplicas: act.total, ...distributions[act.distribution] },
      balanceStrategy: balanceOf(act),
    });
    const metadata = { namespace: NAMESPACE, name: act.workload };
    const object = { apiVersion: `${group}/v1`, kind: 'ElasticWorkload', metadata, spec };
    this.#system.hub.store.create(plural, object, user);
  }

  #edit(workload: WorkloadName, spec: object): void {
    const key = { namespace: NAMESPACE, name: workload };
    this.#system.hub.store.patch(workloads[workload].plural, key, { type: 'merge', body: { spec } }, user);
  }

  #template({ workload, version }: Extract<Act, { do: 'template' }>): void {
    if (workload !== 'api') return this.#edit(workload, { target: workloads[workload].target(version) });
    const body = { metadata: { labels: { version: `v${version}` } } };
    this.#system.hub.store.patch('deployments', { namespace: NAMESPACE, name: 'api' }, { type: 'merge', body }, user);
  }

  #scaleThere({ managedCluster, workload, replicas }: Extract<Act, { do: 'scale there' }>): void {
    const { runs } = workloads[workload];
    // A user scales only existing workloads on running clusters.
    if (this.there(workload, managedCluster).ready === 0) return;
    this.scalings.push({ at: this.#system.clock.now(), managedCluster, runs, replicas });
    this.fleet.managedClusters.scale(managedCluster, { namespace: WORKLOAD_NAMESPACE, name: runs }, replicas);
  }

  #taint(name: string, taints: readonly object[]): void {
    const key = { namespace: '', name };
    const { taints: before = [] } = (this.#system.hub.store.get('managedclusters', key)?.spec ?? {}) as {
      readonly taints?: readonly { readonly key: string }[];
    };
    const body = { spec: { taints: [...before.filter((one) => one.key !== TAINT.key), ...taints] } };
    this.#system.hub.store.patch('managedclusters', key, { type: 'merge', body }, user);
  }

  #editWork({ managedCluster, workload, replicas }: Extract<Act, { do: 'edit work' }>): void {
    const manifest = manifestIn(this.work(workload, managedCluster));
    if (manifest === undefined) return;
    const spec = { ...(manifest.spec as object), replicas };
    const body = { spec: { workload: { manifests: [{ ...manifest, spec }] } } };
    this.#system.hub.store.patch('manifestworks', workKey({ workload, managedCluster }), { type: 'merge', body }, user);
  }

  #leaveWork({ managedCluster, replicas }: Extract<Act, { do: 'leave work of rival' }>): void {
    const work = this.work('web', managedCluster);
    const manifest = manifestIn(work);
    const { group } = workloads.rival;
    const owner = ownerLabel({ group, key: { namespace: NAMESPACE, name: 'rival' } });
    // An ElasticWorkload labels itself before it writes a ManifestWork.
    const isClaimed = this.elastic('rival')?.metadata.labels?.[TARGET_LABEL] !== undefined;
    if (work === undefined || manifest === undefined || !isClaimed) return;
    const spec = { ...(manifest.spec as object), replicas };
    const { apiVersion, kind } = work;
    const metadata = { namespace: managedCluster, name: workloads.rival.works, labels: { [OWNER_LABEL]: owner } };
    const body = { ...work.spec, workload: { manifests: [{ ...manifest, spec }] } };
    this.#system.hub.store.create('manifestworks', { apiVersion, kind, metadata, spec: body }, user);
  }

  #changeSpecs(): void {
    this.specChanged = true;
    for (const workload of workloadNames) {
      const { totalReplicas = 0 } = (this.elastic(workload)?.spec?.distributionStrategy ?? {}) as {
        readonly totalReplicas?: number;
      };
      if (this.elastic(workload) !== undefined) this.act({ do: 'total', workload, total: totalReplicas + 1 });
    }
  }
}

function workKey({ workload, managedCluster }: { readonly workload: WorkloadName; readonly managedCluster: string }) {
  return { namespace: managedCluster, name: workloads[workload].works };
}
