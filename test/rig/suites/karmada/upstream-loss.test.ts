/** The requests of lost-triggers.test.ts with Karmada's own rebalancer, which loses them: the reason for Evenkeel's handling. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startKarmadaRebalancer } from '../../parts/karmada.ts';
import { clear, crowdOntoMember1, reported, scale } from './acts.ts';
import { type Fleet, runEvenkeel, startFleet } from './fleet.ts';
import { HALF_CORE, paths, rebalancer } from './manifests.ts';
import { assigned, bindingOf, eventually, type Rebalancer, seconds, seenFor } from './observed-state.ts';
import { twoInOneSecond } from './same-second.ts';

const LOST_MS = 5000;
const WEB = { name: 'web', replicas: 8, requests: HALF_CORE };

describe("Karmada's own rebalancer", () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
  });
  beforeEach(async () => {
    await clear(fleet);
    await fleet.rig.processes.stop('evenkeel');
  });
  afterEach(async () => {
    await fleet.rig.processes.stop('karmada-rebalancer');
    await clear(fleet);
    await runEvenkeel(fleet);
  });
  afterAll(() => fleet.close());

  const lastScheduledTime = async () => (await bindingOf(fleet, 'web')).status.lastScheduledTime;

  it('reports a second rebalancer of the same second as Successful, and does not reschedule', async () => {
    await startKarmadaRebalancer(fleet.rig, fleet.hub);
    await crowdOntoMember1(fleet, WEB);
    const { second } = await twoInOneSecond(fleet, 'web');
    await reported(fleet, second, ['web']);
    expect(await seenFor(LOST_MS, lastScheduledTime)).toEqual([second.metadata.creationTimestamp]);
  });

  it('reports a rebalancer as Successful whose trigger the scheduler ignores', async () => {
    await crowdOntoMember1(fleet, WEB);
    const request = await fleet.api.create<Rebalancer>(paths.rebalancers, rebalancer('while-away', 'web'));
    const requestedAt = seconds(request.metadata.creationTimestamp);
    await eventually(async () => Date.now() / 1000 >= requestedAt + 1, true);
    await scale(fleet, 'web', 10);
    await eventually(() => assigned(fleet, 'web'), { member1: 9, member2: 1 });
    await startKarmadaRebalancer(fleet.rig, fleet.hub);
    await reported(fleet, request, ['web']);
    expect(await seenFor(LOST_MS, () => assigned(fleet, 'web'))).toEqual([{ member1: 9, member2: 1 }]);
  });
});
