/** ClusterDrains: the replicas of a cluster move to the others in waves, and no replica less is ready meanwhile. */
import { describe, expect, it } from 'vitest';
import type { MemberOptions } from '../../../local/practice-hub/controllers/member-cluster.ts';
import { SECOND, toTimestamp } from '../../../shared/core/time.ts';
import { DRAIN_TAINT } from '../../../shared/karmada/member-cluster.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { DUPLICATED } from '../../placed-objects.ts';
import { PolicyWorld } from './scene.ts';

const members: readonly MemberOptions[] = ['member1', 'member2', 'member3'].map((name) => ({
  name,
  capacity: 60,
  readyDelayMs: 12_000,
}));
const WEBS = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6'];
const drainedKinds = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'ClusterDrain' };

class DrainWorld extends PolicyWorld {
  constructor(capacities: Readonly<Record<string, number>> = {}) {
    super(
      members.map((member) => ({ ...member, capacity: capacities[member.name] ?? member.capacity })),
      { reductions: true },
    );
  }

  /** Six workloads with six replicas each, all ready. */
  async begin(): Promise<void> {
    for (const name of WEBS) this.run(name, 6);
    await this.pass(60);
    expect(this.ready()).toBe(36);
  }

  drain(cluster: string, spec: object = {}): void {
    this.store.create(
      'clusterdrains',
      { ...drainedKinds, metadata: { name: cluster }, spec: { cluster, ...spec } },
      user,
    );
  }

  /** Another cluster joins, so that the policies are evaluated. */
  joinLater(name: string): void {
    this.fleet.join({ name, capacity: 1, readyDelayMs: 0 });
  }

  uncordon(name: string): void {
    this.store.delete('clusterdrains', { namespace: '', name }, user);
  }

  editDrain(name: string, spec: object): void {
    this.store.patch('clusterdrains', { namespace: '', name }, { type: 'merge', body: { spec } }, user);
  }

  /** The time so many seconds from now. */
  in(seconds: number): string {
    return toTimestamp(this.clock.now() + seconds * SECOND);
  }

  drainStatus(name: string) {
    return this.store.get('clusterdrains', { namespace: '', name })?.status;
  }

  taints(name: string): readonly object[] {
    return (this.store.get('clusters', { namespace: '', name })?.spec?.taints ?? []) as readonly object[];
  }

  drained(name: string): string {
    const conditions = (this.store.get('clusterdrains', { namespace: '', name })?.status?.conditions ?? []) as {
      readonly type: string;
      readonly status: string;
      readonly message: string;
    }[];
    const found = conditions.find(({ type }) => type === 'Drained');
    return found ? `${found.status}: ${found.message}` : 'unknown';
  }

  ready(): number {
    return WEBS.flatMap((name) => [...this.shares(name).values()]).reduce((sum, { ready }) => sum + ready, 0);
  }

  on(cluster: string): number {
    return WEBS.reduce((sum, name) => sum + (this.assigned(name)[cluster] ?? 0), 0);
  }

  shares(name: string) {
    return this.fleet.distribution({ namespace: 'shop', name: `${name}-deployment` });
  }

  /** The least that was ready at any moment, each second. */
  async leastReady(seconds: number): Promise<number> {
    let least = this.ready();
    for (let passed = 0; passed < seconds; passed += 1) {
      await this.pass(1);
      least = Math.min(least, this.ready());
    }
    return least;
  }
}

describe('a ClusterDrain', () => {
  it('moves the replicas of its cluster in waves, and never is one less ready', async () => {
    const world = new DrainWorld();
    await world.begin();
    expect(world.on('member1')).toBe(12);
    world.drain('member1', { strategy: { waves: { size: 2 } } });
    expect(await world.leastReady(300)).toBe(36);
    expect(world.on('member1')).toBe(0);
    expect(world.waves).toHaveLength(3);
    expect(world.taints('member1')).toMatchObject([{ key: DRAIN_TAINT, value: 'member1', effect: 'NoSchedule' }]);
    expect(world.drained('member1')).toBe('True: no workload has replicas on member1');
    for (const name of WEBS) expect(world.shares(name).get('member1')?.ready ?? 0).toBe(0);
  });

  it('with a percentage moves that share of each workload, and no more by a later evaluation', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.drain('member1', { percent: 50 });
    expect(await world.leastReady(300)).toBe(36);
    // Two replicas of each workload were there.
    expect(WEBS.map((name) => world.assigned(name).member1)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(world.drained('member1')).toBe('True: 50 % of the replicas on member1 have moved');
    world.joinLater('nudge');
    await world.pass(300);
    expect(world.on('member1')).toBe(6);
    world.run('late', 6);
    await world.pass(60);
    expect(world.assigned('late').member1).toBeUndefined();
  });

  it('counts a larger percentage from the replicas that were there at first', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.drain('member1', { percent: 50 });
    await world.pass(300);
    world.editDrain('member1', { percent: 40 });
    await world.pass(300);
    expect(world.on('member1')).toBe(6);
    world.editDrain('member1', { percent: 100 });
    expect(await world.leastReady(300)).toBe(36);
    expect(world.on('member1')).toBe(0);
  });

  it('of 0 percent keeps new replicas away, and moves none', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.drain('member1', { percent: 0 });
    await world.pass(300);
    world.run('late', 6);
    await world.pass(60);
    expect([world.on('member1'), world.assigned('late').member1]).toEqual([12, undefined]);
    expect(world.drained('member1')).toBe('True: member1 gets no new replicas, and keeps its own');
  });

  it('with a selector moves the selected workloads only', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.drain('member1', { selector: { names: ['w1', 'w2'] } });
    await world.pass(300);
    expect(WEBS.map((name) => world.assigned(name).member1 ?? 0)).toEqual([0, 0, 2, 2, 2, 2]);
    expect(world.drained('member1')).toMatch(/^True: /);
  });

  it('leaves the replicas on other clusters where they are', async () => {
    const world = new DrainWorld();
    await world.begin();
    const before = WEBS.map((name) => world.assigned(name));
    world.drain('member1');
    await world.pass(300);
    for (const [index, name] of WEBS.entries())
      for (const cluster of ['member2', 'member3'])
        expect(world.assigned(name)[cluster]).toBeGreaterThanOrEqual(before[index]?.[cluster] ?? 0);
  });

  it('keeps new replicas away, and its deletion lets them come again', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.drain('member1');
    await world.pass(300);
    world.run('late', 6);
    await world.pass(60);
    expect(world.assigned('late').member1).toBeUndefined();
    world.uncordon('member1');
    await world.pass(60);
    expect(world.taints('member1')).toEqual([]);
    world.run('later', 6);
    await world.pass(60);
    expect(world.assigned('later').member1).toBeGreaterThan(0);
  });

  it('leaves what has no capacity elsewhere, and names it with the reason', async () => {
    const world = new DrainWorld({ member2: 14, member3: 14 });
    await world.begin();
    world.drain('member1');
    expect(await world.leastReady(300)).toBe(36);
    const elsewhere = world.on('member2') + world.on('member3');
    expect([elsewhere <= 28, elsewhere + world.on('member1')]).toEqual([true, 36]);
    expect(world.drained('member1')).toMatch(/^False: \d workloads? on member1: .*it cannot be assigned anew: /);
  });

  it('leaves a workload that is duplicated, and one whose owner excludes it', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.run('everywhere', 2, { replicaScheduling: DUPLICATED });
    world.store.patch(
      'deployments',
      { namespace: 'shop', name: 'w1' },
      { type: 'merge', body: { metadata: { annotations: { 'evenkeel.dev/rebalancing': 'Never' } } } },
      user,
    );
    await world.pass(30);
    const before = world.assigned('w1');
    world.drain('member1');
    await world.pass(300);
    expect([world.assigned('w1'), world.assigned('everywhere').member1]).toEqual([before, 2]);
    expect(world.drained('member1')).toMatch(/^False: 2 workloads on member1: .*Duplicated/);
    expect(world.drained('member1')).toContain('evenkeel.dev/rebalancing on the workload keeps policies away');
  });

  it('ends the holds that it asked for, and their annotations', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.drain('member1');
    await world.pass(300);
    for (const name of WEBS) {
      const { annotations = {} } = world.store.get('resourcebindings', {
        namespace: 'shop',
        name: `${name}-deployment`,
      })?.metadata as { annotations?: Record<string, string> };
      expect(Object.keys(annotations).filter((key) => key.includes('replica-reduction'))).toEqual([
        'evenkeel.dev/replica-reduction-released-for',
      ]);
    }
  });

  it('with a time ends then: the wave in flight is completed, no further one starts, and the cluster gets replicas again', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.drain('member1', { until: world.in(8), strategy: { waves: { size: 2 } } });
    await world.pass(5);
    expect(world.taints('member1')).toMatchObject([{ key: DRAIN_TAINT }]);
    expect(await world.leastReady(120)).toBe(36);
    expect(world.taints('member1')).toEqual([]);
    expect([world.waves.length, world.on('member1')]).toEqual([1, 8]);
    expect(world.drainStatus('member1')).toMatchObject({
      state: 'Over',
      message: `the drain ended at ${world.in(-117)}; write a later spec.until to drain the cluster again`,
      lastRun: { state: 'Cancelled', message: 'the time of the drain, spec.until, is over' },
    });
    expect(world.drained('member1')).toMatch(/^False: the drain ended at /);
    world.run('later', 6);
    await world.pass(60);
    expect(world.assigned('later').member1).toBeGreaterThan(0);
  });

  it('whose time was over goes on with a later one', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.drain('member1', { until: world.in(-1) });
    await world.pass(60);
    expect([world.on('member1'), world.taints('member1'), world.waves]).toEqual([12, [], []]);
    world.editDrain('member1', { until: world.in(3600) });
    await world.pass(300);
    expect([world.on('member1'), world.drained('member1')]).toEqual([0, 'True: no workload has replicas on member1']);
  });

  it('only records what it would move as a dry run, and taints nothing', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.drain('member1', { dryRun: true });
    await world.pass(120);
    expect([world.on('member1'), world.taints('member1'), world.waves]).toEqual([12, [], []]);
  });

  it('of a cluster that the hub does not have names those that it has', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.drain('member9');
    await world.pass(30);
    const { conditions } = world.store.get('clusterdrains', { namespace: '', name: 'member9' })?.status as {
      conditions: { type: string; message: string }[];
    };
    expect(conditions.find(({ type }) => type === 'Accepted')?.message).toBe(
      'spec.cluster: the hub has no Cluster member9; it has member1, member2, member3',
    );
  });

  it('on a hub without graceful reduction is not accepted, and taints nothing', async () => {
    const world = new DrainWorld();
    await world.begin();
    world.hubs.uses = async (_, feature) => feature !== 'gracefulReduction';
    world.drain('member1');
    await world.pass(30);
    expect([world.on('member1'), world.taints('member1')]).toEqual([12, []]);
  });
});
