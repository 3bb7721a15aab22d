/** The user stories of policies, played to their end on the practice hub in virtual time, without user action. */
import { describe, expect, it } from 'vitest';
import { AGGREGATED, byStaticWeight } from '../../placed-objects.ts';
import { PolicyWorld, three } from './scene.ts';

const MINUTE = 60;
const HOUR = 3600;

describe('a policy that brings replicas home', () => {
  it("plays the rebalancer's story 1: replicas come back to a cluster that recovered, once it was healthy for five minutes", async () => {
    const world = new PolicyWorld();
    world.run('web', 12);
    await world.pass(10);
    expect(world.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    world.policy('home', { triggers: { clusterRecovered: {} } });
    await world.pass(10);
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    expect(world.assigned('web')).toEqual({ member2: 6, member3: 6 });
    world.fleet.recover('member1');
    await world.pass(4 * MINUTE);
    expect(world.assigned('web')).toEqual({ member2: 6, member3: 6 });
    await world.pass(3 * MINUTE);
    expect(world.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    expect(await world.runs('home')).toMatchObject([{ state: 'Finished', waves: 1, moved: 4, workloads: 1 }]);
    expect(world.status('home')).toMatchObject({ state: 'Idle', lastRun: { state: 'Finished', moved: 4 } });
    expect(world.deadLetters).toEqual([]);
  });

  it('plays story 4: replicas go back from the backup cluster to the primary one by weights; karmada-scheduler 1.18 stays with the backup term', async () => {
    const world = new PolicyWorld();
    const clusterAffinities = ['member1', 'member2'].map((name) => ({ affinityName: name, clusterNames: [name] }));
    world.run('terms', 6, { clusterAffinities });
    const replicaScheduling = byStaticWeight({ member1: 2, member2: 1 });
    world.run('weights', 6, { clusterAffinity: { clusterNames: ['member1', 'member2'] }, replicaScheduling });
    world.policy('home', { triggers: { clusterRecovered: {} } });
    await world.pass(10);
    expect([world.assigned('terms'), world.assigned('weights')]).toEqual([{ member1: 6 }, { member1: 4, member2: 2 }]);
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    expect([world.assigned('terms'), world.assigned('weights')]).toEqual([{ member2: 6 }, { member2: 6 }]);
    world.fleet.recover('member1');
    await world.pass(8 * MINUTE);
    expect([world.assigned('terms'), world.assigned('weights')]).toEqual([{ member2: 6 }, { member1: 4, member2: 2 }]);
    expect(await world.runs('home')).toMatchObject([{ state: 'Finished', workloads: 1, moved: 4 }]);
  });

  it('plays story 4 by terms on a hub with --failback: the forecast and karmada-scheduler start from the first term', async () => {
    const world = new PolicyWorld();
    world.hubs.opened(world.hub, { failback: true });
    const clusterAffinities = ['member1', 'member2'].map((name) => ({ affinityName: name, clusterNames: [name] }));
    world.run('terms', 6, { clusterAffinities });
    world.policy('home', { triggers: { clusterRecovered: {} } });
    await world.pass(10);
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    expect(world.assigned('terms')).toEqual({ member2: 6 });
    world.fleet.recover('member1');
    await world.pass(8 * MINUTE);
    expect(world.assigned('terms')).toEqual({ member1: 6 });
    expect(await world.runs('home')).toMatchObject([{ state: 'Finished', workloads: 1, moved: 6 }]);
  });
});

describe('a policy that checks for freed capacity', () => {
  it('plays story 2: what was squeezed into one cluster is spread again when others have capacity', async () => {
    const world = new PolicyWorld([
      { name: 'member1', capacity: 12, readyDelayMs: 1000 },
      { name: 'member2', capacity: 6, readyDelayMs: 1000 },
    ]);
    world.fleet.setCapacity('member2', 0);
    world.run('low', 6);
    world.policy('spread', { triggers: { capacityFreed: {} } });
    await world.pass(10);
    expect(world.assigned('low')).toEqual({ member1: 6 });
    world.fleet.setCapacity('member2', 6);
    await world.resync();
    await world.pass(MINUTE);
    expect(Object.keys(world.assigned('low')).sort()).toEqual(['member1', 'member2']);
    expect((await world.decisions('spread'))[0]).toMatchObject({
      outcome: 'Moved',
      why: 'it could be spread over 2 clusters instead of 1',
    });
  });

  it('plays story 3: an Aggregated workload is moved into one cluster when it has capacity for all of it, and stays there', async () => {
    const world = new PolicyWorld([
      { name: 'member1', capacity: 4, readyDelayMs: 1000 },
      { name: 'member2', capacity: 4, readyDelayMs: 1000 },
    ]);
    world.run('batch', 6, { replicaScheduling: AGGREGATED });
    world.policy('gather', { triggers: { capacityFreed: {} } });
    await world.pass(10);
    expect(Object.keys(world.assigned('batch'))).toHaveLength(2);
    world.fleet.setCapacity('member2', 12);
    await world.resync();
    await world.pass(MINUTE);
    expect(world.assigned('batch')).toEqual({ member2: 6 });
    await world.passResyncing(100);
    expect(await world.runs('gather')).toHaveLength(1);
  });
});

describe('a policy that waits for clusters to join', () => {
  it("plays the descheduler's story 2: member4 joins and gets its share", async () => {
    const world = new PolicyWorld();
    world.run('web', 12);
    world.policy('share', { triggers: { clusterJoined: { stableFor: '2m' } } });
    await world.pass(10);
    world.fleet.join({ name: 'member4', capacity: 40, readyDelayMs: 1000 });
    await world.pass(MINUTE);
    expect(world.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    await world.pass(3 * MINUTE);
    expect(world.assigned('web')).toEqual({ member1: 3, member2: 3, member3: 3, member4: 3 });
    expect(await world.runs('share')).toMatchObject([{ state: 'Finished', moved: 3 }]);
    expect((await world.decisions('share'))[0]?.why).toBe('member4 joined and would get 3');
  });
});

describe('a policy with a calendar', () => {
  it('acts once at its time in its time zone, and reports the next one', async () => {
    // It is 10:00 in UTC, and 11:00 in Berlin.
    const world = new PolicyWorld();
    world.run('web', 12);
    world.policy('nightly', { triggers: { schedule: { cron: '0 13 * * *', timeZone: 'Europe/Berlin' } } });
    await world.pass(10);
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    world.fleet.recover('member1');
    await world.pass(HOUR);
    expect(world.status('nightly')).toMatchObject({ state: 'Idle', nextScheduleTime: '2026-11-21T12:00:00Z' });
    expect(world.assigned('web')).toEqual({ member2: 6, member3: 6 });
    await world.pass(HOUR);
    expect(world.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    await world.pass(23 * HOUR);
    expect(await world.runs('nightly')).toMatchObject([{ state: 'Finished', moved: 4 }]);
    await world.pass(2 * HOUR);
    expect(await world.runs('nightly')).toMatchObject([{ moved: 4 }, { moved: 0, message: 'nothing would move' }]);
  });
});

describe('a policy against imbalance', () => {
  it('acts where at least so many percent of a workload would move, and nowhere else', async () => {
    const world = new PolicyWorld();
    world.run('far', 12);
    await world.pass(10);
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    world.fleet.recover('member1');
    world.run('near', 9);
    await world.pass(MINUTE);
    const near = world.assigned('near');
    world.policy('even', { triggers: { imbalance: { percent: 30 } } });
    await world.pass(MINUTE);
    expect(world.assigned('far')).not.toEqual({ member2: 6, member3: 6 });
    expect(world.assigned('near')).toEqual(near);
    expect((await world.decisions('even'))[0]?.why).toMatch(/^3\d % of its replicas would move$/);
  });
});

describe('a policy on a cluster that flaps', () => {
  it('moves nothing through 20 flips in ten minutes, and once after it is stable', async () => {
    const world = new PolicyWorld(three);
    world.run('web', 12);
    world.policy('home', { triggers: { clusterRecovered: {} } });
    await world.pass(10);
    world.fleet.fail('member1');
    await world.pass(MINUTE);
    for (let flip = 0; flip < 20; flip++) {
      if (flip % 2 === 0) world.fleet.recover('member1');
      else world.fleet.fail('member1');
      await world.pass(30);
    }
    world.fleet.recover('member1');
    expect(world.waves).toEqual([]);
    await world.pass(4 * MINUTE);
    expect(world.waves).toEqual([]);
    await world.pass(HOUR);
    expect(world.waves).toHaveLength(1);
    expect(world.assigned('web')).toEqual({ member1: 4, member2: 4, member3: 4 });
  });
});
