/**
 * Two requests that a rebalancer loses silently if it only compares whole seconds: Karmada's scheduler acts on a
 * trigger only if it is later than the last scheduling, and the creationTimestamp of a later request may be the same second.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clear, crowdOntoMember1, reported, rescheduled, scale } from './acts.ts';
import { sendCreationEvent } from './evenkeel.ts';
import { type Fleet, runEvenkeel, startFleet } from './fleet.ts';
import { clusterRole, HALF_CORE, paths, rebalancer } from './manifests.ts';
import {
  assigned,
  type Binding,
  bindingOf,
  clusterBindingOf,
  eventually,
  known,
  type Rebalancer,
  rebalancerOf,
  running,
  seconds,
} from './observed-state.ts';
import { inSecondOfScheduling, twoInOneSecond } from './same-second.ts';

describe('a request in the same second as a scheduling, or before it', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
  });
  beforeEach(() => clear(fleet));
  afterAll(() => fleet.close());

  it('reschedules for a second rebalancer, even if the first of the same second was handled before', async () => {
    await crowdOntoMember1(fleet, { name: 'web', replicas: 8, requests: HALF_CORE });
    const { first, between, second } = await twoInOneSecond(fleet, 'web', (name) => sendCreationEvent(fleet, name));
    expect(second.metadata.creationTimestamp).toBe(first.metadata.creationTimestamp);
    expect(between.status.lastScheduledTime).toBe(second.metadata.creationTimestamp);

    // Still in the same second: its trigger must have the time of the next second, and wait until then.
    await sendCreationEvent(fleet, second.metadata.name);
    await reported(fleet, second, ['web']);
    const after = await rescheduled(fleet, 'web', between);
    expect(seconds(after.spec.rescheduleTriggeredAt)).toBe(seconds(second.metadata.creationTimestamp) + 1);
    await reported(fleet, first, ['web']);
    await eventually(() => running(fleet, 'web'), { member1: 4, member2: 4 });
  });

  it('assigns again even if the scheduler scheduled the binding between the request and the trigger', async () => {
    await crowdOntoMember1(fleet, { name: 'web', replicas: 8, requests: HALF_CORE });
    await fleet.rig.processes.stop('evenkeel');
    const request = await fleet.api.create<Rebalancer>(paths.rebalancers, rebalancer('while-away', 'web'));
    const requestedAt = seconds(request.metadata.creationTimestamp);
    await eventually(async () => Date.now() / 1000 >= requestedAt + 1, true);
    await scale(fleet, 'web', 10);
    // Steady: two more, by the 152 and 160 places that are free: one each.
    await eventually(() => assigned(fleet, 'web'), { member1: 9, member2: 1 });
    await eventually(() => known(fleet), { member1: 9, member2: 1 });
    const before = await bindingOf(fleet, 'web');
    expect(seconds(before.status.lastScheduledTime)).toBeGreaterThan(requestedAt);

    await runEvenkeel(fleet);
    await reported(fleet, request, ['web']);
    const after = await rescheduled(fleet, 'web', before);
    expect(seconds(after.spec.rescheduleTriggeredAt)).toBe(seconds(before.status.lastScheduledTime) + 1);
    // Fresh: both members weigh 160. Without it 9 and 1 would have stayed.
    await eventually(() => assigned(fleet, 'web'), { member1: 5, member2: 5 });
    await eventually(() => running(fleet, 'web'), { member1: 5, member2: 5 });
  });

  it('keeps the creation time as the trigger of a ClusterRole, and the scheduler still handles the binding', async () => {
    const { role, policy } = clusterRole('story-reader');
    await fleet.api.create(paths.clusterPolicies, policy);
    await fleet.api.create(paths.clusterRoles, role);
    await eventually(
      async () => seconds((await clusterBindingOf(fleet, 'story-reader')).status.lastScheduledTime) > 0,
      true,
    );
    const { before, created } = await inSecondOfScheduling(fleet, 'story-reader');
    const { name, creationTimestamp } = created.metadata;
    await eventually(async () => (await rebalancerOf(fleet, name)).status?.finishTime !== undefined, true);
    await eventually(async () => isObserved(await clusterBindingOf(fleet, 'story-reader')), true);
    const after = await clusterBindingOf(fleet, 'story-reader');
    expect(before.status.lastScheduledTime).toBe(creationTimestamp);
    expect(after.spec.rescheduleTriggeredAt).toBe(creationTimestamp);
    expect(after.metadata.generation).toBeGreaterThan(before.metadata.generation ?? 0);
    await fleet.api.delete(`${paths.clusterPolicies}/story-reader`);
    await fleet.api.delete(`${paths.clusterRoles}/story-reader`);
  });
});

function isObserved({ metadata, status }: Binding): boolean {
  return status.schedulerObservedGeneration === metadata.generation;
}
