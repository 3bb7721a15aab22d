/** A move by one WorkloadRebalancer: with the strategy no moment has fewer ready replicas, without it there is a dip. */
import { describe, expect, it } from 'vitest';
import { DELAY_WORK_DELETION, REDUCTION_STRATEGY } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { AGGREGATED } from '../../placed-objects.ts';
import { type GracefulOptions, GracefulWorld, workload } from './scene.ts';

const lowest = (curve: readonly number[]) => Math.min(...curve);

/** web comes home to member1 by a rebalancer: N to M on the two others. */
async function comesHome(options: GracefulOptions = {}, midway: (world: GracefulWorld) => void = () => {}) {
  const world = new GracefulWorld(options);
  await world.begin();
  await world.away();
  expect([world.shares('assigned'), world.shares('ready')]).toEqual(['0/6/6', '0/6/6']);
  world.create('home', [workload], 0);
  const before = await world.curve(8);
  midway(world);
  const after = await world.curve(52);
  return { world, curve: [...before, ...after] };
}

/** web fits into one cluster now, and a rebalancer moves it there: N to 0 on the others. */
async function gathers(options: GracefulOptions = {}, midway: (world: GracefulWorld) => void = () => {}) {
  const world = new GracefulWorld({ placement: { replicaScheduling: AGGREGATED }, ...options });
  for (const name of world.fleet.memberNames) world.fleet.setCapacity(name, 5);
  await world.pass(1);
  await world.begin();
  expect(world.shares('ready')).toMatch(/^[2-5]\/[2-5]\/[2-5]$/);
  world.fleet.setCapacity('member2', 40);
  await world.pass(1);
  world.create('gather', [workload], 0);
  const before = await world.curve(8);
  midway(world);
  const after = await world.curve(52);
  return { world, curve: [...before, ...after] };
}

const template = { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } };

describe('with the strategy on its policy', () => {
  it('N to M: never fewer are ready, and in the end each cluster has what it is assigned', async () => {
    const { world, curve } = await comesHome();
    expect(lowest(curve)).toBe(12);
    expect([world.shares('assigned'), world.shares('ready'), world.queue]).toEqual(['4/4/4', '4/4/4', {}]);
    expect(Math.max(...curve)).toBe(16);
  });

  it('N to 0: never fewer are ready, and in the end the others have none', async () => {
    const { world, curve } = await gathers();
    expect(lowest(curve)).toBe(12);
    expect([world.shares('assigned'), world.shares('ready'), world.queue]).toEqual(['0/12/0', '0/12/0', {}]);
  });

  it('the template changes in the middle, which has Karmada forget the suspension: still never fewer', async () => {
    const { world, curve } = await comesHome({}, (midway) => {
      expect(midway.queue).toMatchObject({ member2: { replicas: 6 }, member3: { replicas: 6 } });
      midway.editWorkload(template);
    });
    expect([lowest(curve), world.shares('ready'), world.queue]).toEqual([12, '4/4/4', {}]);
  });

  it('the same where everything leaves', async () => {
    const { world, curve } = await gathers({}, (midway) => midway.editWorkload(template));
    expect([lowest(curve), world.shares('ready'), world.queue]).toEqual([12, '0/12/0', {}]);
  });

  it('by resync alone, where the hook is away', async () => {
    const world = new GracefulWorld();
    await world.begin();
    await world.away();
    world.hook = false;
    world.create('home', [workload]);
    await world.resync();
    await world.pass(1);
    expect([world.shares('assigned'), world.shares('ready')]).toEqual(['4/4/4', '0/6/6']);
    expect(lowest(await world.curve(40))).toBe(12);
    expect(Object.keys(world.queue)).toEqual(['member2', 'member3']);
    await world.resync();
    await world.pass(10);
    expect([world.shares('ready'), world.queue]).toEqual(['4/4/4', {}]);
  });

  it('of a policy that opts in while the hook is unavailable: resync copies the annotations of the policy to the binding', async () => {
    const world = new GracefulWorld({ words: {} });
    await world.begin();
    await world.away();
    world.hook = false;
    world.editPolicy({ metadata: { annotations: { [REDUCTION_STRATEGY]: DELAY_WORK_DELETION } } });
    await world.resync();
    await world.pass(5);
    world.create('home', [workload]);
    await world.resync();
    expect([lowest(await world.curve(15)), Object.keys(world.queue)]).toEqual([12, ['member2', 'member3']]);
  });

  it('in one move with a RebalancePolicy that takes only what moves gracefully', async () => {
    const world = new GracefulWorld();
    await world.begin();
    const spec = { triggers: { clusterRecovered: { stableFor: '10s' } }, strategy: { requireGracefulReduction: true } };
    const metadata = { name: 'come-home' };
    world.store.create(
      'rebalancepolicies',
      { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy', metadata, spec },
      { username: 'a-user', manager: 'kubectl' },
    );
    world.fleet.fail('member1');
    await world.pass(40);
    world.fleet.recover('member1');
    const curve = await world.curve(60);
    await world.resync();
    await world.pass(10);
    expect([lowest(curve), world.shares('assigned'), world.shares('ready')]).toEqual([12, '4/4/4', '4/4/4']);
  });
});

describe('without it', () => {
  it('N to M: replicas are gone long before their replacement is ready', async () => {
    const { curve } = await comesHome({ words: {} });
    expect(lowest(curve)).toBe(8);
    expect(curve.filter((ready) => ready < 12).length).toBeGreaterThan(190);
  });

  it('N to 0: only what was there already is left', async () => {
    const { curve } = await gathers({ words: {} });
    expect(lowest(curve)).toBeLessThan(6);
  });
});
