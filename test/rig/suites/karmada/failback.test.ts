/**
 * Stories 1 and 4 of the proposal: a member fails, its replicas move; it recovers, and they return when a user requests it.
 * The tests are the steps of one outage, in this order.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clear, propagate, rebalance, rescheduled } from './acts.ts';
import { type Fleet, fail, recover, startFleet } from './fleet.ts';
import { AGGREGATED, DYNAMIC_WEIGHT, HALF_CORE, leaveFailedClusters, ONE_GIB, paths } from './manifests.ts';
import {
  AFTER_OUTAGE_MS,
  assigned,
  bindingOf,
  eventually,
  isHealthy,
  known,
  running,
  seenFor,
  whereabouts,
} from './observed-state.ts';

const INERT_MS = 5000;

describe('a member that fails and recovers', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
    await clear(fleet);
    await fleet.api.create(paths.taintPolicies, leaveFailedClusters);
  });
  afterAll(() => fleet.close());

  it('starts with the weighted workload on both members and the aggregated one on the larger', async () => {
    // Both members have capacity for 160 pods of half a core: equal weights, equal halves.
    await propagate(fleet, { name: 'web', replicas: 8, requests: HALF_CORE }, DYNAMIC_WEIGHT);
    await eventually(() => running(fleet, 'web'), { member1: 4, member2: 4 });
    // member2 has more memory, enough for all replicas: it is the primary.
    await propagate(fleet, { name: 'orders', replicas: 6, requests: ONE_GIB }, AGGREGATED);
    await eventually(() => running(fleet, 'orders'), { member1: 0, member2: 6 });
    await eventually(() => known(fleet), { member1: 4, member2: 10 });
  });

  it('loses no replica when the member fails: the other member runs them', async () => {
    await fail(fleet, 'member2');
    await eventually(() => assigned(fleet, 'web'), { member1: 8 }, AFTER_OUTAGE_MS);
    await eventually(() => assigned(fleet, 'orders'), { member1: 6 }, AFTER_OUTAGE_MS);
    await eventually(async () => (await known(fleet)).member1, 14);
  });

  it('moves no replica back automatically when the member recovers', async () => {
    await recover(fleet, 'member2');
    await eventually(() => isHealthy(fleet, 'member2'), true, AFTER_OUTAGE_MS);
    await eventually(() => running(fleet, 'web'), { member1: 8, member2: 0 }, AFTER_OUTAGE_MS);
    await eventually(() => running(fleet, 'orders'), { member1: 6, member2: 0 }, AFTER_OUTAGE_MS);
    await eventually(() => known(fleet), { member1: 14, member2: 0 }, AFTER_OUTAGE_MS);
    const both = async () => [await whereabouts(fleet, 'web'), await whereabouts(fleet, 'orders')];
    expect(await seenFor(INERT_MS, both)).toEqual([
      [
        { assigned: { member1: 8 }, running: { member1: 8, member2: 0 } },
        { assigned: { member1: 6 }, running: { member1: 6, member2: 0 } },
      ],
    ]);
  });

  it('spreads the replicas over both members again after a WorkloadRebalancer (story 1)', async () => {
    const before = await bindingOf(fleet, 'web');
    const { metadata } = await rebalance(fleet, 'spread-web', 'web');
    const after = await rescheduled(fleet, 'web', before);
    expect(after.spec.rescheduleTriggeredAt).toBe(metadata.creationTimestamp);
    // Fresh: its own replicas count as free, so both members weigh 160 again.
    await eventually(() => assigned(fleet, 'web'), { member1: 4, member2: 4 });
    await eventually(() => running(fleet, 'web'), { member1: 4, member2: 4 });
  });

  it('returns every replica to the primary cluster after a WorkloadRebalancer (story 4)', async () => {
    expect(await assigned(fleet, 'orders')).toEqual({ member1: 6 });
    const before = await bindingOf(fleet, 'orders');
    await rebalance(fleet, 'orders-to-primary', 'orders');
    await rescheduled(fleet, 'orders', before);
    // Capacity 32 on member2, 16 on member1: the fewest clusters, in the order of their capacity.
    await eventually(() => assigned(fleet, 'orders'), { member2: 6 });
    await eventually(() => running(fleet, 'orders'), { member1: 0, member2: 6 });
  });
});
