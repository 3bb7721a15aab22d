import { describe, expect, it } from 'vitest';
import { MemoryTaskStore } from '../../shared/adapters/memory/memory-task-store.ts';
import { at, clusterRole, deployment } from '../builders.ts';
import { passing } from '../fakes/store-hub.ts';
import { World, type WorldOptions } from '../fakes/world.ts';

const [a, b, c] = [deployment('a'), deployment('b'), deployment('c')];

function world(options: WorldOptions = {}): World {
  return new World(options);
}

function many(count: number) {
  return Array.from({ length: count }, (_, i) => deployment(`w${String(i).padStart(4, '0')}`));
}

describe('a WorkloadRebalancer', () => {
  it('triggers namespaced and cluster-scoped workloads in one code path, and reports them in order', async () => {
    const w = world();
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

  it.each([1, 100, 101, 5000])('of %i workloads patches every binding exactly once', async (count) => {
    const w = world();
    const workloads = many(count);
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
    const w = world();
    const workloads = many(400);
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

describe('an edit', () => {
  it('rebalances what was added, since the time of the edit, and nothing else again', async () => {
    const w = world();
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
    const w = world();
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
    const w = world();
    w.bind([a]);
    w.create('demo', [a]);
    await w.pass(100);
    w.edit('demo', { ttlSecondsAfterFinished: 3600 });
    await w.pass(30);
    expect(w.patches()).toEqual(['a-deployment']);
    expect(w.rebalancer('demo')?.status).toMatchObject({ observedGeneration: 2, finishTime: '2026-11-21T10:00:00Z' });
  });

  it('while its chunks run leaves no workload out and none twice', async () => {
    const w = world();
    const workloads = many(300);
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

describe('a trigger', () => {
  it('is not lost when the binding was scheduled between creation and patch', async () => {
    const w = world();
    w.bind([a]);
    w.hook = false;
    w.create('demo', [a]);
    await w.pass(5);
    w.scheduleNow(a);
    await w.hear('demo');
    await w.pass(30);
    expect(w.binding(a).trigger).toBe(at(6));
    expect(w.binding(a).scheduled).toBeGreaterThanOrEqual(at(6));
  });

  it('is not lost for a second rebalancer in the same second', async () => {
    const w = world();
    w.bind([a]);
    w.create('first', [a]);
    await w.pass(0.3);
    expect(w.binding(a)).toMatchObject({ trigger: at(0), scheduled: at(0) });
    w.create('second', [a]);
    await w.pass(30);
    expect(w.binding(a)).toMatchObject({ trigger: at(1), scheduled: at(1) });
    expect(w.results('second')).toEqual(['Deployment shop/a=Successful']);
  });

  it('is not lost when the scheduler writes between our read and our patch (409)', async () => {
    const w = world();
    w.bind([a]);
    let once = true;
    w.hub.interference.before = ({ verb }) => {
      if (verb !== 'patch' || !once) return;
      once = false;
      w.scheduleNow(a);
    };
    w.create('demo', [a]);
    await w.pass(30);
    expect(w.binding(a).trigger).toBe(at(1));
    expect(w.binding(a).scheduled).toBe(at(1));
  });

  it('of two rebalancers at once ends with both done and the field never going backwards', async () => {
    const w = world();
    const workloads = many(120);
    w.bind(workloads);
    const seen: number[] = [];
    w.store.onChange(({ object }) => {
      if (object.metadata.name === 'w0000-deployment') seen.push(w.binding(deployment('w0000')).trigger ?? 0);
    });
    w.create('first', workloads);
    w.create('second', workloads);
    await w.pass(60);
    for (const name of ['first', 'second'])
      expect(await w.task(name)).toMatchObject({ state: 'Finished', successful: 120 });
    expect(seen).toEqual([...seen].sort((x, y) => x - y));
  });

  it('left by a lost reply is not written twice', async () => {
    const w = world({ scheduler: false });
    w.bind([a]);
    let once = true;
    w.hub.interference.after = ({ verb, plural }) => {
      if (verb !== 'patch' || plural !== 'resourcebindings' || !once) return;
      once = false;
      throw passing();
    };
    w.create('demo', [a]);
    await w.pass(30);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful']);
    expect(w.binding(a)).toMatchObject({ trigger: at(0), generation: 2 });
  });
});

describe('a passing error', () => {
  it('leaves result and reason empty, and is tried again until it succeeds', async () => {
    const w = world();
    w.bind([a, b]);
    w.hub.interference.before = ({ verb, name }) => {
      if (verb === 'patch' && name === 'a-deployment' && w.clock.now() < at(20)) throw passing();
    };
    w.create('demo', [a, b]);
    await w.pass(10);
    expect(await w.task('demo')).toMatchObject({ state: 'Running', pendingChunks: [0] });
    await w.pass(60);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    expect(w.deadLetters).toEqual([]);
  });

  it('that lasts too long reaches the dead letters with its reason, and resync takes the work up again', async () => {
    const w = world();
    w.bind([a]);
    let down = true;
    w.hub.interference.before = () => {
      if (down) throw passing();
    };
    w.create('demo', [a]);
    await w.pass(600);
    expect(w.deadLetters).toMatchObject([{ queue: 'plan-rebalance', reason: 'HubUnreachable' }]);
    down = false;
    await w.resync();
    await w.pass(60);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful']);
  });

  it('of a poison message does not hold up the others', async () => {
    const w = world();
    w.bind([a]);
    await w.bus.publish([{ type: 'WorkloadRebalancerChanged', detail: { hub: 'karmada', name: '', version: 1 } }]);
    w.create('demo', [a]);
    await w.pass(30);
    expect(w.deadLetters).toMatchObject([{ reason: 'UnreadableEvent' }]);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful']);
  });
});

describe('deletion', () => {
  it('comes never without a ttl', async () => {
    const w = world();
    w.bind([a]);
    w.create('demo', [a]);
    await w.pass(7 * 24 * 3600);
    expect(w.rebalancer('demo')).toBeTruthy();
  });

  it('comes at once with a ttl of 0, after the finish was on the object', async () => {
    const w = world();
    w.bind([a]);
    const finishes: unknown[] = [];
    w.store.onChange(({ type, plural, previous }) => {
      if (type === 'DELETED' && plural === 'workloadrebalancers') finishes.push(previous?.status?.finishTime);
    });
    w.create('demo', [a], 0);
    await w.pass(5);
    expect(w.rebalancer('demo')).toBeUndefined();
    expect(finishes).toEqual(['2026-11-21T10:00:00Z']);
  });

  it('comes when the ttl has passed since the finish, and not before', async () => {
    const w = world();
    w.bind([a]);
    w.create('demo', [a], 60);
    await w.pass(59);
    expect(w.rebalancer('demo')).toBeTruthy();
    await w.pass(2);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('is deferred when a workload is added before the ttl expired (corner case 1)', async () => {
    const w = world();
    w.bind([a, b]);
    w.create('demo', [a], 60);
    await w.pass(50);
    w.edit('demo', { workloads: [a, b] });
    await w.pass(30);
    expect(w.rebalancer('demo')).toBeTruthy();
    await w.pass(40);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it.each([
    ['shorter', 5, 12],
    ['longer', 600, 605],
  ])('goes by the latest ttl when it is made %s before it expired (corner case 2)', async (_, ttl, gone) => {
    const w = world();
    w.bind([a]);
    w.create('demo', [a], 60);
    await w.pass(3);
    w.edit('demo', { ttlSecondsAfterFinished: ttl });
    await w.pass(gone - 3 - 10);
    expect(w.rebalancer('demo') !== undefined).toBe(true);
    await w.pass(10);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('is interrupted by an edit just before it (corner case 3)', async () => {
    const w = world();
    w.bind([a, b]);
    w.create('demo', [a], 60);
    let once = true;
    w.hub.interference.before = ({ verb }) => {
      if (verb !== 'delete' || !once) return;
      once = false;
      w.edit('demo', { workloads: [a, b] });
    };
    await w.pass(65);
    expect(once).toBe(false);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    await w.pass(60);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('spares an object recreated under the same name', async () => {
    const w = world();
    w.bind([a]);
    w.create('demo', [a], 60);
    await w.pass(30);
    w.delete('demo');
    w.create('demo', [a]);
    await w.pass(3600);
    expect(w.rebalancer('demo')).toBeTruthy();
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful']);
  });

  it('by a person while chunks run stops the rest', async () => {
    const w = world();
    const workloads = many(500);
    w.bind(workloads);
    w.hub.interference.after = ({ verb }) => {
      if (verb === 'patch' && w.patches().length === 100) w.delete('demo');
    };
    w.create('demo', workloads);
    await w.pass(60);
    expect(w.patches().length).toBeLessThanOrEqual(200);
    expect(w.deadLetters).toEqual([]);
  });
});

describe('a scheduler that does not act', () => {
  it('shows up in the task and in a metric, and the task is confirmed when it acts in the end', async () => {
    const w = world({ scheduler: false });
    w.bind([a, b]);
    w.create('demo', [a, b]);
    await w.pass(20);
    w.scheduleNow(a);
    await w.pass(400);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({
      state: 'Overdue',
      confirmed: 1,
      waitingFor: ['Deployment shop/b'],
    });
    expect(w.telemetry.counts.get('ReschedulingOverdue')).toBe(1);
    w.scheduleNow(b);
    await w.pass(200);
    await w.resync();
    await w.pass(30);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({ state: 'Confirmed', confirmed: 2 });
  });

  it('is told apart from one that acts', async () => {
    const w = world();
    w.bind([a]);
    w.create('demo', [a]);
    await w.pass(30);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({ state: 'Confirmed', confirmed: 1 });
    expect(w.telemetry.counts.get('ReschedulingOverdue')).toBeUndefined();
  });
});

describe('resync alone', () => {
  it('brings a rebalancer to the same end with every event of the hook dropped', async () => {
    const w = world({ hook: false });
    w.bind([a, b, c]);
    w.create('demo', [a, b], 60);
    await w.resync();
    await w.pass(10);
    expect(w.results('demo')).toEqual(['Deployment shop/a=Successful', 'Deployment shop/b=Successful']);
    w.edit('demo', { workloads: [b, c], ttlSecondsAfterFinished: 300 });
    await w.resync();
    await w.pass(10);
    expect(w.results('demo')).toEqual(['a', 'b', 'c'].map((name) => `Deployment shop/${name}=Successful`));
    await w.pass(400);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('deletes what expired although its schedule was lost', async () => {
    const w = world();
    w.bind([a]);
    w.create('demo', [a], 60);
    await w.pass(10);
    w.schedule.close();
    await w.pass(100);
    expect(w.rebalancer('demo')).toBeTruthy();
    await w.resync();
    await w.pass(10);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('rebuilds a lost table from the live objects, without triggering anything again', async () => {
    const w = world();
    w.bind([a, b]);
    w.create('demo', [a, deployment('gone')], 3600);
    await w.pass(30);
    const before = JSON.stringify(w.rebalancer('demo'));
    w.tasks = new MemoryTaskStore();
    await w.resync();
    await w.pass(60);
    expect(w.patches()).toEqual(['a-deployment']);
    expect(await w.task('demo')).toMatchObject({ state: 'Finished', successful: 1, failed: 1 });
    expect(JSON.stringify(w.rebalancer('demo'))).toBe(before);
    await w.pass(3600);
    expect(w.rebalancer('demo')).toBeUndefined();
  });

  it('leaves alone what is where it should be', async () => {
    const w = world();
    w.bind([a]);
    w.create('demo', [a]);
    await w.pass(300);
    const calls = w.hub.calls.length;
    await w.resync();
    await w.pass(30);
    expect(w.hub.calls.slice(calls).map(({ verb }) => verb)).toEqual(['list']);
  });
});
