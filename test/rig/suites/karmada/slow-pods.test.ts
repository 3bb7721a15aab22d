/** Pods that are ready late, for suites that test waiting for readiness. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { clear, propagate } from './acts.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { DYNAMIC_WEIGHT, HALF_CORE } from './manifests.ts';
import { eventually, known, running, seenFor } from './observed-state.ts';

describe('a workload whose pods are ready late', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
  });
  beforeEach(() => clear(fleet));
  afterAll(() => fleet.close());

  it('has no pod ready before that time, and every pod after it', async () => {
    const late = { name: 'late', replicas: 4, requests: HALF_CORE, annotations: { [READY_AFTER]: '6s' } };
    await propagate(fleet, late, DYNAMIC_WEIGHT);
    await eventually(() => known(fleet), { member1: 2, member2: 2 });
    expect(await seenFor(3000, () => running(fleet, 'late'))).toEqual([{ member1: 0, member2: 0 }]);
    await eventually(() => running(fleet, 'late'), { member1: 2, member2: 2 });
  });
});
