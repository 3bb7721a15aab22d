/** Successful means that a trigger is on the binding. If Karmada's scheduler is down and cannot handle it, Evenkeel reports that. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startScheduler } from '../../parts/karmada.ts';
import { clear, crowdOntoMember1, rebalance, rescheduled } from './acts.ts';
import { logOf } from './evenkeel.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { HALF_CORE, paths } from './manifests.ts';
import { assigned, bindingOf, eventually, isWaiting, running, seenFor } from './observed-state.ts';

const UNMOVED_MS = 5000;

describe('a rebalance while karmada-scheduler is down', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
  });
  beforeEach(() => clear(fleet));
  afterEach(() => startScheduler(fleet.rig, fleet.hub));
  afterAll(() => fleet.close());

  it('is Successful, moves nothing, is reported as overdue, and is handled when the scheduler is back', async () => {
    await crowdOntoMember1(fleet, { name: 'web', replicas: 8, requests: HALF_CORE });
    await fleet.rig.processes.stop('karmada-scheduler');
    const before = await bindingOf(fleet, 'web');
    const { metadata } = await rebalance(fleet, 'without-scheduler', 'web');

    const observation = async () => ({
      assigned: await assigned(fleet, 'web'),
      waiting: isWaiting(await bindingOf(fleet, 'web')),
    });
    expect(await seenFor(UNMOVED_MS, observation)).toEqual([{ assigned: { member1: 8 }, waiting: true }]);
    const overdue = async () => logOf(fleet, metadata.name).filter(({ code }) => code === 'EK300');
    await eventually(overdue, [expect.objectContaining({ waiting: 1, first: 'Deployment default/web' }) as object]);

    await startScheduler(fleet.rig, fleet.hub);
    await rescheduled(fleet, 'web', before);
    await eventually(() => assigned(fleet, 'web'), { member1: 4, member2: 4 });
    await eventually(() => running(fleet, 'web'), { member1: 4, member2: 4 });

    // A deletion without an object name triggers a resync of the hub's tasks.
    await fleet.api.delete(`${paths.rebalancers}?labelSelector=no%3Dsuch`);
    const acted = async () =>
      logOf(fleet, metadata.name).some(({ reason }) => reason === 'the scheduler acted on every trigger (1)');
    await eventually(acted, true);
  });
});
