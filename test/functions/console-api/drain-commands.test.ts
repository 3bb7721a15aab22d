/** The console's drain of a cluster: as `evenkeel drain` and `uncordon`, with our account. */
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { asking } from '../../fakes/ask.ts';
import { user } from '../../fakes/practice-fleet.ts';
import { PolicyWorld } from '../rebalance-policy/scene.ts';

const members = ['member1', 'member2', 'member3'].map((name) => ({ name, capacity: 60, readyDelayMs: 5000 }));
const onMember1 = { hub: 'karmada', cluster: 'member1' };

async function running() {
  const world = new PolicyWorld(members, { reductions: true });
  world.run('web', 6);
  await world.pass(60);
  return { world, ask: asking(world.answerers) };
}

describe('the drain of a cluster in the console', () => {
  it('is a ClusterDrain of the requesting user, and the fleet shows how it goes', async () => {
    const { world, ask } = await running();
    expect(await ask('drainCluster', onMember1)).toEqual({ name: 'member1', created: true });
    const drain = world.store.get('clusterdrains', { namespace: '', name: 'member1' });
    expect(drain?.metadata.annotations).toEqual({ 'evenkeel.dev/requested-by': 'local:user' });
    expect(drain?.spec).toMatchObject({ cluster: 'member1' });
    await world.pass(120);
    expect(Object.keys(world.assigned('web'))).toEqual(['member2', 'member3']);
    const { clusters } = await ask('getFleet', { hub: 'karmada' });
    const view = { name: 'member1', state: 'Drained', message: 'no workload has replicas on member1' };
    expect(clusters).toMatchObject([{ drainable: true, drain: view }, { drainable: true }, { drainable: true }]);
  });

  it('is not created twice', async () => {
    const { ask } = await running();
    await ask('drainCluster', onMember1);
    expect(await ask('drainCluster', onMember1)).toEqual({ name: 'member1', created: false });
  });

  it('whose time is over is replaced, and is not in the fleet', async () => {
    const { world, ask } = await running();
    const object = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'ClusterDrain', metadata: { name: 'member1' } };
    world.store.create(
      'clusterdrains',
      { ...object, spec: { cluster: 'member1', until: '2026-01-01T00:00:00Z' } },
      user,
    );
    await world.pass(10);
    const { clusters } = await ask('getFleet', { hub: 'karmada' });
    expect(clusters[0]).toMatchObject({ name: 'member1', drainable: true });
    expect(clusters[0]).not.toHaveProperty('drain');
    expect(await ask('drainCluster', onMember1)).toEqual({ name: 'member1', created: true });
    await world.pass(60);
    expect(Object.keys(world.assigned('web'))).toEqual(['member2', 'member3']);
  });

  it('ends with uncordon', async () => {
    const { world, ask } = await running();
    await ask('drainCluster', onMember1);
    await world.pass(120);
    expect(await ask('uncordonCluster', onMember1)).toEqual({ deleted: ['member1'] });
    await world.pass(5);
    expect(world.store.get('clusters', { namespace: '', name: 'member1' })?.spec?.taints).toBeUndefined();
    await expect(ask('uncordonCluster', onMember1)).rejects.toMatchObject({
      reason: 'NotFound',
      message: 'member1: no ClusterDrain drains it; drained clusters: none',
    });
  });

  it('is rejected for a cluster that the hub does not have', async () => {
    const { ask } = await running();
    await expect(ask('drainCluster', { hub: 'karmada', cluster: 'member9' })).rejects.toMatchObject({
      reason: 'NotFound',
      message: 'member9: the hub has no cluster of that name; it has member1, member2, member3',
    });
  });

  it('is rejected if a ClusterDrain of that name drains another cluster', async () => {
    const { world, ask } = await running();
    const object = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'ClusterDrain', metadata: { name: 'member1' } };
    world.store.create('clusterdrains', { ...object, spec: { cluster: 'member2' } }, user);
    await expect(ask('drainCluster', onMember1)).rejects.toMatchObject({
      reason: 'Conflict',
      message:
        'ClusterDrain member1 is there already, and drains member2; delete it, or drain member1 with a ClusterDrain of another name',
    });
  });

  it.each([
    ['drainCluster', 'create', 'create ClusterDrains'],
    ['uncordonCluster', 'delete', 'delete ClusterDrains'],
  ] as const)('%s is rejected with the remedy if our account may not %s one', async (operation, denied, what) => {
    const { world, ask } = await running();
    if (operation === 'uncordonCluster') await ask('drainCluster', onMember1);
    world.hub.interference = {
      before: ({ verb }) => {
        if (verb === denied) throw new Fault('retryable', 'hub karmada answered 403', { reason: 'Forbidden' });
      },
    };
    await expect(ask(operation, onMember1)).rejects.toMatchObject({
      reason: 'Forbidden',
      message: `Evenkeel's account may not ${what} on hub karmada; grant it with evenkeel hub manifests --hub karmada --create-rebalancers, or do it with kubectl`,
    });
  });
});
