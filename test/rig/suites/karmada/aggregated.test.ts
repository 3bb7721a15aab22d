/** Story 3 of the proposal: a split Aggregated workload moves to one cluster that has capacity for all of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clear, occupy, propagate, rebalance, rescheduled, vacate } from './acts.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { AGGREGATED, HALF_CORE } from './manifests.ts';
import { assigned, bindingOf, eventually, known, running, seenFor, whereabouts } from './observed-state.ts';

const INERT_MS = 5000;

describe('an Aggregated workload that had to be split', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
  });
  beforeEach(() => clear(fleet));
  afterAll(() => fleet.close());

  it('moves to one member with capacity for all replicas after a WorkloadRebalancer, and not before', async () => {
    // For half a core there are 3 places left on each node of member1 and 2 on each of member2: as many as the replicas.
    await occupy(fleet, 'member1', { name: 'tenant', replicas: 2, requests: { cpu: '38500m' } });
    await occupy(fleet, 'member2', { name: 'tenant', replicas: 2, requests: { cpu: '39' } });
    await eventually(() => known(fleet), { member1: 2, member2: 2 });
    await propagate(fleet, { name: 'report', replicas: 10, requests: HALF_CORE }, AGGREGATED);
    await eventually(() => running(fleet, 'report'), { member1: 6, member2: 4 });

    await vacate(fleet, 'member1', 'tenant');
    await eventually(() => known(fleet), { member1: 6, member2: 6 });
    const split = { member1: 6, member2: 4 };
    expect(await seenFor(INERT_MS, () => whereabouts(fleet, 'report'))).toEqual([{ assigned: split, running: split }]);

    const before = await bindingOf(fleet, 'report');
    await rebalance(fleet, 'pull-report-together', 'report');
    await rescheduled(fleet, 'report', before);
    // member1 has 154 free and 6 of its own, which is enough; member2 only its own 4.
    await eventually(() => assigned(fleet, 'report'), { member1: 10 });
    await eventually(() => running(fleet, 'report'), { member1: 10, member2: 0 });
  });
});
