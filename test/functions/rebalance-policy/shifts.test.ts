/** Policies by pressure and price on the practice hub, in virtual time: some replicas of some workloads move, by the planned assignment, and no others. */
import { describe, expect, it } from 'vitest';
import type { MemberOptions } from '../../../local/practice-hub/controllers/member-cluster.ts';
import { deployment, policy as propagation, user } from '../../fakes/practice-fleet.ts';
import { byStaticWeight, DUPLICATED, DYNAMIC } from '../../placed-objects.ts';
import { PolicyWorld } from './scene.ts';

const MINUTE = 60;

function members(capacities: Readonly<Record<string, number>>): readonly MemberOptions[] {
  return Object.entries(capacities).map(([name, capacity]) => ({ name, capacity, readyDelayMs: 2000 }));
}

/** Workloads of one core a replica, which were assigned while only member1 had capacity. */
class ShiftWorld extends PolicyWorld {
  static async crowded(workloads: Readonly<Record<string, number>>, placements: Readonly<Record<string, object>> = {}) {
    const world = new ShiftWorld(members({ member1: 20, member2: 0, member3: 0 }));
    for (const [name, replicas] of Object.entries(workloads))
      world.core(name, replicas, placements[name] ?? { replicaScheduling: DYNAMIC });
    await world.pass(10);
    world.fleet.setCapacity('member2', 20);
    world.fleet.setCapacity('member3', 20);
    await world.resync();
    await world.pass(10);
    return world;
  }

  core(name: string, replicas: number, placement: object): void {
    this.store.create('propagationpolicies', propagation(name, placement), user);
    this.store.create('deployments', deployment(name, { replicas, requests: { cpu: '1' } }), user);
  }

  price(cluster: string, price: string): void {
    this.annotate('clusters', cluster, { 'evenkeel.dev/price': price });
  }
}

const pressure = { triggers: { pressure: { high: 80, low: 60, resources: ['cpu'] } } };

describe('a policy by pressure', () => {
  it('moves the fewest replicas off a cluster above the high watermark until it is halfway to the low one, and then none', async () => {
    const world = await ShiftWorld.crowded({ web: 12, api: 6 });
    expect([world.assigned('web'), world.assigned('api')]).toEqual([{ member1: 12 }, { member1: 6 }]);
    world.policy('level', pressure);
    await world.pass(MINUTE);
    // 18 of 20 cores are 90 %; 70 % are 14.
    const [web, api] = [world.assigned('web'), world.assigned('api')];
    expect((web.member1 ?? 0) + (api.member1 ?? 0)).toBe(14);
    expect(await world.runs('level')).toMatchObject([
      { state: 'Finished', moved: 4, triggers: [{ type: 'Pressure' }] },
    ]);
    expect((await world.decisions('level'))[0]?.why).toMatch(/^member1 is at 90 % of its cpu; .* to member2 at 0 %/);
    await world.passResyncing(120);
    expect([world.assigned('web'), world.assigned('api')]).toEqual([web, api]);
    expect(await world.runs('level')).toHaveLength(1);
    expect(world.deadLetters).toEqual([]);
  });

  it('writes the planned assignment without a trigger, so that no scheduler decides otherwise', async () => {
    const world = await ShiftWorld.crowded({ web: 18 });
    const at = world.store.get('resourcebindings', { namespace: 'shop', name: 'web-deployment' })?.spec;
    world.policy('level', pressure);
    await world.pass(MINUTE);
    const binding = world.store.get('resourcebindings', { namespace: 'shop', name: 'web-deployment' });
    expect(binding?.spec?.rescheduleTriggeredAt).toBe(at?.rescheduleTriggeredAt);
    expect(binding?.metadata.annotations?.['evenkeel.dev/assigned-at']).toMatch(/^2026-11-21T10:/);
    expect(world.assigned('web')).toEqual({ member1: 14, member2: 2, member3: 2 });
  });

  it('starts no run while every cluster is at or below the high watermark, and reads no bindings for that', async () => {
    const world = await ShiftWorld.crowded({ web: 16 });
    await world.pass(MINUTE);
    const before = world.hub.calls.length;
    world.policy('level', pressure);
    await world.passResyncing(10);
    const listed = world.hub.calls
      .slice(before)
      .filter(({ verb }) => verb === 'list')
      .map(({ plural }) => plural);
    expect({ runs: await world.runs('level'), namespaces: listed.includes('namespaces') }).toEqual({
      runs: [],
      namespaces: false,
    });
  });

  it('leaves Duplicated workloads and static weights as they are, and moves others in their place', async () => {
    const world = await ShiftWorld.crowded(
      { fixed: 8, copied: 2, web: 8 },
      {
        fixed: { replicaScheduling: byStaticWeight({ member1: 1 }) },
        copied: { clusterAffinity: { clusterNames: ['member1'] }, replicaScheduling: DUPLICATED },
      },
    );
    world.policy('level', pressure);
    await world.pass(MINUTE);
    expect([world.assigned('fixed'), world.assigned('copied')]).toEqual([{ member1: 8 }, { member1: 2 }]);
    expect(world.assigned('web').member1).toBe(4);
    const reasons = (await world.decisions('level'))
      .filter(({ outcome }) => outcome === 'Skipped')
      .map(({ reason }) => reason);
    expect(reasons.sort()).toEqual([
      'it is Duplicated: each cluster has all of its replicas',
      'its weights are static: the scheduler would divide it by them again when it is scaled',
    ]);
  });

  it('skips the workloads of a later wave when their cluster is no longer above the target', async () => {
    const world = await ShiftWorld.crowded({ api: 9, web: 9 });
    world.policy('level', { ...pressure, strategy: { waves: { size: 1, pause: '10m' } } });
    await world.pass(MINUTE);
    const [web, api] = [world.assigned('web'), world.assigned('api')];
    expect([web.member1, api.member1].sort()).toEqual([7, 9]);
    world.fleet.setCapacity('member1', 40);
    await world.pass(20 * MINUTE);
    expect([world.assigned('web'), world.assigned('api')]).toEqual([web, api]);
    expect((await world.decisions('level')).map(({ reason }) => reason)).toContain(
      'since the plan: member1 is at 40 % of its cpu, not above 70 % any more',
    );
  });

  it('starts no second run by reports that do not include the moves of the last one yet', async () => {
    // One of 16 replicas is a smaller share of its workload than the only one, so web moves, and the others do not cool down.
    const world = await ShiftWorld.crowded({ web: 16, one: 1, other: 1 });
    const key = { namespace: '', name: 'member1' };
    const stale = { status: { resourceSummary: world.store.get('clusters', key)?.status?.resourceSummary } };
    const until = world.clock.now() + 50_000;
    world.store.onChange(({ plural, object }) => {
      const { allocated } = (object.status?.resourceSummary ?? {}) as { allocated?: { cpu?: string } };
      const isCurrent = allocated?.cpu !== '18' && world.clock.now() < until;
      if (plural === 'clusters' && object.metadata.name === 'member1' && isCurrent)
        world.store.patch('clusters', key, { type: 'merge', body: stale, subresource: 'status' }, user);
    });
    world.policy('level', { ...pressure, strategy: { coolDown: '0s' } });
    await world.pass(40);
    expect(await world.runs('level')).toMatchObject([{ state: 'Finished', moved: 4 }]);
    await world.pass(11);
    // The member reports again.
    world.fleet.setCapacity('member1', 20);
    await world.passResyncing(20);
    expect([world.assigned('web').member1, world.assigned('one'), world.assigned('other')]).toEqual([
      12,
      { member1: 1 },
      { member1: 1 },
    ]);
  });

  it('has a run of which later shifts are left where capacity is missing, with the reason', async () => {
    const world = await ShiftWorld.crowded({ web: 20 });
    world.fleet.setCapacity('member3', 0);
    world.fleet.setCapacity('member2', 2);
    await world.resync();
    world.policy('level', pressure);
    await world.pass(MINUTE);
    // 70 % of two cores is one.
    expect(world.assigned('web')).toEqual({ member1: 19, member2: 1 });
    await world.passResyncing(60);
    expect(await world.runs('level')).toHaveLength(1);
  });
});

describe('a policy by price', () => {
  it('moves replicas to the cheaper cluster with capacity, and its decisions have the score', async () => {
    const world = await ShiftWorld.crowded({ web: 12 });
    for (const [name, price] of [
      ['member1', '0.10'],
      ['member2', '0.03'],
    ] as const)
      world.price(name, price);
    await world.resync();
    world.policy('cheap', { triggers: { price: { clusters: [{ name: 'member3', price: '0.09' }] } } });
    await world.pass(MINUTE);
    expect(world.assigned('web')).toEqual({ member2: 12 });
    expect(await world.decisions('cheap')).toMatchObject([
      { outcome: 'Moved', why: 'saves 70 % of its cost for 100 % of its replicas: score 0.70', score: 70 },
    ]);
    await world.passResyncing(60);
    expect(world.telemetry.counts.get('ScoreOfMovesByPrice')).toBe(70);
    expect(await world.runs('cheap')).toHaveLength(1);
    expect(world.deadLetters).toEqual([]);
  });

  it('leaves a workload where the savings are too small for the disruption, or a price is unknown', async () => {
    const world = await ShiftWorld.crowded({ web: 12 });
    world.policy('cheap', {
      triggers: {
        price: {
          clusters: [
            { name: 'member1', price: '0.10' },
            { name: 'member2', price: '0.06' },
          ],
        },
      },
    });
    await world.passResyncing(10);
    world.editPolicy('cheap', { triggers: { price: { clusters: [{ name: 'member2', price: '0.01' }] } } });
    await world.passResyncing(10);
    expect(world.assigned('web')).toEqual({ member1: 12 });
    expect(await world.runs('cheap')).toEqual([]);
  });

  it('moves the rest when capacity is freed, never more than is there', async () => {
    const world = await ShiftWorld.crowded({ web: 12 });
    world.fleet.setCapacity('member2', 5);
    await world.resync();
    const clusters = [
      { name: 'member1', price: '1' },
      { name: 'member2', price: '0.2' },
    ];
    world.policy('cheap', { triggers: { price: { clusters } }, strategy: { coolDown: '5m' } });
    await world.pass(MINUTE);
    expect(world.assigned('web')).toEqual({ member1: 7, member2: 5 });
    world.fleet.setCapacity('member2', 20);
    await world.passResyncing(20);
    expect(world.assigned('web')).toEqual({ member2: 12 });
  });
});
