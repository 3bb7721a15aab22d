/** Rebalancers of bindings that name our scheduler: each trigger and its assignment are one write, and capacity is used once. */
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { at, deployment } from '../../builders.ts';
import { SchedulingWorld } from '../../fakes/scheduling-world.ts';
import { type BindingParts, DYNAMIC } from '../../placed-objects.ts';

const dynamic = { replicaScheduling: DYNAMIC };
const scheduled = { placement: dynamic, at: '2026-11-21T09:59:00Z' };
/** 12 replicas that would be divided evenly now. */
const uneven: BindingParts = { replicas: 12, current: { m2: 6, m3: 6 }, scheduled };

async function rebalanced(w: SchedulingWorld, names: readonly string[], seconds = 20): Promise<void> {
  w.create(
    'demo',
    names.map((name) => deployment(name)),
  );
  await w.publishRebalancer('demo');
  await w.pass(seconds);
}

/** Requests of these verbs to bindings, clusters and their status. */
function requests(w: SchedulingWorld): readonly string[] {
  return w.hub.calls
    .filter(({ plural }) => plural !== 'workloadrebalancers')
    .map(({ verb, plural, subresource }) => `${verb} ${plural}${subresource === undefined ? '' : `/${subresource}`}`);
}

describe('a rebalancer of bindings that name our scheduler', () => {
  it('has each rescheduled by two writes in the invocation that triggers it', async () => {
    const w = new SchedulingWorld({ m1: 100, m2: 94, m3: 94 }, { hook: false });
    w.addBinding('web', uneven);
    await rebalanced(w, ['web']);
    expect(w.assigned('web')).toEqual({ m1: 4, m2: 4, m3: 4 });
    expect([w.results('demo'), w.scheduled('web')]).toEqual([['Deployment shop/web=Successful'], 'True Success']);
    expect(w.lastScheduled('web')).toBeGreaterThanOrEqual(w.binding(deployment('web')).trigger ?? Number.NaN);
    expect(w.writes('web')).toEqual({ spec: 1, status: 1 });
    expect(w.reasons.filter((reason) => /^it was never|^a rescheduling/.test(reason))).toEqual([]);
    expect(requests(w).filter((request) => request.endsWith('clusters'))).toEqual(['list clusters']);
    // The scheduler publishes none.
    expect(w.store.list('events').map(({ reason }) => reason)).toEqual(['Finished']);
  });

  it('reads the clusters once for a whole chunk', async () => {
    const names = Array.from({ length: 80 }, (_, i) => `w${i}`);
    const w = new SchedulingWorld({ m1: 1000, m2: 500, m3: 500 }, { hook: false });
    for (const name of names) w.addBinding(name, uneven);
    await rebalanced(w, names);
    expect(names.map((name) => w.scheduled(name))).toEqual(names.map(() => 'True Success'));
    expect(requests(w).filter((request) => request.endsWith('clusters'))).toEqual(['list clusters']);
  });

  it('uses the capacity of a cluster once', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const w = new SchedulingWorld({ m1: 12, m2: 0 }, { hook: false });
    for (const name of names) w.addBinding(name, { replicas: 6, current: { m2: 6 }, scheduled });
    await rebalanced(w, names);
    const onM1 = names.map((name) => w.assigned(name).m1 ?? 0);
    expect(onM1.reduce((sum, replicas) => sum + replicas, 0)).toBeLessThanOrEqual(12);
    expect(onM1[0]).toBeGreaterThan(0);
  });

  it('has those with the highest schedulePriority choose first', async () => {
    const w = new SchedulingWorld({ m1: 6, m2: 0 }, { hook: false });
    const low: BindingParts = { replicas: 6, current: { m2: 6 }, scheduled };
    w.addBinding('a', low);
    w.addBinding('b', { ...low, spec: { schedulePriority: { priority: 100 } } });
    await rebalanced(w, ['a', 'b']);
    expect(w.assigned('b').m1).toBe(3);
    expect(w.assigned('a').m1 ?? 0).toBeLessThan(3);
  });

  it('moves none twice if the status could not be written: an event has it written', async () => {
    const w = new SchedulingWorld({ m1: 100, m2: 94, m3: 94 }, { hook: false });
    w.addBinding('web', uneven);
    let once = true;
    w.hub.interference.before = ({ verb, plural, subresource }) => {
      if (verb !== 'patch' || plural !== 'resourcebindings' || subresource !== 'status' || !once) return;
      once = false;
      throw new Fault('retryable', 'the hub does not respond', { reason: 'HubUnreachable' });
    };
    await rebalanced(w, ['web'], 60);
    expect([w.assigned('web'), w.scheduled('web')]).toEqual([{ m1: 4, m2: 4, m3: 4 }, 'True Success']);
    expect(w.writes('web')).toEqual({ spec: 1, status: 1 });
  });

  it.each<[string, (w: SchedulingWorld) => void]>([
    [
      'that changed under the write',
      (w) => {
        let once = true;
        w.hub.interference.before = ({ verb, plural }) => {
          if (verb !== 'patch' || plural !== 'resourcebindings' || !once) return;
          once = false;
          w.editBinding('web', { replicas: 9 });
        };
      },
    ],
    [
      'whose hub does not let clusters be read once',
      (w) => {
        let once = true;
        w.hub.interference.before = ({ verb, plural }) => {
          if (verb !== 'list' || plural !== 'clusters' || !once) return;
          once = false;
          throw new Fault('retryable', 'clusters is forbidden', { reason: 'Forbidden' });
        };
      },
    ],
    [
      'that can not be read whole once',
      (w) => {
        let once = true;
        w.hub.interference.before = ({ verb, plural }) => {
          if (verb !== 'get' || plural !== 'resourcebindings' || !once) return;
          once = false;
          throw new Fault('retryable', 'the hub does not respond', { reason: 'HubUnreachable' });
        };
      },
    ],
  ])('triggers a binding %s alone, and an event has it rescheduled', async (_, disturb) => {
    const w = new SchedulingWorld({ m1: 100, m2: 94, m3: 94 }, { hook: false });
    w.addBinding('web', uneven);
    disturb(w);
    await rebalanced(w, ['web'], 60);
    const each = (w.stored('web').spec?.replicas as number) / 3;
    expect(w.assigned('web')).toEqual({ m1: each, m2: each, m3: each });
    expect([w.results('demo'), w.scheduled('web')]).toEqual([['Deployment shop/web=Successful'], 'True Success']);
    expect(w.deadLetters).toEqual([]);
  });

  it('has a log line of the reason if the clusters can not be read', async () => {
    const w = new SchedulingWorld({ m1: 100 }, { hook: false });
    w.addBinding('web', { replicas: 2, current: { m1: 2 }, scheduled });
    const lines: unknown[] = [];
    w.telemetry.listen((code, fields) => code === 'EK312' && lines.push(fields));
    w.hub.interference.before = ({ plural }) => {
      if (plural === 'clusters') throw new Fault('terminal', 'clusters is forbidden', { reason: 'Forbidden' });
    };
    await rebalanced(w, ['web']);
    expect(lines).toEqual([{ hub: 'karmada', reason: 'Forbidden', error: 'clusters is forbidden' }]);
    expect(w.results('demo')).toEqual(['Deployment shop/web=Successful']);
  });

  it('triggers one that our scheduler may not assign now, and does not assign it', async () => {
    const w = new SchedulingWorld({ m1: 100, m2: 94, m3: 94 }, { hook: false });
    w.addBinding('web', { ...uneven, spec: { suspension: { scheduling: true } } });
    await rebalanced(w, ['web']);
    expect(w.assigned('web')).toEqual({ m2: 6, m3: 6 });
    expect(w.results('demo')).toEqual(['Deployment shop/web=Successful']);
    // The creation of the rebalancer.
    expect(w.binding(deployment('web')).trigger).toBe(at(0));
  });

  it('keeps the trigger of one that no cluster has capacity for, and its replicas', async () => {
    const w = new SchedulingWorld({ m1: 0, m2: 0 }, { hook: false });
    w.addBinding('web', { replicas: 12, current: { gone: 12 }, scheduled });
    await rebalanced(w, ['web']);
    expect([w.assigned('web'), w.scheduled('web')]).toEqual([{ gone: 12 }, 'False Unschedulable']);
    expect(w.results('demo')).toEqual(['Deployment shop/web=Successful']);
    expect(w.store.list('events').map(({ reason }) => reason)).toEqual([
      'Finished',
      'ScheduleBindingFailed',
      'ScheduleBindingFailed',
    ]);
    w.setCapacity('m1', 40);
    await w.resync();
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m1: 12 });
  });
});

describe('concurrent invocations', () => {
  it('use the capacity of a cluster once: each rebalancer of another binding', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const w = new SchedulingWorld({ m1: 12, m2: 0 }, { hook: false });
    for (const name of names) w.addBinding(name, { replicas: 6, current: { m2: 6 }, scheduled });
    for (const name of names) w.create(`of-${name}`, [deployment(name)]);
    await Promise.all(names.map((name) => w.publishRebalancer(`of-${name}`)));
    await w.pass(20);
    const onM1 = names.map((name) => w.assigned(name).m1 ?? 0);
    expect(onM1.reduce((sum, replicas) => sum + replicas, 0)).toBeLessThanOrEqual(12);
  });
});

describe('events of several bindings', () => {
  it('are handled by one list of the clusters, and one that fails fails alone', async () => {
    const names = ['a', 'b', 'c'];
    const w = new SchedulingWorld({ m1: 100, m2: 100 }, { hook: false });
    for (const name of names) w.addBinding(name, { replicas: 10 });
    let once = true;
    w.hub.interference.before = ({ verb, name }) => {
      if (verb !== 'patch' || name !== 'b-deployment' || !once) return;
      once = false;
      throw new Fault('retryable', 'the hub does not respond', { reason: 'HubUnreachable' });
    };
    await Promise.all(names.map((name) => w.publishBinding(w.stored(name).metadata)));
    await w.pass(60);
    expect(names.map((name) => w.scheduled(name))).toEqual(['True Success', 'True Success', 'True Success']);
    expect(names.map((name) => w.writes(name).spec)).toEqual([1, 1, 1]);
    // Of all three, and of the one that was delivered again.
    expect(requests(w).filter((request) => request === 'list clusters')).toHaveLength(2);
    expect(w.deadLetters).toEqual([]);
  });
});
