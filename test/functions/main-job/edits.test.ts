import { describe, expect, it } from 'vitest';
import { at, deployment, deployments } from '../../builders.ts';
import { World } from '../../fakes/world.ts';

const [a, b] = [deployment('a'), deployment('b')];

describe('an edit', () => {
  it('rebalances what was added, since the time of the edit, and nothing else again', async () => {
    const w = new World();
    w.bind([a, b]);
    w.create('demo', [a]);
    await w.pass(100);
    w.edit('demo', { workloads: [a, b] });
    await w.pass(30);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    expect(w.binding(a).trigger).toBe(at(0));
    expect(w.binding(b).trigger).toBe(at(100));
    expect(w.rebalancer('demo')?.status).toMatchObject({ observedGeneration: 2, finishTime: '2026-11-21T10:01:40Z' });
  });

  it('of the order alone is no action', async () => {
    const w = new World();
    w.bind([a, b]);
    w.create('demo', [a, b]);
    await w.pass(100);
    const before = w.patches().length;
    w.edit('demo', { workloads: [b, a] });
    await w.pass(30);
    expect(w.patches().length).toBe(before);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    expect(w.rebalancer('demo')?.status).toMatchObject({ observedGeneration: 2, finishTime: '2026-11-21T10:00:00Z' });
  });

  it('of the ttl alone restarts no work and moves no finishTime', async () => {
    const w = new World();
    w.bind([a]);
    w.create('demo', [a]);
    await w.pass(100);
    w.edit('demo', { ttlSecondsAfterFinished: 3600 });
    await w.pass(30);
    expect(w.patches()).toEqual(['a-deployment']);
    expect(w.rebalancer('demo')?.status).toMatchObject({ observedGeneration: 2, finishTime: '2026-11-21T10:00:00Z' });
  });

  it('while its chunks run leaves no workload out and none twice', async () => {
    const w = new World();
    const workloads = deployments(300);
    w.bind([...workloads, a]);
    let edited = false;
    w.hub.interference.after = ({ verb }) => {
      if (verb !== 'patch' || edited || w.patches().length < 150) return;
      edited = true;
      w.edit('demo', { workloads: [...workloads.slice(50), a] });
    };
    w.create('demo', workloads);
    await w.pass(60);
    expect(edited).toBe(true);
    const patched = w.patches().filter((name) => name !== 'a-deployment');
    expect(new Set(patched).size).toBe(300);
    expect(patched.length).toBe(300);
    expect(w.results('demo').filter((line) => line.endsWith('=Successful')).length).toBe(w.results('demo').length);
    expect(w.results('demo').length).toBeGreaterThanOrEqual(251);
    expect(w.rebalancer('demo')?.status?.observedGeneration).toBe(2);
  });
});
