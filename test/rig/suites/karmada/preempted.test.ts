/** Story 2 of the proposal: a workload that was preempted in a cluster returns when the cluster has capacity again and a user requests it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clear, occupy, propagate, rebalance, rescheduled, vacate } from './acts.ts';
import { type Fleet, startFleet, WHOLE_NODE } from './fleet.ts';
import { DYNAMIC_WEIGHT, HALF_CORE, LEAVE_WHEN_UNHEALTHY, paths, urgent } from './manifests.ts';
import { assigned, bindingOf, eventually, known, running, seenFor, whereabouts } from './observed-state.ts';

const INERT_MS = 5000;

describe('a workload crowded out of a member', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
  });
  beforeEach(async () => {
    await clear(fleet);
    // By selector, because there may be none.
    await fleet.members.member2.delete(`${paths.priorityClasses}?fieldSelector=metadata.name%3Durgent`);
    await fleet.members.member2.create(paths.priorityClasses, urgent);
  });
  afterAll(() => fleet.close());

  it('is spread again after a WorkloadRebalancer, and not before, when the preempting workload is gone', async () => {
    await propagate(fleet, { name: 'batch', replicas: 6, requests: HALF_CORE }, DYNAMIC_WEIGHT, LEAVE_WHEN_UNHEALTHY);
    await eventually(() => running(fleet, 'batch'), { member1: 3, member2: 3 });

    // Two pods that take a node each: kube-scheduler preempts the three of batch for them.
    await occupy(fleet, 'member2', { name: 'rush', replicas: 2, requests: WHOLE_NODE, priorityClassName: 'urgent' });
    await eventually(() => running(fleet, 'rush'), { member1: 0, member2: 2 });
    await eventually(() => assigned(fleet, 'batch'), { member1: 6 });
    await eventually(() => running(fleet, 'batch'), { member1: 6, member2: 0 });
    await eventually(() => known(fleet), { member1: 6, member2: 2 });

    await vacate(fleet, 'member2', 'rush');
    await eventually(() => known(fleet), { member1: 6, member2: 0 });
    expect(await seenFor(INERT_MS, () => whereabouts(fleet, 'batch'))).toEqual([
      { assigned: { member1: 6 }, running: { member1: 6, member2: 0 } },
    ]);

    const before = await bindingOf(fleet, 'batch');
    await rebalance(fleet, 'spread-batch', 'batch');
    await rescheduled(fleet, 'batch', before);
    // Both members weigh 160, its own six counted as free.
    await eventually(() => assigned(fleet, 'batch'), { member1: 3, member2: 3 });
    await eventually(() => running(fleet, 'batch'), { member1: 3, member2: 3 });
  });
});
