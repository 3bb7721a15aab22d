/**
 * RebalancePolicies on real Karmada: clusters fail, recover, join and get free capacity, and no user
 * acts. The tests of each group are steps of one course of events, in order.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRIGGERED_BY } from '../../../../shared/karmada/binding.ts';
import { REBALANCING } from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import { ASSIGN_ANNOTATION } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { isDenied, ourRequests, patchesOf } from '../audit-log.ts';
import { rigBeside } from '../rig-of-suite.ts';
import { clear, occupy, propagate, vacate } from './acts.ts';
import { BridgeBeside } from './bridge-beside.ts';
import { type Fleet, fail, type MemberName, WHOLE_NODE } from './fleet.ts';
import {
  AGGREGATED,
  DYNAMIC_WEIGHT,
  HALF_CORE,
  LEAVE_WHEN_UNHEALTHY,
  leaveFailedClusters,
  ONE_GIB,
  paths,
  placedOn,
  rebalancer,
  urgent,
} from './manifests.ts';
import {
  AFTER_OUTAGE_MS,
  assigned,
  bindingOf,
  eventually,
  isHealthy,
  known,
  type Rebalancer,
  running,
  seenFor,
} from './observed-state.ts';
import {
  auditedChangesOf,
  createPolicy,
  deletePolicies,
  joinMember4,
  type PolicyFleet,
  recoverMember,
  restartEvenkeel,
  runEvenkeelOn,
  runsOf,
  startPolicyFleet,
  statusOf,
  wavesOf,
} from './policy-fleet.ts';

/** Typed as a member of the fleet, which it is after it has joined. */
const MEMBER4 = 'member4' as MemberName;
const INERT_MS = 3000;
const SOON_STABLE = { stableFor: '3s' };
/** Resync runs once a minute, for changes without an event. */
const RESYNCED_MS = 90_000;

let fleet: PolicyFleet;
let bridge: BridgeBeside;
/** With member4, once it has joined. */
let whole: Fleet;
let byHand: Rebalancer;

const parts = new AsyncDisposableStack();

beforeAll(async () => {
  const rig = rigBeside('policies');
  parts.defer(() => rig.down());
  fleet = parts.adopt(await startPolicyFleet(rig), (started) => started.close());
  await fleet.members.member2.create(paths.priorityClasses, urgent);
  await runEvenkeelOn(fleet);
  bridge = parts.adopt(await BridgeBeside.start(fleet.hub), (started) => started.stop());
});

afterAll(() => parts.disposeAsync());

/** Its replicas elsewhere are ready so late that Karmada is still evicting it when the member recovers. */
const LATE = { name: 'late', replicas: 3, requests: HALF_CORE, annotations: { [READY_AFTER]: '30s' } };
const LAZY = { activationPreference: 'Lazy' };
const WITHOUT_MEMBER2 = { clusterAffinity: { clusterNames: ['member1', 'member3'] } };
const PRIMARY_AND_BACKUP = placedOn(DYNAMIC_WEIGHT, {
  clusterAffinities: [
    { affinityName: 'primary', clusterNames: ['member2'] },
    { affinityName: 'backup', clusterNames: ['member3'] },
  ],
});

async function annotate(workload: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
  await fleet.api.merge(`${paths.deployments}/${workload}`, { metadata: { annotations } });
}

describe('a member that fails and recovers, with a policy for clusters that recover', () => {
  beforeAll(async () => {
    await fleet.api.create(paths.taintPolicies, leaveFailedClusters);
    await propagate(fleet, { name: 'web', replicas: 12, requests: HALF_CORE }, DYNAMIC_WEIGHT);
    await propagate(fleet, { name: 'orders', replicas: 6, requests: ONE_GIB }, AGGREGATED);
    await propagate(fleet, { name: 'ledger', replicas: 3, requests: HALF_CORE }, DYNAMIC_WEIGHT, PRIMARY_AND_BACKUP);
    await propagate(fleet, { name: 'cart', replicas: 3, requests: HALF_CORE }, DYNAMIC_WEIGHT, LAZY);
    await propagate(fleet, LATE, DYNAMIC_WEIGHT);
    await propagate(fleet, { name: 'shop', replicas: 6, requests: HALF_CORE }, DYNAMIC_WEIGHT);
    await annotate('shop', { [REBALANCING]: 'Never' });
    await eventually(() => running(fleet, 'web'), { member1: 4, member2: 4, member3: 4 });
    await eventually(() => running(fleet, 'orders'), { member1: 0, member2: 6, member3: 0 });
    await eventually(() => running(fleet, 'ledger'), { member1: 0, member2: 3, member3: 0 });
    await eventually(() => running(fleet, 'cart'), { member1: 1, member2: 1, member3: 1 });
    await eventually(() => running(fleet, 'shop'), { member1: 2, member2: 2, member3: 2 });
    const strategy = { order: [{ by: 'Priority', descending: true }] };
    await createPolicy(fleet, 'home', { triggers: { clusterRecovered: SOON_STABLE }, strategy });
  });

  it("moves nothing during the outage, which Karmada's failover handles", async () => {
    await fail(fleet, 'member2');
    await eventually(() => assigned(fleet, 'web'), { member1: 6, member3: 6 }, AFTER_OUTAGE_MS);
    await eventually(() => assigned(fleet, 'ledger'), { member3: 3 });
    await eventually(() => assigned(fleet, 'shop'), { member1: 3, member3: 3 });
    for (const name of ['orders', 'cart', 'late'])
      await eventually(async () => Object.keys(await assigned(fleet, name)).includes('member2'), false);
    expect(await wavesOf(fleet, 'home')).toEqual([]);
  });

  it('returns replicas automatically when the member has been Ready for stableFor (stories 1 and 4)', async () => {
    // Lazy: takes effect with the next change of the workload, and there is none.
    await fleet.api.merge(`${paths.policies}/cart`, { spec: { placement: WITHOUT_MEMBER2 } });
    await recoverMember(fleet, 'member2');
    await eventually(() => isHealthy(fleet, 'member2'), true, AFTER_OUTAGE_MS);
    await eventually(() => assigned(fleet, 'web'), { member1: 4, member2: 4, member3: 4 });
    await eventually(() => assigned(fleet, 'orders'), { member2: 6 });
    await eventually(async () => (await statusOf(fleet, 'home')).lastRun?.state, 'Finished', AFTER_OUTAGE_MS);
    await eventually(() => running(fleet, 'web'), { member1: 4, member2: 4, member3: 4 }, AFTER_OUTAGE_MS);
  });

  it('uses the applied placement if a Lazy policy has a newer one', async () => {
    expect(await assigned(fleet, 'cart')).toEqual({ member1: 1, member2: 1, member3: 1 });
  });
});

describe('a member that joins, with a policy for clusters that join', () => {
  it('gets its share', async () => {
    const strategy = { coolDown: '0s' };
    const triggers = { clusterJoined: SOON_STABLE };
    await createPolicy(fleet, 'share', { selector: { names: ['web'] }, triggers, strategy });
    // A cluster that joins in the second of the policy's creation does not count as joined since.
    await eventually(async () => (await statusOf(fleet, 'share')).state, 'Idle');
    whole = parts.adopt(await joinMember4(fleet), (joined) => joined.close());
    const thirds = { member1: 3, member2: 3, member3: 3, member4: 3 };
    await eventually(() => assigned(whole, 'web'), thirds);
    await eventually(() => running(whole, 'web'), thirds);
    await eventually(async () => (await statusOf(fleet, 'share')).lastRun?.triggers, ['ClusterJoined member4']);
  });

  it('is reported, as is the outage, by audit events and by the bridge, which do not report status updates', () => {
    const audited = auditedChangesOf(fleet);
    for (const published of [audited, bridge.published]) {
      // The taint and its removal.
      expect(published.filter((one) => one === 'ClusterChanged member2').length).toBeGreaterThanOrEqual(2);
      expect(published).toContain('ClusterChanged member4');
      expect(published).toContain('RebalancePolicyChanged share');
    }
    // At most its first observation, independent of the number of status updates.
    expect(bridge.published.filter((one) => one === 'ClusterChanged member3').length).toBeLessThanOrEqual(1);
  });
});

describe('a workload that other actors change', () => {
  it('is rebalanced by a user first, and the reason of every decision is recorded', async () => {
    await restartEvenkeel(fleet, {
      resyncMinutes: 1,
      meanwhile: async () => {
        const [first] = await runsOf(fleet, 'home');
        expect(first).toMatchObject({ state: 'Finished', triggers: ['ClusterRecovered member2'], moved: 11 });
        // Without ledger: karmada-scheduler 1.18 would leave it on the backup, so there is nothing to move.
        expect(first?.decisions).toEqual({
          web: 'Moved: rescheduled and ready',
          orders: 'Moved: rescheduled and ready',
          cart: 'Moved: rescheduled and ready',
          late: 'Skipped: it is being evicted from member2',
          shop: `Skipped: ${REBALANCING} on the workload keeps policies away`,
        });
        await annotate('shop', { [REBALANCING]: null });
        await createPolicy(fleet, 'even', { selector: { names: ['shop'] }, triggers: { imbalance: { percent: 1 } } });
        byHand = await fleet.api.create(paths.rebalancers, rebalancer('by-hand', 'shop'));
        const again = { triggers: { imbalance: { percent: 1 } }, strategy: { coolDown: '0s' } };
        await createPolicy(fleet, 'again', { selector: { names: ['ledger'] }, ...again });
      },
    });
    await eventually(async () => (await statusOf(fleet, 'even')).state, 'Idle');
    const { metadata } = await bindingOf(fleet, 'shop');
    expect(metadata.annotations?.[TRIGGERED_BY]).toBe(`by-hand/${byHand.metadata.uid}`);
  });

  it("is evaluated again after Karmada's eviction has finished", async () => {
    const isBack = async () => Object.keys(await assigned(fleet, 'late')).includes('member2');
    await eventually(isBack, true, RESYNCED_MS);
    expect(patchesOf(fleet.hub, 'default').get('late-deployment')).toBe(1);
  });

  it('is not triggered if the scheduler would not move it, even if it is the only workload', async () => {
    // karmada-scheduler 1.18 stays with the backup; a later version would start with the primary.
    await eventually(async () => (await statusOf(fleet, 'again')).state, 'Idle');
    expect(await seenFor(INERT_MS, () => assigned(fleet, 'ledger'))).toEqual([{ member3: 3 }]);
    const times = patchesOf(fleet.hub, 'default');
    expect([times.get('ledger-deployment'), times.get('shop-deployment')]).toEqual([undefined, 1]);
    expect([await wavesOf(fleet, 'again'), await wavesOf(fleet, 'even')]).toEqual([[], []]);
  });

  it('gets an earlier assignment back, and neither karmada-scheduler nor a policy changes it (undo)', async () => {
    const during = { member1: 3, member3: 3 };
    const annotations = { [ASSIGN_ANNOTATION]: JSON.stringify({ 'default/shop-deployment': during }) };
    const back = { ...rebalancer('back', 'shop'), metadata: { name: 'back', annotations } };
    await fleet.api.create(paths.rebalancers, back);
    await eventually(() => assigned(fleet, 'shop'), during);
    await eventually(() => running(fleet, 'shop'), { member1: 3, member2: 0, member3: 3 });
    expect(await seenFor(INERT_MS, () => assigned(fleet, 'shop'))).toEqual([during]);
    expect(await wavesOf(fleet, 'even')).toEqual([]);
  });
});

describe('freed capacity, with a policy for CapacityFreed', () => {
  beforeAll(async () => {
    await deletePolicies(fleet);
    // The policies own their rebalancers, which are deleted with them.
    await eventually(() => wavesOf(fleet, 'home'), [], AFTER_OUTAGE_MS);
    await clear(whole);
    // member1 has capacity for 6 replicas of report and member4 for 4; batch leaves member2 when another workload fills it.
    await occupy(whole, 'member1', { name: 'tenant', replicas: 2, requests: { cpu: '38500m' } });
    await occupy(whole, MEMBER4, { name: 'tenant', replicas: 2, requests: { cpu: '39' } });
    await eventually(() => known(whole), { member1: 2, member2: 0, member3: 0, member4: 2 });
    const on = (...clusterNames: readonly string[]) => ({ clusterAffinity: { clusterNames } });
    const report = { name: 'report', replicas: 10, requests: HALF_CORE };
    await propagate(whole, report, AGGREGATED, placedOn(AGGREGATED, on('member1', 'member4')));
    const batch = { name: 'batch', replicas: 6, requests: HALF_CORE };
    const onTwo = placedOn(DYNAMIC_WEIGHT, on('member2', 'member3'));
    await propagate(whole, batch, DYNAMIC_WEIGHT, { ...LEAVE_WHEN_UNHEALTHY, ...onTwo });
    await eventually(() => running(whole, 'batch'), { member1: 0, member2: 3, member3: 3, member4: 0 });
    await occupy(whole, 'member2', { name: 'rush', replicas: 2, requests: WHOLE_NODE, priorityClassName: 'urgent' });
    await eventually(() => running(whole, 'report'), { member1: 6, member2: 0, member3: 0, member4: 4 });
    await eventually(() => running(whole, 'batch'), { member1: 0, member2: 0, member3: 6, member4: 0 });
    await createPolicy(fleet, 'capacity', { triggers: { capacityFreed: {} } });
    await eventually(async () => (await statusOf(fleet, 'capacity')).state, 'Idle');
    await eventually(() => known(whole), { member1: 8, member2: 2, member3: 6, member4: 6 });
  });

  it('is used: the preempted workload is spread again, and the split one moves to one cluster (stories 2 and 3)', async () => {
    expect(await wavesOf(fleet, 'capacity')).toEqual([]);
    await vacate(whole, 'member1', 'tenant');
    await vacate(whole, 'member2', 'rush');
    await eventually(() => assigned(fleet, 'report'), { member1: 10 }, RESYNCED_MS);
    await eventually(() => assigned(fleet, 'batch'), { member2: 3, member3: 3 }, RESYNCED_MS);
    await eventually(() => running(whole, 'report'), { member1: 10, member2: 0, member3: 0, member4: 0 });
    await eventually(() => running(whole, 'batch'), { member1: 0, member2: 3, member3: 3, member4: 0 });
    await eventually(async () => (await statusOf(fleet, 'capacity')).state, 'Idle');
    expect(patchesOf(fleet.hub, 'default').get('batch-deployment')).toBe(1);
  });
});

describe('the shipped account', () => {
  it('needs no request that was denied', () => {
    const requests = ourRequests(fleet.hub);
    const made = requests.filter(
      ({ verb, objectRef }) => verb === 'create' && objectRef?.resource === 'workloadrebalancers',
    );
    // 409: a second delivery finds the rebalancer of the wave there.
    const codes = made.map(({ responseStatus }) => responseStatus?.code ?? 0);
    expect(codes).toContain(201);
    expect(codes.filter((code) => code !== 201 && code !== 409)).toEqual([]);
    expect(requests.filter(isDenied)).toEqual([]);
  });
});
