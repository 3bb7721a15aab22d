/** Work that is in flight when versions change: each case is one deployment, without faults. */
import { toTimestamp } from '../../shared/core/time.ts';
import { DESCHEDULED_AT } from '../../shared/descheduling/descheduling.ts';
import { QUEUE } from '../../shared/graceful-reduction/replica-reduction.ts';
import { bindingKey, bindingResource } from '../../shared/karmada/binding.ts';
import { APPROVED, approvalText } from '../../shared/rebalance-policy/approval.ts';
import { rebalanceSpec, workloadRebalancers } from '../../shared/workload-rebalancer/workload-rebalancer.ts';
import { deployments } from '../builders.ts';
import { user } from '../fakes/practice-fleet.ts';
import { BudgetLife } from '../simulation/scenarios/budgets/budget-life.ts';
import { ElasticLife } from '../simulation/scenarios/elastic/elastic-life.ts';
import { FleetLife } from '../simulation/scenarios/fleet/fleet-life.ts';
import { bindingKeyOf, workloadNames } from '../simulation/scenarios/fleet/parts.ts';
import { fleet } from '../simulation/scenarios/fleet/scenario.ts';
import type { Scenario } from '../simulation/scenarios/scenario.ts';
import { HUB } from '../simulation/system/only-hub.ts';
import type { System } from '../simulation/system/system.ts';

/** What happens so many seconds after the start. */
type Step = readonly [seconds: number, act: () => unknown];

export interface UpgradeCase {
  readonly name: string;
  readonly settings: Scenario['settings'];
  readonly hasBudgets?: true;
  begin(system: System): readonly Step[];
  /** The work that is in flight after so many seconds. */
  readonly midway: readonly [seconds: number, isInFlight: (system: System) => boolean];
  /** Whether all work is done in the end. */
  isDone(system: System): boolean;
}

const scheduler = { username: 'karmada-scheduler', manager: 'karmada-scheduler' };
const header = { apiVersion: 'evenkeel.dev/v1alpha1' };
const home = { namespace: '', name: 'home' };
const SCHEDULED_AFTER_MS = 40_000;
/** Three chunks of the default size. */
const many = deployments(250);

/** Bindings of `many`, and a scheduler that acts on a trigger after a while. */
function bindMany({ hub: { store, clock, hook } }: System): void {
  store.create('namespaces', { metadata: { name: 'shop' } }, user);
  hook.reportFor({});
  const schedule = (plural: string, name: string) => {
    const key = { namespace: 'shop', name };
    const schedulerObservedGeneration = store.get(plural, key)?.metadata.generation;
    const status = { lastScheduledTime: toTimestamp(clock.now()), schedulerObservedGeneration };
    store.patch(plural, key, { type: 'merge', body: { status }, subresource: 'status' }, scheduler);
  };
  for (const resource of many) {
    const { plural, group, version, kind } = bindingResource(resource);
    const spec = { resource, replicas: 2, placement: { replicaScheduling: divided } };
    const metadata = { ...bindingKey(resource) };
    store.create(plural, { apiVersion: `${group}/${version}`, kind, metadata, spec }, scheduler);
    schedule(plural, metadata.name);
  }
  store.onChange(({ plural, object: { metadata, status } }) => {
    if (plural === 'resourcebindings' && status?.schedulerObservedGeneration !== metadata.generation)
      clock.after(SCHEDULED_AFTER_MS, () => schedule(plural, metadata.name));
  });
}

const divided = {
  replicaSchedulingType: 'Divided',
  replicaDivisionPreference: 'Weighted',
  weightPreference: { dynamicWeight: 'AvailableReplicas' },
};

const bindingOf = ({ hub }: System, workload: string) => hub.store.get('resourcebindings', bindingKeyOf(workload));
const annotationsOf = (system: System, workload: string) => bindingOf(system, workload)?.metadata.annotations ?? {};
const isHeld = (system: System, workload: string) =>
  Object.keys(annotationsOf(system, workload)).some((name) => name.startsWith(QUEUE));

function clustersOf(system: System, workload: string): readonly string[] {
  const clusters = (bindingOf(system, workload)?.spec?.clusters ?? []) as readonly { readonly name: string }[];
  return clusters.map(({ name }) => name);
}

/** How many workloads have left the cluster that is drained. */
function drained(system: System): number {
  return workloadNames.filter((name) => !clustersOf(system, name).includes('member1')).length;
}

/** Of the ManifestWorks of an ElasticWorkload, by cluster. */
function replicasOf({ hub }: System): readonly (number | undefined)[] {
  return hub.store.list('manifestworks').map(({ spec }) => {
    const { manifests } = spec?.workload as {
      manifests: readonly { readonly spec?: { readonly replicas?: number } }[];
    };
    return manifests[0]?.spec?.replicas;
  });
}

export const cases: readonly UpgradeCase[] = [
  {
    name: 'a WorkloadRebalancer of 250 workloads in three chunks, its rescheduling check and its expiry',
    settings: {},
    begin(system) {
      bindMany(system);
      const { group, version, kind } = workloadRebalancers;
      const object = { apiVersion: `${group}/${version}`, kind, metadata: { name: 'all' } };
      const spec = rebalanceSpec(many, 300);
      return [[1, () => system.hub.store.create('workloadrebalancers', { ...object, spec }, user)]];
    },
    midway: [20, ({ hub }) => hub.store.list('workloadrebalancers')[0]?.status?.finishTime !== undefined],
    isDone: ({ hub }) =>
      hub.store.list('workloadrebalancers').length === 0 &&
      hub.store.list('resourcebindings').every(({ spec }) => spec?.rescheduleTriggeredAt !== undefined),
  },
  {
    name: 'reductions that are held until their replacements are ready',
    settings: fleet.settings,
    begin(system) {
      const life = new FleetLife(system);
      return [
        [60, () => life.act({ do: 'ready after', member: 'member3', ms: 90_000 })],
        [61, () => life.act({ do: 'placement', workload: 'web', placement: 'one of them' })],
        [75, () => life.act({ do: 'placement', workload: 'cart', placement: 'one of them' })],
      ];
    },
    midway: [120, (system) => ['web', 'cart'].every((name) => isHeld(system, name))],
    isDone: (system) =>
      ['web', 'cart'].every((name) => clustersOf(system, name).join() === 'member3' && !isHeld(system, name)),
  },
  {
    name: 'a run of a RebalancePolicy in mid-wave, which waits for an approval and then for a MoveBudget',
    settings: fleet.settings,
    hasBudgets: true,
    begin(system) {
      const life = new BudgetLife(system);
      const { store } = system.hub;
      const strategy = { waves: { size: 1, readyWithin: '10m' }, approval: 'AfterFirstWave' };
      const spec = { triggers: { clusterRecovered: { stableFor: '1m' } }, strategy };
      const approve = async () => {
        const [state] = await system.policies.readStates(HUB);
        const annotations = { [APPROVED]: approvalText(state?.run?.run ?? '', 'All') };
        store.patch('rebalancepolicies', home, { type: 'merge', body: { metadata: { annotations } } }, user);
      };
      return [
        [30, () => life.act({ do: 'fail', member: 'member1' })],
        [
          150,
          () =>
            store.create(
              'rebalancepolicies',
              { ...header, kind: 'RebalancePolicy', metadata: { name: 'home' }, spec },
              user,
            ),
        ],
        [160, () => life.act({ do: 'budget', budget: 'few in ten minutes' })],
        [170, () => life.act({ do: 'ready after', member: 'member1', ms: 20_000 })],
        [180, () => life.act({ do: 'recover', member: 'member1' })],
        [400, approve],
      ];
    },
    midway: [390, ({ hub }) => JSON.stringify(hub.store.get('rebalancepolicies', home)?.status).includes('approval')],
    isDone: (system) => workloadNames.every((name) => clustersOf(system, name).includes('member1')),
  },
  {
    name: 'a ClusterDrain in mid-way, deferred by a MoveBudget',
    settings: fleet.settings,
    hasBudgets: true,
    begin(system) {
      const life = new BudgetLife(system);
      return [
        [60, () => life.act({ do: 'budget', budget: 'few in ten minutes' })],
        [70, () => life.act({ do: 'drain', member: 'member1' })],
        [75, () => life.act({ do: 'resync' })],
      ];
    },
    midway: [300, (system) => drained(system) === 2],
    isDone: (system) => drained(system) === workloadNames.length,
  },
  {
    name: 'an ElasticWorkload that borrows from one managed cluster and gives back',
    settings: {},
    begin(system) {
      const life = new ElasticLife(system);
      const spec = {
        total: 12,
        distribution: 'even',
        balance: 'wide',
        transfer: 'Conservative',
        hesitation: 60,
      } as const;
      return [
        [5, () => life.act({ do: 'capacity', managedCluster: 'spoke1', slots: 1 })],
        [10, () => life.act({ do: 'create', workload: 'web', ...spec })],
        [600, () => life.act({ do: 'capacity', managedCluster: 'spoke1', slots: 60 })],
      ];
    },
    midway: [480, (system) => replicasOf(system).join() === '1,6,5' || replicasOf(system).join() === '1,5,6'],
    isDone: (system) => replicasOf(system).join() === '4,4,4',
  },
  {
    name: 'chunks of the descheduler',
    settings: fleet.settings,
    begin(system) {
      const life = new FleetLife(system);
      return [
        [60, () => life.act({ do: 'capacity', member: 'member1', slots: 2 })],
        [900, () => life.calm()],
      ];
    },
    midway: [90, (system) => clustersOf(system, 'api').length === 3],
    isDone: (system) => ['api', 'cart'].every((name) => annotationsOf(system, name)[DESCHEDULED_AT] !== undefined),
  },
];
