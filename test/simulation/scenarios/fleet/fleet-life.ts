/** A Karmada hub whose members run their assigned replicas, and the acts on them. */

import { applyManifests } from '../../../../local/practice-hub/apply-manifests.ts';
import { type SimulatedFleet, startFleet } from '../../../../local/practice-hub/fleet.ts';
import { deschedulingSchedule } from '../../../../shared/bus/schedules.ts';
import { toTimestamp } from '../../../../shared/core/time.ts';
import type { ClusterEstimator } from '../../../../shared/estimator/estimator.ts';
import type { HubFeatures } from '../../../../shared/kubernetes/hub-features.ts';
import { holdPolicy } from '../../../../shared/manifests/holds.ts';
import { rebalanceSpec, workloadRebalancers } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { account, deployment, policy, user } from '../../../fakes/practice-fleet.ts';
import { AGGREGATED, byStaticWeight, DYNAMIC } from '../../../placed-objects.ts';
import { HUB } from '../../system/only-hub.ts';
import type { System } from '../../system/system.ts';
import { doCommon } from '../common-acts.ts';
import type { Act, PlacementName, PolicySpec } from './acts.ts';
import { bindingKeyOf, memberNames, policyAnnotations, workloadNames } from './parts.ts';

export const CAPACITY = 60;
const READY_AFTER_MS = 2000;
const REPLICAS = 6;
const TOLERATION_MS = 30_000;
const MAINTENANCE = 'example.com/maintenance';
const DESCHEDULING_MS = 120_000;

const placements: Readonly<Record<PlacementName, object>> = {
  dynamic: { replicaScheduling: DYNAMIC },
  aggregated: { replicaScheduling: AGGREGATED },
  static: { replicaScheduling: byStaticWeight({ member1: 1, member2: 2, member3: 3 }) },
  'two of them': { replicaScheduling: DYNAMIC, clusterAffinity: { clusterNames: ['member1', 'member2'] } },
  'one of them': { replicaScheduling: DYNAMIC, clusterAffinity: { clusterNames: ['member3'] } },
};

const recovered = { clusterRecovered: { stableFor: '1m' } };
const policies: Readonly<Record<PolicySpec, object>> = {
  home: { triggers: recovered, strategy: { waves: { size: 2, readyWithin: '10m' } } },
  slow: { triggers: recovered, strategy: { waves: { size: 1, readyWithin: '10m', pause: '2m' } } },
  'dry run': { dryRun: true, triggers: recovered },
  'graceful only': {
    triggers: recovered,
    strategy: { waves: { size: 2, readyWithin: '10m' } },
  },
  suspended: { suspend: true, triggers: recovered },
};

export interface FleetOptions {
  /** Features whose objects the hook reports besides those of every fleet. */
  readonly reports?: HubFeatures;
  /** Whether unschedulable replicas are descheduled; true by default. */
  readonly isDescheduled?: boolean;
}

export class FleetLife {
  readonly fleet: SimulatedFleet;
  readonly #system: System;
  readonly #isDescheduled: boolean;
  #isCalm = false;

  constructor(system: System, { reports = {}, isDescheduled = true }: FleetOptions = {}) {
    this.#system = system;
    this.#isDescheduled = isDescheduled;
    const { store, clock } = system.hub;
    store.create('namespaces', { metadata: { name: 'shop' } }, user);
    applyManifests(store, holdPolicy({ account }), user);
    const members = memberNames.map((name) => ({ name, capacity: CAPACITY, readyDelayMs: READY_AFTER_MS }));
    this.fleet = startFleet({ store, clock, members, tolerationMs: TOLERATION_MS });
    system.estimator = this.#estimator();
    system.hub.hook.reportFor({ policies: true, gracefulReduction: true, ...reports });
    for (const name of workloadNames) {
      const made = policy(name, placements.dynamic) as { readonly metadata: object };
      const metadata = { ...made.metadata, annotations: policyAnnotations[name] };
      store.create('propagationpolicies', { ...made, metadata }, user);
      store.create('deployments', deployment(name, { replicas: REPLICAS }), user);
    }
    this.#descheduleLoop();
  }

  calm(): void {
    this.#isCalm = true;
    for (const member of memberNames) {
      this.act({ do: 'recover', member });
      this.act({ do: 'capacity', member, slots: CAPACITY });
      this.act({ do: 'ready after', member, ms: READY_AFTER_MS });
    }
    this.act({ do: 'scheduler up' });
  }

  /** The descheduling schedule of the hub, until the final calm. */
  #descheduleLoop(): void {
    if (this.#isCalm || !this.#isDescheduled) return;
    void this.#system.transit.publish([deschedulingSchedule.event(HUB)]);
    this.#system.clock.after(DESCHEDULING_MS, () => this.#descheduleLoop());
  }

  act(act: Act): void {
    const { transit } = this.#system;
    const { store } = this.#system.hub;
    switch (act.do) {
      case 'fail':
        return this.fleet.fail(act.member);
      case 'recover':
        this.fleet.recover(act.member);
        return this.#taint(act.member, false);
      case 'evict':
        return this.#taint(act.member, true);
      case 'capacity':
        return this.fleet.setCapacity(act.member, act.slots);
      case 'ready after':
        return this.fleet.setReadyDelay(act.member, act.ms);
      case 'scale':
        return this.#edit('deployments', act.workload, { replicas: act.replicas });
      case 'template': {
        const containers = [{ name: 'web', image: `web:${act.version}` }];
        return this.#edit('deployments', act.workload, { template: { spec: { containers } } });
      }
      case 'placement':
        return this.#edit('propagationpolicies', act.workload, {
          placement: { clusterAffinity: null, ...placements[act.placement] },
        });
      case 'rebalance': {
        const { group, version, kind } = workloadRebalancers;
        const workloads = act.workloads.map((name) => ({
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          namespace: 'shop',
          name,
        }));
        const spec = rebalanceSpec(workloads, 60);
        const object = { apiVersion: `${group}/${version}`, kind, metadata: { name: act.name }, spec };
        store.create('workloadrebalancers', object, user);
        return;
      }
      case 'policy':
        return this.#policy(policies[act.spec]);
      case 'delete policy':
        store.delete('rebalancepolicies', { namespace: '', name: 'home' }, user);
        return;
      case 'scheduler down':
        return this.fleet.pauseScheduler();
      case 'scheduler up':
        return this.fleet.resumeScheduler();
      case 'resync':
        // The schedules of a hub.
        if (this.#isDescheduled) void transit.publish([deschedulingSchedule.event(HUB)]);
        return doCommon(this.#system.hub, act);
      default:
        return doCommon(this.#system.hub, act);
    }
  }

  /** A user's taint that evicts all replicas at once. */
  #taint(name: string, wanted: boolean): void {
    const { store, clock } = this.#system.hub;
    const at = { namespace: '', name };
    const taints = (store.get('clusters', at)?.spec?.taints ?? []) as readonly { readonly key: string }[];
    if (taints.some(({ key }) => key === MAINTENANCE) === wanted) return;
    const others = taints.filter(({ key }) => key !== MAINTENANCE);
    const taint = { key: MAINTENANCE, effect: 'NoExecute', timeAdded: toTimestamp(clock.now()) };
    const body = { spec: { taints: wanted ? [...others, taint] : others } };
    store.patch('clusters', at, { type: 'merge', body }, user);
  }

  #edit(plural: string, name: string, spec: object): void {
    this.#system.hub.store.patch(plural, { namespace: 'shop', name }, { type: 'merge', body: { spec } }, user);
  }

  #policy(spec: object): void {
    const { store } = this.#system.hub;
    const key = { namespace: '', name: 'home' };
    if (store.get('rebalancepolicies', key) !== undefined) store.delete('rebalancepolicies', key, user);
    const header = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy' };
    store.create('rebalancepolicies', { ...header, metadata: { name: 'home' }, spec }, user);
  }

  /** The actual unschedulable replicas of the members. */
  #estimator(): ClusterEstimator {
    return {
      unschedulableReplicas: async (cluster, { name }, seconds) => {
        const count = this.fleet.unschedulable(cluster, bindingKeyOf(name), seconds * 1000);
        if (count === undefined) throw new Error(`${cluster} does not answer`);
        return count;
      },
      maxAvailableReplicas: async () => undefined,
    };
  }
}
