import { describe, expect, it } from 'vitest';
import { at, clusterRole, deployment, deployments } from '../../builders.ts';
import { casesOf } from '../../depth.ts';
import { passing } from '../../fakes/store-hub.ts';
import { World } from '../../fakes/world.ts';

const a = deployment('a');

describe('a WorkloadRebalancer', () => {
  it('triggers namespaced and cluster-scoped workloads in one code path, and reports them in order', async () => {
    const w = new World();
    w.bind([a, clusterRole('system:Reader')]);
    w.create('demo', [clusterRole('system:Reader'), deployment('gone'), a]);
    await w.pass(30);
    expect(w.results('demo')).toEqual([
      'Deployment shop/a=Successful',
      'Deployment shop/gone=Failed',
      'ClusterRole system:Reader=Successful',
    ]);
    expect(w.binding(a).trigger).toBe(at(0));
    expect(w.patches().sort()).toEqual(['a-deployment', 'system.reader-clusterrole']);
    expect(w.rebalancer('demo')?.status).toMatchObject({
      observedGeneration: 1,
      finishTime: '2026-11-21T10:00:00Z',
      observedWorkloads: [{}, { reason: 'ReferencedBindingNotFound' }, {}],
    });
  });

  it('leaves a binding of another object alone, which its result names', async () => {
    const w = new World();
    const ofAnotherGroup = { ...a, apiVersion: 'example.com/v1' };
    const ofAnotherVersion = { ...deployment('b'), apiVersion: 'apps/v1beta1' };
    w.bind([a, deployment('b')]);
    w.create('demo', [ofAnotherGroup, ofAnotherVersion]);
    await w.pass(30);
    expect(w.patches()).toEqual(['b-deployment']);
    expect(w.rebalancer('demo')?.status?.observedWorkloads).toEqual([
      { workload: ofAnotherVersion, result: 'Successful' },
      { workload: ofAnotherGroup, result: 'Failed', reason: 'ReferencedBindingMismatch' },
    ]);
    const reason = 'not triggered: its binding is of apps/v1 Deployment shop/a';
    expect(w.reasons.some((text) => text.includes(reason))).toBe(true);
  });

  it.each(casesOf([1, 100, 101, 5000], 3))('of %i workloads patches every binding exactly once', async (count) => {
    const w = new World();
    const workloads = deployments(count);
    w.bind(workloads);
    w.create('demo', workloads);
    await w.pass(30);
    expect(w.patches().length).toBe(count);
    expect(new Set(w.patches()).size).toBe(count);
    expect(await w.task('demo')).toMatchObject({
      state: 'Finished',
      chunks: Math.ceil(count / 100),
      pendingChunks: [],
      successful: count,
    });
    expect(new Set(w.results('demo').map((line) => line.split('=')[1]))).toEqual(new Set(['Successful']));
    expect(JSON.stringify(w.rebalancer('demo')).length).toBeLessThan(1.5 * 1024 * 1024);
  });

  it('shows how far it is while it runs, and never a finish before the end', async () => {
    const w = new World();
    const workloads = deployments(400);
    w.bind(workloads);
    w.hub.interference.before = ({ verb, name }) => {
      if (verb === 'patch' && name === 'w0399-deployment' && w.clock.now() < at(60)) throw passing();
    };
    w.create('demo', workloads);
    await w.pass(20);
    const done = () => w.results('demo').filter((line) => line.endsWith('=Successful')).length;
    expect(done()).toBe(399);
    expect(w.results('demo').at(-1)).toBe('Deployment shop/w0399=');
    expect(w.rebalancer('demo')?.status?.finishTime).toBeUndefined();
    await w.pass(120);
    expect(done()).toBe(400);
    expect(w.rebalancer('demo')?.status?.finishTime).not.toBeUndefined();
  });
});
