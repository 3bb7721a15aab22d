/** MoveBudgets in virtual time: rebalances of users, policies, drains and the descheduler move no more than they allow, together. */
import { describe, expect, it } from 'vitest';
import type { MemberOptions } from '../../../local/practice-hub/controllers/member-cluster.ts';
import { Fault } from '../../../shared/core/fault.ts';
import type { ObjectReference } from '../../../shared/kubernetes/object-reference.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { PolicyWorld } from '../rebalance-policy/scene.ts';

const members: readonly MemberOptions[] = ['member1', 'member2', 'member3'].map((name) => ({
  name,
  capacity: 60,
  readyDelayMs: 12_000,
}));
const WEBS = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6'];
const ours = { apiVersion: 'evenkeel.dev/v1alpha1' };

class BudgetWorld extends PolicyWorld {
  constructor() {
    super(members, { reductions: true, budgets: true });
  }

  /** Six workloads with six replicas each, two on each cluster, all ready. */
  async begin(): Promise<void> {
    for (const name of WEBS) this.run(name, 6);
    await this.pass(60);
    expect(this.on('member1')).toBe(12);
  }

  budget(...limits: readonly object[]): void {
    this.store.create(
      'movebudgets',
      { ...ours, kind: 'MoveBudget', metadata: { name: 'hub' }, spec: { limits } },
      user,
    );
  }

  drain(cluster: string): void {
    const spec = { cluster, strategy: { waves: { size: 6, readyWithin: '1h' } } };
    this.store.create('clusterdrains', { ...ours, kind: 'ClusterDrain', metadata: { name: cluster }, spec }, user);
  }

  /** All workloads by one WorkloadRebalancer. */
  rebalance(name: string): void {
    this.create(
      name,
      WEBS.map((web): ObjectReference => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: web })),
    );
  }

  on(cluster: string): number {
    return WEBS.reduce((sum, name) => sum + (this.assigned(name)[cluster] ?? 0), 0);
  }

  /** Replicas that are being moved: on a cluster, and assigned to it no longer. */
  moving(): number {
    const shares = WEBS.flatMap((name) => [
      ...this.fleet.distribution({ namespace: 'shop', name: `${name}-deployment` }).values(),
    ]);
    return shares.reduce((sum, { assigned, ready }) => sum + Math.max(0, assigned - ready), 0);
  }

  /** The most that were moving at any second. */
  async mostMoving(seconds: number): Promise<number> {
    let most = this.moving();
    for (let passed = 0; passed < seconds; passed += 1) {
      await this.pass(1);
      most = Math.max(most, this.moving());
    }
    return most;
  }

  /** A PodDisruptionBudget of a workload, with its binding. */
  protect(name: string): void {
    const metadata = { namespace: 'shop', name };
    const ofKind = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget' };
    const spec = { selector: { matchLabels: { app: name } } };
    this.store.create('poddisruptionbudgets', { ...ofKind, metadata, spec }, user);
    const binding = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding' };
    const key = { namespace: 'shop', name: `${name}-poddisruptionbudget` };
    this.store.create(
      'resourcebindings',
      { ...binding, metadata: key, spec: { resource: { ...ofKind, ...metadata } } },
      user,
    );
  }

  /** As member1 reports it. The practice hub reports no status of this kind, and removes it when it next writes the binding. */
  allows(name: string, allowed: { readonly disruptionsAllowed: number; readonly desiredHealthy: number }): void {
    const aggregatedStatus = [{ clusterName: 'member1', applied: true, status: { expectedPods: 2, ...allowed } }];
    const body = { status: { aggregatedStatus } };
    const key = { namespace: 'shop', name: `${name}-poddisruptionbudget` };
    this.store.patch('resourcebindings', key, { type: 'merge', body, subresource: 'status' }, user);
  }

  message(plural: string, name: string): string {
    return (this.store.get(plural, { namespace: '', name })?.status as { readonly message: string }).message;
  }

  eventsAbout(name: string): readonly string[] {
    return this.store.list('events').flatMap((event) => {
      const { involvedObject, message } = event as unknown as {
        readonly involvedObject: { readonly name: string };
        readonly message: string;
      };
      return involvedObject.name === name ? [message] : [];
    });
  }
}

async function begun(...limits: readonly object[]): Promise<BudgetWorld> {
  const world = new BudgetWorld();
  await world.begin();
  world.budget(...limits);
  return world;
}

describe('a MoveBudget', () => {
  it('lets a drain move so many replicas at once, to its end', async () => {
    const world = await begun({ per: 'Hub', replicas: '4' });
    world.drain('member1');
    expect(await world.mostMoving(600)).toBe(4);
    expect(world.on('member1')).toBe(0);
  });

  it('lets a drain move so many replicas within a window', async () => {
    const world = await begun({ per: 'Cluster', replicas: '4', window: '10m' });
    world.drain('member1');
    await world.pass(300);
    expect(world.on('member1')).toBe(8);
    expect(world.message('clusterdrains', 'member1')).toMatch(
      /^4 workloads put off, the first \(Deployment shop\/w\d\): MoveBudget hub: at most 4 replicas of member1 within 10 minutes, of which 4 have moved; this would move 2, until 2026-11-21T10:1\d:\d\dZ$/,
    );
    await world.pass(600);
    expect(world.on('member1')).toBe(4);
    await world.pass(600);
    expect(world.on('member1')).toBe(0);
  });

  it('stops all moves while its schedule lasts', async () => {
    const never = { per: 'Hub', replicas: '0', schedule: { cron: '0 10 * * *' }, duration: '30m' };
    const world = await begun(never);
    world.drain('member1');
    await world.pass(1700);
    expect(world.on('member1')).toBe(12);
    await world.pass(300);
    expect(world.on('member1')).toBe(0);
  });

  it("has the workloads of a user's rebalance wait for each other, and reports it", async () => {
    const world = await begun({ per: 'Hub', replicas: '4' });
    world.fleet.setCapacity('member1', 10);
    await world.pass(10);
    const before = world.on('member1');
    world.rebalance('all');
    expect(await world.mostMoving(900)).toBeLessThanOrEqual(4);
    expect(world.on('member1')).toBeLessThan(before);
    expect(world.results('all')).toEqual(WEBS.map((name) => `Deployment shop/${name}=Successful`));
    expect(world.eventsAbout('all').join('\n')).toContain('wait for the budget of moves; the first waits: ');
  });

  it('counts the moves of all movers together', async () => {
    const world = await begun({ per: 'Hub', replicas: '4' });
    world.drain('member1');
    world.drain('member2');
    expect(await world.mostMoving(1800)).toBe(4);
    expect([world.on('member1'), world.on('member2'), world.on('member3')]).toEqual([0, 0, 36]);
  });

  it('makes a workload fail of which more would move than it ever allows', async () => {
    const world = await begun({ per: 'Workload', replicas: '10%' });
    world.fleet.setCapacity('member1', 2);
    await world.pass(10);
    const before = WEBS.map((name) => world.assigned(name));
    world.rebalance('all');
    await world.pass(120);
    expect(world.results('all')).toEqual(WEBS.map((name) => `Deployment shop/${name}=Failed`));
    expect(WEBS.map((name) => world.assigned(name))).toEqual(before);
  });

  it('leaves a workload alone that would lose more ready replicas than its PodDisruptionBudget allows', async () => {
    const world = await begun({ per: 'Hub', replicas: '100' });
    for (const name of ['w1', 'w2']) world.protect(name);
    world.fleet.setCapacity('member1', 13);
    await world.pass(10);
    const before = world.assigned('w1');
    world.allows('w1', { disruptionsAllowed: 0, desiredHealthy: 2 });
    world.allows('w2', { disruptionsAllowed: 2, desiredHealthy: 0 });
    world.rebalance('all');
    await world.pass(180);
    const [w1, w2] = world.results('all');
    expect([w1, w2]).toEqual(['Deployment shop/w1=Failed', 'Deployment shop/w2=Successful']);
    expect(world.assigned('w1')).toEqual(before);
    expect(world.assigned('w2').member1 ?? 0).toBeLessThan(2);
  });

  it('lets a workload stay as long as its autoscaler may correct its number of replicas', async () => {
    const world = await begun({ per: 'Hub', replicas: '100' });
    const metadata = { namespace: 'shop', name: 'w1' };
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'w1' };
    const object = { apiVersion: 'autoscaling.karmada.io/v1alpha1', kind: 'FederatedHPA', metadata };
    world.store.create('federatedhpas', { ...object, spec: { scaleTargetRef } }, user);
    const status = { lastScaleTime: '2026-11-21T10:00:58Z', currentReplicas: 6, desiredReplicas: 6 };
    world.store.patch('federatedhpas', metadata, { type: 'merge', body: { status }, subresource: 'status' }, user);
    world.drain('member1');
    await world.pass(240);
    expect(WEBS.map((name) => world.assigned(name).member1 ?? 0)).toEqual([2, 0, 0, 0, 0, 0]);
    await world.pass(240);
    expect(world.on('member1')).toBe(0);
  });

  it('that the hub has none of leaves a rebalance as it is, also on a hub that serves no clusters', async () => {
    const world = new BudgetWorld();
    await world.begin();
    world.hub.interference.before = ({ plural }) => {
      if (plural === 'clusters') throw new Fault('terminal', 'the hub does not serve clusters', { reason: 'NotFound' });
    };
    world.rebalance('all');
    await world.pass(60);
    expect(world.results('all')).toEqual(WEBS.map((name) => `Deployment shop/${name}=Successful`));
  });

  it('is made stricter by an annotation of a workload', async () => {
    const world = await begun({ per: 'Hub', replicas: '100' });
    const body = { metadata: { annotations: { 'evenkeel.dev/move-limit': '1' } } };
    world.store.patch('deployments', { namespace: 'shop', name: 'w1' }, { type: 'merge', body }, user);
    world.drain('member1');
    await world.pass(300);
    expect(WEBS.map((name) => world.assigned(name).member1 ?? 0)).toEqual([2, 0, 0, 0, 0, 0]);
  });
});
