/**
 * Replicas that are removed only when their replacement is ready, on real Karmada: holds by the hub's API server alone, and
 * complete moves with pods that are ready late. The tests of each group are steps of one course of events, in order.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GRACE_PERIOD } from '../../../../shared/graceful-reduction/replica-reduction.ts';
import { startKarmada } from '../../parts/karmada.ts';
import { clear, propagate, scale } from './acts.ts';
import {
  type GracefulFleet,
  held,
  type Name,
  releaseByHand,
  reviseTemplate,
  revisions,
  reweigh,
  runEvenkeelOn,
  setStrategy,
  startGracefulFleet,
} from './graceful-fleet.ts';
import { carryOut, crowdAll, moves, REPLICAS } from './graceful-moves.ts';
import { HALF_CORE, paths, weighted } from './manifests.ts';
import { eventually, seenFor, whereabouts } from './observed-state.ts';

/** Upstream's controllers handle a change within a second. */
const QUIET_MS = 2500;

const parts = new AsyncDisposableStack();
let fleet: GracefulFleet;

beforeAll(async () => {
  fleet = parts.adopt(await startGracefulFleet(), (started) => started.close());
});

afterAll(() => parts.disposeAsync());

/** The assigned, the ready and the held replicas. */
async function observation(workload: string): Promise<object> {
  return { ...(await whereabouts(fleet, workload)), held: await held(fleet, workload) };
}

async function gone(workload: string, member: Name, running: object): Promise<void> {
  await releaseByHand(fleet, workload, member);
  await eventually(async () => (await whereabouts(fleet, workload)).running, running);
}

async function propagateHeld(name: string, replicas: number, weights: Readonly<Record<string, number>>): Promise<void> {
  await propagate(fleet, { name, replicas, requests: HALF_CORE }, weighted(weights));
  const sum = Object.values(weights).reduce((all, weight) => all + weight, 0);
  const shares = Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, (replicas * weight) / sum]));
  const running = { member1: 0, member2: 0, member3: 0, ...shares };
  await eventually(async () => (await whereabouts(fleet, name)).running, running);
  await setStrategy(fleet, name);
}

describe('a hub that holds reductions, while no function runs', () => {
  const before = { running: { member1: 4, member2: 6, member3: 2 }, held: { member1: 4, member3: 2 } };
  const MOVED = { assigned: { member1: 2, member2: 6 }, ...before };

  beforeAll(() => clear(fleet));

  it('keeps the pods of a removed cluster and of a reduced one, in the write that reduces them', async () => {
    await propagateHeld('web', 8, { member1: 2, member2: 1, member3: 1 });
    await reweigh(fleet, 'web', weighted({ member1: 1, member2: 3 }));
    await eventually(() => observation('web'), MOVED);
    expect(await seenFor(QUIET_MS, () => observation('web'))).toEqual([MOVED]);
  });

  it('keeps them when the template of the workload changes, without changing that of the reduced cluster', async () => {
    await reviseTemplate(fleet, 'web', 'second');
    const expected = { member1: ['first'], member2: ['second'], member3: ['second'] };
    await eventually(() => revisions(fleet, 'web'), expected);
    await eventually(() => observation('web'), MOVED);
    expect(await seenFor(QUIET_MS, () => observation('web'))).toEqual([MOVED]);
  });

  it('keeps them when the policy is edited', async () => {
    await fleet.api.merge(`${paths.policies}/web`, { spec: { conflictResolution: 'Overwrite' } });
    expect(await seenFor(QUIET_MS, () => observation('web'))).toEqual([MOVED]);
  });

  it("keeps them when Karmada's controllers are killed, the template changes, and they start again", async () => {
    const { rig, hub } = fleet;
    await rig.processes.stop('karmada-controller-manager', 'SIGKILL');
    await reviseTemplate(fleet, 'web', 'third');
    await startKarmada(rig, hub, []);
    const expected = { member1: ['first'], member2: ['third'], member3: ['third'] };
    await eventually(() => revisions(fleet, 'web'), expected);
    await eventually(() => observation('web'), MOVED);
  });

  it('keeps the initial replicas of a reduced cluster that is then removed, and updates its template', async () => {
    await reweigh(fleet, 'web', weighted({ member2: 1 }));
    const expected = { member1: ['third'], member2: ['third'], member3: ['third'] };
    await eventually(() => revisions(fleet, 'web'), expected);
    const left = { ...MOVED, assigned: { member2: 8 }, running: { member1: 4, member2: 8, member3: 2 } };
    await eventually(() => observation('web'), left);
    expect(await seenFor(QUIET_MS, () => observation('web'))).toEqual([left]);
  });

  it('keeps the initial replicas of a cluster to which the scheduler assigns some again', async () => {
    await reweigh(fleet, 'web', weighted({ member1: 1, member2: 7 }));
    const back = { assigned: { member1: 1, member2: 7 }, running: { member1: 4, member2: 8, member3: 2 } };
    const grown = { ...back, held: { member1: 4, member2: 8, member3: 2 } };
    await eventually(() => observation('web'), grown);
    expect(await seenFor(QUIET_MS, () => observation('web'))).toEqual([grown]);
  });

  it('releases the replicas of each cluster whose entry a user removes from the queue', async () => {
    await gone('web', 'member3', { member1: 4, member2: 8, member3: 0 });
    await gone('web', 'member1', { member1: 1, member2: 8, member3: 0 });
    await gone('web', 'member2', { member1: 1, member2: 7, member3: 0 });
    expect(await held(fleet, 'web')).toEqual({});
  });

  it('drops a hold when the cluster is assigned its replicas again, and all holds when the workload is scaled to 0', async () => {
    await propagateHeld('cart', 8, { member1: 2, member2: 1, member3: 1 });
    await reweigh(fleet, 'cart', weighted({ member1: 1, member2: 3 }));
    await eventually(() => held(fleet, 'cart'), { member1: 4, member3: 2 });
    await scale(fleet, 'cart', 12);
    const running = { member1: 4, member2: 9, member3: 2 };
    await eventually(() => observation('cart'), { assigned: { member1: 3, member2: 9 }, running, held: before.held });
    await scale(fleet, 'cart', 16);
    const grown = { assigned: { member1: 4, member2: 12 }, running: { ...running, member2: 12 }, held: { member3: 2 } };
    await eventually(() => observation('cart'), grown);
    await scale(fleet, 'cart', 0);
    await eventually(() => observation('cart'), {
      assigned: {},
      running: { member1: 0, member2: 0, member3: 0 },
      held: {},
    });
  });

  it('does not hold a scale-down in any cluster', async () => {
    await propagateHeld('tail', 8, { member1: 2, member2: 1, member3: 1 });
    await scale(fleet, 'tail', 4);
    const shares = { member1: 2, member2: 1, member3: 1 };
    await eventually(() => observation('tail'), { assigned: shares, running: shares, held: {} });
  });

  it('keeps at most the total replicas of a workload that is scaled down while it moves', async () => {
    await propagateHeld('drop', 8, { member1: 1 });
    await reweigh(fleet, 'drop', weighted({ member2: 1 }));
    await eventually(() => held(fleet, 'drop'), { member1: 8 });
    await scale(fleet, 'drop', 3);
    const running = { member1: 3, member2: 3, member3: 0 };
    await eventually(() => observation('drop'), { assigned: { member2: 3 }, running, held: { member1: 3 } });
  });

  it('holds nothing if no cluster matches any more: the workload is removed as without Evenkeel', async () => {
    await propagateHeld('lost', 4, { member1: 1, member2: 1 });
    const clusterAffinity = { labelSelector: { matchLabels: { no: 'such' } } };
    await fleet.api.merge(`${paths.policies}/lost`, { spec: { placement: { clusterAffinity } } });
    await eventually(() => observation('lost'), {
      assigned: {},
      running: { member1: 0, member2: 0, member3: 0 },
      held: {},
    });
  });

  it('releases a hold in the first write after its grace period, so that a new template reaches every cluster', async () => {
    await propagateHeld('late', 8, { member1: 1, member2: 1 });
    await setStrategy(fleet, 'late', { [GRACE_PERIOD]: '3' });
    await reweigh(fleet, 'late', weighted({ member1: 1, member2: 3 }));
    const assigned = { member1: 2, member2: 6 };
    const kept = { assigned, running: { member1: 4, member2: 6, member3: 0 }, held: { member1: 4 } };
    await eventually(() => observation('late'), kept);
    expect(await seenFor(4000, () => observation('late'))).toEqual([kept]);
    await reviseTemplate(fleet, 'late', 'second');
    await eventually(() => observation('late'), { assigned, running: { ...assigned, member3: 0 }, held: {} });
    await eventually(() => revisions(fleet, 'late'), { member1: ['second'], member2: ['second'], member3: [] });
  });

  it('leaves no objects after the workload is deleted', async () => {
    await propagateHeld('shop', 8, { member1: 2, member2: 1, member3: 1 });
    await reweigh(fleet, 'shop', weighted({ member1: 1, member2: 3 }));
    await eventually(() => held(fleet, 'shop'), { member1: 4, member3: 2 });
    await clear(fleet);
  });
});

describe('a WorkloadRebalancer for workloads whose pods are ready after 12 s', () => {
  /** The lowest number of ready pods, by workload. */
  const lowest = new Map<string, number>();

  beforeAll(async () => {
    await clear(fleet);
    await runEvenkeelOn(fleet);
    await crowdAll(fleet);
    await Promise.all(moves.map(async (move) => lowest.set(move.workload, await carryOut(fleet, move))));
  });

  it.each(moves.filter(({ held }) => held))(
    '$workload, $shape, never has fewer ready pods than before',
    ({ workload }) => {
      expect(lowest.get(workload)).toBe(REPLICAS);
    },
  );

  it.each([
    ['orders-at-once', 0],
    ['web-at-once', 3],
  ])('%s, without the strategy, temporarily has %i ready pods', (workload, ready) => {
    expect(lowest.get(workload)).toBe(ready);
  });
});
