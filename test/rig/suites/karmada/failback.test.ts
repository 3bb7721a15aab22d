/**
 * Stories 1 and 4 of the proposal: a member fails, its replicas move; it recovers, and they come back when somebody asks.
 * The tests are the steps of one outage, in order.
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
const OUTAGE = { timeout: 240_000 };

describe('a member that fails and recovers', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
    await clear(fleet);
    await fleet.api.create(paths.taintPolicies, leaveFailedClusters);
  });
  afterAll(() => fleet.close());

  it('starts with the weighted workload on both members and the aggregated one on the larger', async () => {
    // Both members have 160 places for half a core: equal weights, equal halves.
    await propagate(fleet, { name: 'web', replicas: 8, requests: HALF_CORE }, DYNAMIC_WEIGHT);
    await eventually(() => running(fleet, 'web'), { member1: 4, member2: 4 });
    // Of memory member2 has more, and it has enough for all: it is the primary.
    await propagate(fleet, { name: 'orders', replicas: 6, requests: ONE_GIB }, AGGREGATED);
    await eventually(() => running(fleet, 'orders'), { member1: 0, member2: 6 });
    await eventually(() => known(fleet), { member1: 4, member2: 10 });
  });

  it('loses no replica when the member fails: the other one runs them', OUTAGE, async () => {
    await fail(fleet, 'member2');
    await eventually(() => assigned(fleet, 'web'), { member1: 8 }, AFTER_OUTAGE_MS);
    await eventually(() => assigned(fleet, 'orders'), { member1: 6 }, AFTER_OUTAGE_MS);
    await eventually(async () => (await known(fleet)).member1, 14);
  });

  it('moves no replica back by itself when the member is there again', OUTAGE, async () => {
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

  it('spreads the replicas over both members again when a WorkloadRebalancer asks (story 1)', async () => {
    const before = await bindingOf(fleet, 'web');
    const { metadata } = await rebalance(fleet, 'spread-web', 'web');
    const after = await rescheduled(fleet, 'web', before);
    expect(after.spec.rescheduleTriggeredAt).toBe(metadata.creationTimestamp);
    // Fresh: what it has itself counts as free, so both members weigh 160 again.
    await eventually(() => assigned(fleet, 'web'), { member1: 4, member2: 4 });
    await eventually(() => running(fleet, 'web'), { member1: 4, member2: 4 });
  });

  it('brings every replica back to the primary cluster when a WorkloadRebalancer asks (story 4)', async () => {
    expect(await assigned(fleet, 'orders')).toEqual({ member1: 6 });
    const before = await bindingOf(fleet, 'orders');
    await rebalance(fleet, 'orders-to-primary', 'orders');
    await rescheduled(fleet, 'orders', before);
    // 32 places on member2, 16 on member1: the fewest clusters, the roomiest first.
    await eventually(() => assigned(fleet, 'orders'), { member2: 6 });
    await eventually(() => running(fleet, 'orders'), { member1: 0, member2: 6 });
  });
});
