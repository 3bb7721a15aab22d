/** An Open Cluster Management hub with spokes that run what their ManifestWorks say, and all that happens to them. */
import { type Fleet, startFleet } from '../../../../local/practice-hub/fleet.ts';
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';
import { deployment, person, placementOf } from '../../../fakes/practice-fleet.ts';
import type { System } from '../../system/system.ts';
import { doCommon } from '../common-acts.ts';
import type { Act } from './acts.ts';
import {
  distributions,
  firstSpokes,
  NAMESPACE,
  PLACEMENT,
  placements,
  SPOKE_NAMESPACE,
  type WorkloadName,
  workloadNames,
  workloads,
} from './parts.ts';
import { manifestIn } from './read-objects.ts';
import { balanceOf, withoutNulls } from './written-specs.ts';

const OCM = 'cluster.open-cluster-management.io';
const ROOM = 60;
const READY_AFTER_MS = 2000;
const TAINT = { key: 'example.com/repairs', effect: 'NoSelect' };
const HOUR = 3_600_000;
/** In so many histories people ask for something new once all is calm, which ends what was scaled on spokes. */
const NEW_WISH = 0.7;

const disturbing: ReadonlySet<Act['do']> = new Set([
  'fail',
  'recover',
  'room',
  'scale there',
  'delete work',
  'edit work',
]);

/** Somebody scaled a workload on a spoke, past the hub. */
interface Scaling {
  readonly at: number;
  readonly spoke: string;
  readonly runs: string;
  readonly replicas: number;
}

export class ElasticLife {
  readonly fleet: Fleet;
  readonly scalings: Scaling[] = [];
  /** When somebody last did to a spoke or a work what no order of moves can allow for. */
  disturbedAt = 0;
  tableLostAt = Number.NEGATIVE_INFINITY;
  /** Whether people asked for something new once all was calm. */
  wishedAnew = false;
  readonly #system: System;

  constructor(system: System) {
    this.#system = system;
    const { store, clock } = system;
    store.create('namespaces', { metadata: { name: NAMESPACE } }, person);
    const spokes = firstSpokes.map((name) => ({ name, capacity: ROOM, readyDelayMs: READY_AFTER_MS }));
    this.fleet = startFleet({ store, clock, members: [], spokes });
    system.hook.reportFor({ elastic: true });
    const set = { namespace: NAMESPACE, name: 'global' };
    const header = { apiVersion: `${OCM}/v1beta2`, kind: 'ManagedClusterSetBinding' };
    store.create('managedclustersetbindings', { ...header, metadata: set, spec: { clusterSet: 'global' } }, person);
    store.create('placements', placementOf(PLACEMENT), person);
    this.act({ do: 'import back' });
  }

  calm(): void {
    const { lots, clock } = this.#system;
    for (const spoke of this.fleet.spokes.names) {
      this.act({ do: 'recover', spoke });
      this.act({ do: 'room', spoke, slots: ROOM });
      this.act({ do: 'ready after', spoke, ms: READY_AFTER_MS });
    }
    if (lots.of('new wish') < NEW_WISH) clock.after(HOUR, () => this.#wishAnew());
  }

  act(act: Act): void {
    const { store, clock } = this.#system;
    const { spokes } = this.fleet;
    if (disturbing.has(act.do) && this.#changesSomething(act)) this.disturbedAt = clock.now();
    if (act.do === 'lose table') this.tableLostAt = clock.now();
    if ('spoke' in act && act.do !== 'join' && !spokes.names.includes(act.spoke)) return;
    switch (act.do) {
      case 'create':
        return this.#create(act);
      case 'delete': {
        const { plural } = workloads[act.workload];
        store.delete(plural, { namespace: NAMESPACE, name: act.workload }, person);
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
      case 'import away':
        store.delete('deployments', { namespace: NAMESPACE, name: 'api' }, person);
        return;
      case 'import back':
        store.create('deployments', deployment('api', { replicas: 0 }), person);
        return;
      case 'placement': {
        const body = { spec: placements[act.selects] };
        store.patch('placements', { namespace: NAMESPACE, name: PLACEMENT }, { type: 'merge', body }, person);
        return;
      }
      case 'fail':
        return spokes.fail(act.spoke);
      case 'recover':
        return spokes.recover(act.spoke);
      case 'room':
        return spokes.setCapacity(act.spoke, act.slots);
      case 'ready after':
        return spokes.setReadyDelay(act.spoke, act.ms);
      case 'scale there':
        return this.#scaleThere(act);
      case 'join':
        if (spokes.names.includes(act.spoke)) return;
        return spokes.join({
          name: act.spoke,
          capacity: ROOM,
          readyDelayMs: READY_AFTER_MS,
          labels: { tier: 'late' },
        });
      case 'taint':
        return this.#taint(act.spoke, [TAINT]);
      case 'untaint':
        return this.#taint(act.spoke, []);
      case 'delete work':
        store.delete('manifestworks', workKey(act), person);
        return;
      case 'edit work':
        return this.#editWork(act);
      default:
        return doCommon(this.#system, act);
    }
  }

  #changesSomething(act: Act): boolean {
    if (act.do === 'fail' || act.do === 'recover') return this.isAvailable(act.spoke) === (act.do === 'fail');
    if (act.do === 'delete work' || act.do === 'edit work') return this.work(act.workload, act.spoke) !== undefined;
    return act.do !== 'room' || act.slots < ROOM;
  }

  elastic(workload: WorkloadName): KubeObject | undefined {
    return this.#system.store.get(workloads[workload].plural, { namespace: NAMESPACE, name: workload });
  }

  work(workload: WorkloadName, spoke: string): KubeObject | undefined {
    return this.#system.store.get('manifestworks', workKey({ workload, spoke }));
  }

  /** The clusters that the placement selects. */
  selected(placement: string): ReadonlySet<string> {
    const slices = this.#system.store
      .list('placementdecisions', NAMESPACE)
      .filter(({ metadata }) => metadata.labels?.[`${OCM}/placement`] === placement);
    const decisions = slices.flatMap(
      ({ status }) => (status?.decisions ?? []) as readonly { readonly clusterName: string }[],
    );
    return new Set(decisions.map(({ clusterName }) => clusterName));
  }

  isAvailable(cluster: string): boolean {
    const { conditions = [] } = (this.#system.store.get('managedclusters', { namespace: '', name: cluster })?.status ??
      {}) as { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
    return conditions.some(({ type, status }) => type === 'ManagedClusterConditionAvailable' && status === 'True');
  }

  /** What really is on the spoke. */
  there(workload: WorkloadName, spoke: string): { readonly replicas: number; readonly ready: number } {
    return this.fleet.spokes.replicas(spoke, { namespace: SPOKE_NAMESPACE, name: workloads[workload].runs });
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
    this.#system.store.create(plural, object, person);
  }

  #edit(workload: WorkloadName, spec: object): void {
    const key = { namespace: NAMESPACE, name: workload };
    this.#system.store.patch(workloads[workload].plural, key, { type: 'merge', body: { spec } }, person);
  }

  #template({ workload, version }: Extract<Act, { do: 'template' }>): void {
    if (workload !== 'api') return this.#edit(workload, { target: workloads[workload].target(version) });
    const body = { metadata: { labels: { version: `v${version}` } } };
    this.#system.store.patch('deployments', { namespace: NAMESPACE, name: 'api' }, { type: 'merge', body }, person);
  }

  #scaleThere({ spoke, workload, replicas }: Extract<Act, { do: 'scale there' }>): void {
    const { runs } = workloads[workload];
    // Nobody scales what is not there, nor on a spoke that is down.
    if (this.there(workload, spoke).ready === 0) return;
    this.scalings.push({ at: this.#system.clock.now(), spoke, runs, replicas });
    this.fleet.spokes.scale(spoke, { namespace: SPOKE_NAMESPACE, name: runs }, replicas);
  }

  #taint(name: string, taints: readonly object[]): void {
    const key = { namespace: '', name };
    const { taints: before = [] } = (this.#system.store.get('managedclusters', key)?.spec ?? {}) as {
      readonly taints?: readonly { readonly key: string }[];
    };
    const body = { spec: { taints: [...before.filter((one) => one.key !== TAINT.key), ...taints] } };
    this.#system.store.patch('managedclusters', key, { type: 'merge', body }, person);
  }

  #editWork({ spoke, workload, replicas }: Extract<Act, { do: 'edit work' }>): void {
    const manifest = manifestIn(this.work(workload, spoke));
    if (manifest === undefined) return;
    const spec = { ...(manifest.spec as object), replicas };
    const body = { spec: { workload: { manifests: [{ ...manifest, spec }] } } };
    this.#system.store.patch('manifestworks', workKey({ workload, spoke }), { type: 'merge', body }, person);
  }

  #wishAnew(): void {
    this.wishedAnew = true;
    for (const workload of workloadNames) {
      const { totalReplicas = 0 } = (this.elastic(workload)?.spec?.distributionStrategy ?? {}) as {
        readonly totalReplicas?: number;
      };
      if (this.elastic(workload) !== undefined) this.act({ do: 'total', workload, total: totalReplicas + 1 });
    }
  }
}

function workKey({ workload, spoke }: { readonly workload: WorkloadName; readonly spoke: string }) {
  return { namespace: spoke, name: workloads[workload].works };
}
