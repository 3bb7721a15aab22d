/**
 * Clusters are drained on real Karmada: 40 workloads move in waves, and no moment has fewer ready pods, although none asks for graceful reduction;
 * also if the functions are killed, if one receiving cluster is full, and if one fails. The courses run in this order, each with what the one
 * before has left.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DRAIN_TAINT } from '../../../../shared/karmada/member-cluster.ts';
import type { PolicyStatus } from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import { startEvenkeelWith, stopEvenkeel } from '../../parts/evenkeel.ts';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { occupy, propagate, vacate } from './acts.ts';
import { fail } from './fleet.ts';
import { type GracefulFleet, heldIn, type Name, recoverMember, startGracefulFleet } from './graceful-fleet.ts';
import { DYNAMIC_WEIGHT, HALF_CORE, paths, weighted } from './manifests.ts';
import { ObjectWatch } from './object-watch.ts';
import { AFTER_OUTAGE_MS, type Binding, eventually, isHealthy, known } from './observed-state.ts';
import { ReadyCurves } from './ready-curve.ts';

const DRAINS = '/apis/evenkeel.dev/v1alpha1/clusterdrains';
const BUDGETS = '/apis/evenkeel.dev/v1alpha1/movebudgets';
const WORKLOADS = Array.from({ length: 40 }, (_, index) => `web${index + 1}`);
const REPLICAS = 6;
const WITHIN_MS = 600_000;
const EVENLY = weighted({ member1: 1, member2: 1, member3: 1 });
const late = { requests: HALF_CORE, annotations: { [READY_AFTER]: '6s' } };
const BUDGET = { workloads: 20, replicas: 120 };
/** Of a MoveBudget: less than a wave would move. */
const LESS = 36;
/** Whose curves are saved. */
const SHOWN = WORKLOADS.filter((_, index) => index % 13 === 0);

const parts = new AsyncDisposableStack();
let fleet: GracefulFleet;

beforeAll(async () => {
  fleet = parts.adopt(await startGracefulFleet(), (started) => started.close());
  for (const name of WORKLOADS) await propagate(fleet, { ...late, name, replicas: REPLICAS }, DYNAMIC_WEIGHT);
  await start();
});

afterAll(() => parts.disposeAsync());

function start(): Promise<void> {
  return startEvenkeelWith(fleet.rig, fleet.hub, { settings: { resyncMinutes: 1440, policyLookSeconds: 1 }, args: [] });
}

interface Drain {
  readonly status?: PolicyStatus;
}

/** The most that was held at one time since it began. */
class HeldMoves {
  most = { workloads: 0, replicas: 0 };
  readonly #held = new Map<string, number>();
  #watch: ObjectWatch | undefined;

  static async of({ hub }: GracefulFleet): Promise<HeldMoves> {
    const moves = new HeldMoves();
    moves.#watch = await ObjectWatch.of<Binding>(hub.adminKubeconfig, paths.bindings, ({ object }) =>
      moves.#note(object),
    );
    return moves;
  }

  get workloads(): number {
    return [...this.#held.values()].filter((replicas) => replicas > 0).length;
  }

  async close(): Promise<void> {
    const end = await this.#watch?.close();
    if (end !== undefined) throw end;
  }

  #note(binding: Binding): void {
    const replicas = Object.values(heldIn(binding)).reduce((sum, one) => sum + one, 0);
    this.#held.set(binding.metadata.name, replicas);
    this.most = {
      workloads: Math.max(this.most.workloads, this.workloads),
      replicas: Math.max(
        this.most.replicas,
        [...this.#held.values()].reduce((sum, one) => sum + one, 0),
      ),
    };
  }
}

let curves: ReadyCurves;
let moves: HeldMoves;

/** Counts ready pods and held moves from here on. */
async function count(): Promise<void> {
  curves = await ReadyCurves.of(fleet, WORKLOADS, REPLICAS);
  moves = await HeldMoves.of(fleet);
}

async function stopCounting(stopped?: Name): Promise<void> {
  await curves.close(stopped);
  await moves.close();
}

function expectNoLoss(course: string, most = BUDGET.replicas): void {
  curves.save(`drain-${course}`, SHOWN);
  expect(Object.entries(curves.lowest).filter(([, lowest]) => lowest < REPLICAS)).toEqual([]);
  expect(moves.most.workloads).toBeGreaterThan(1);
  expect(moves.most.workloads).toBeLessThanOrEqual(BUDGET.workloads);
  expect(moves.most.replicas).toBeLessThanOrEqual(most);
}

function drain(cluster: Name, readyWithin = '10m'): Promise<unknown> {
  return fleet.api.create(DRAINS, {
    apiVersion: 'evenkeel.dev/v1alpha1',
    kind: 'ClusterDrain',
    metadata: { name: cluster },
    spec: { cluster, strategy: { waves: { size: BUDGET.workloads, readyWithin }, maxInFlight: BUDGET } },
  });
}

async function conditions(cluster: Name): Promise<Readonly<Record<string, string>>> {
  const { status } = await fleet.api.get<Drain>(`${DRAINS}/${cluster}`);
  return Object.fromEntries((status?.conditions ?? []).map((condition) => [condition.type, condition.status]));
}

function isDrained(cluster: Name): Promise<void> {
  return eventually(async () => (await conditions(cluster)).Drained, 'True', WITHIN_MS);
}

/** The replicas that bindings assign to each member, and the number of workloads whose replicas are not all assigned. */
async function assignments(): Promise<Readonly<Record<string, number>>> {
  const sums: Record<string, number> = { member1: 0, member2: 0, member3: 0, incomplete: 0 };
  for (const { spec } of await fleet.api.list<Binding>(paths.bindings)) {
    const clusters = spec.clusters ?? [];
    for (const { name, replicas } of clusters) sums[name] = (sums[name] ?? 0) + replicas;
    const total = clusters.reduce((sum, { replicas }) => sum + replicas, 0);
    if (total !== REPLICAS) sums['incomplete'] = (sums['incomplete'] ?? 0) + 1;
  }
  return sums;
}

async function podsOn(member: Name): Promise<number> {
  return (await fleet.members[member].list(paths.pods)).length;
}

async function taints(cluster: Name): Promise<readonly string[]> {
  const { spec } = await fleet.api.get<{ spec: { taints?: readonly { key: string }[] } }>(
    `${paths.clusters}/${cluster}`,
  );
  return (spec.taints ?? []).map(({ key }) => key);
}

async function uncordon(cluster: Name): Promise<void> {
  await fleet.api.delete(`${DRAINS}/${cluster}`);
  await eventually(async () => (await taints(cluster)).includes(DRAIN_TAINT), false);
}

describe('the drain of a cluster with replicas of 40 workloads', () => {
  afterEach(async () => {
    await stopCounting();
    for (const { metadata } of await fleet.api.list<{ metadata: { name: Name } }>(DRAINS))
      await uncordon(metadata.name);
  });

  it('moves them within the budget of the hub, and never is a pod less ready', async () => {
    const limits = [{ per: 'Hub', replicas: String(LESS) }];
    const budget = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'MoveBudget', metadata: { name: 'hub' } };
    await fleet.api.create(BUDGETS, { ...budget, spec: { limits } });
    await count();
    await drain('member1');
    await isDrained('member1');
    expect(await assignments()).toMatchObject({ member1: 0, incomplete: 0 });
    await eventually(() => podsOn('member1'), 0);
    expectNoLoss('alone', LESS);
    await fleet.api.delete(`${BUDGETS}/hub`);
    expect(await taints('member1')).toContain(DRAIN_TAINT);
  });

  it('does so with functions that are killed again and again', async () => {
    await count();
    await drain('member2');
    for (let kill = 0; kill < 3; kill += 1) {
      await eventually(async () => moves.workloads > 0, true);
      await wait(3000);
      await stopEvenkeel(fleet.rig, 'SIGKILL');
      await start();
    }
    await isDrained('member2');
    expect(await assignments()).toMatchObject({ member2: 0, incomplete: 0 });
    await eventually(() => podsOn('member2'), 0);
    expectNoLoss('killed');
  });

  it('moves all to the other receiving cluster if one is full', async () => {
    const { member1 = 0 } = await known(fleet);
    await occupy(fleet, 'member2', { name: 'tenant', replicas: 4, requests: { cpu: '40' } });
    await eventually(() => known(fleet), expect.objectContaining({ member2: 4 }));
    await count();
    await drain('member3');
    await isDrained('member3');
    expect(await assignments()).toEqual({
      member1: WORKLOADS.length * REPLICAS,
      member2: 0,
      member3: 0,
      incomplete: 0,
    });
    expect(member1).toBeLessThan(WORKLOADS.length * REPLICAS);
    await eventually(() => podsOn('member3'), 0);
    expectNoLoss('full');
    await vacate(fleet, 'member2', 'tenant');
    await eventually(() => known(fleet), expect.objectContaining({ member2: 0 }));
  });
});

describe('the drain of a cluster while a receiving cluster fails', () => {
  it('stops with all that is held in place, and no ready pod is removed', async () => {
    await count();
    await drain('member1', '30s');
    await eventually(async () => moves.workloads > 0, true);
    await fail(fleet, 'member3');
    await eventually(async () => (await conditions('member1')).Stopped, 'True', WITHIN_MS);
    await stopCounting('member3');
    expectNoLoss('failed');
    expect((await assignments()).incomplete).toBe(0);
  });

  it('goes on after the cluster is back and the ClusterDrain was edited', async () => {
    await recoverMember(fleet, 'member3');
    await eventually(() => isHealthy(fleet, 'member3'), true, AFTER_OUTAGE_MS);
    await count();
    await fleet.api.merge(`${DRAINS}/member1`, { spec: { strategy: { waves: { readyWithin: '10m' } } } });
    await isDrained('member1');
    await eventually(() => podsOn('member1'), 0);
    await stopCounting();
    expectNoLoss('recovered');
    expect(await assignments()).toMatchObject({ member1: 0, incomplete: 0 });
  });

  it('lets its cluster have replicas again when it is deleted', async () => {
    await uncordon('member1');
    await propagate(fleet, { ...late, name: 'later', replicas: 3 }, EVENLY);
    const later = async () =>
      (await fleet.api.get<Binding>(`${paths.bindings}/later-deployment`)).spec.clusters?.length;
    await eventually(later, 3);
  });
});
