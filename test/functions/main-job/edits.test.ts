import { describe, expect, it } from 'vitest';
import { RebalanceFinished } from '../../../shared/bus/catalogue.ts';
import type { RebalanceTask } from '../../../shared/workload-rebalancer/rebalance-task.ts';
import { at, deployment, deployments } from '../../builders.ts';
import { MemoryTaskStore } from '../../fakes/stores/memory-task-store.ts';
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
    // The hub counts the writes of a spec: one of two deliveries that meet on a binding writes nothing.
    expect(workloads.map((workload) => w.binding(workload).generation)).toEqual(workloads.map(() => 2));
    expect(w.results('demo').filter((line) => line.endsWith('=Successful')).length).toBe(w.results('demo').length);
    expect(w.results('demo').length).toBeGreaterThanOrEqual(251);
    expect(w.rebalancer('demo')?.status?.observedGeneration).toBe(2);
  });
});

describe('a generation that is planned twice', () => {
  it('keeps its first finish on the object, although the table lost the first plan meanwhile', async () => {
    const w = new World();
    w.bind([a]);
    w.create('demo', [a]);
    await w.pass(30);
    const first = w.rebalancer('demo')?.status;
    const task = (await w.task('demo')) as RebalanceTask;
    // What a delivery does that read the object before its finish, and commits ten minutes later to a table that has no row of it.
    w.tasks = new MemoryTaskStore();
    await w.pass(600);
    const rows = [
      {
        task: { hub: 'karmada', uid: task.uid },
        plan: 'late',
        number: 0,
        version: 0,
        workloads: [{ workload: a, wantedSince: at(0), result: 'Successful' as const }],
      },
    ];
    await w.tasks.writeChunks(rows, task.expiresAt);
    await w.tasks.commitPlan({ ...task, plan: 'late', finishTime: at(600), updatedAt: at(600) }, undefined);
    await w.bus.publish([RebalanceFinished.of({ hub: 'karmada', uid: task.uid, name: 'demo' })]);
    await w.pass(600);
    expect(w.rebalancer('demo')?.status).toEqual(first);
    expect(first).toMatchObject({ finishTime: '2026-11-21T10:00:00Z' });
  });
});
