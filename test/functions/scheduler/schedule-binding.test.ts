/** Bindings that name our scheduler, from the event to what is written: each time once, whatever comes in between. */
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { at, deployment } from '../../builders.ts';
import { SchedulingWorld } from '../../fakes/scheduling-world.ts';
import { passing } from '../../fakes/store-hub.ts';
import { AGGREGATED, DUPLICATED, DYNAMIC } from '../../placed-objects.ts';

const capacities = { m1: 20, m2: 20, m3: 20 };
const dynamic = { replicaScheduling: DYNAMIC };
const scheduledBefore = { placement: dynamic, at: '2026-11-21T09:59:00Z' };

describe('a binding that names our scheduler', () => {
  it('is assigned as soon as it is there, by one write of its spec and one of its status', async () => {
    const w = new SchedulingWorld(capacities);
    w.addBinding('web');
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m1: 4, m2: 3, m3: 3 });
    expect([w.scheduled('web'), w.lastScheduled('web')]).toEqual(['True Success', at(0)]);
    expect(w.writes('web')).toEqual({ spec: 1, status: 1 });
  });

  it('settles: an event that comes again writes nothing', async () => {
    const w = new SchedulingWorld(capacities);
    w.addBinding('web');
    await w.pass(5);
    const [before, writes] = [JSON.stringify(w.stored('web')), w.writes('web')];
    await w.publishBinding(w.stored('web').metadata);
    await w.resync();
    await w.pass(5);
    expect(JSON.stringify(w.stored('web'))).toBe(before);
    expect(w.writes('web')).toEqual(writes);
  });

  it('is scaled Steady: what runs stays', async () => {
    const w = new SchedulingWorld({ m1: 20, m2: 16, m3: 16 });
    w.addBinding('web', { replicas: 8, current: { m2: 4, m3: 4 }, scheduled: scheduledBefore });
    await w.pass(5);
    w.editBinding('web', { replicas: 12 });
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m1: 2, m2: 5, m3: 5 });
  });

  it('of a cluster-scoped workload is a ClusterResourceBinding, and goes everywhere', async () => {
    const w = new SchedulingWorld(capacities);
    const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'reader' };
    const placement = { replicaScheduling: DUPLICATED };
    const spec = { resource, placement, schedulerName: 'evenkeel' };
    const header = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ClusterResourceBinding' };
    const by = { username: 'a-user', manager: 'kubectl' };
    w.store.create('clusterresourcebindings', { ...header, metadata: { name: 'reader' }, spec }, by);
    await w.pass(5);
    const stored = w.store.get('clusterresourcebindings', { namespace: '', name: 'reader' });
    expect(stored?.spec?.clusters).toEqual([{ name: 'm1' }, { name: 'm2' }, { name: 'm3' }]);
  });
});

describe('a trigger', () => {
  const triggered = (w: SchedulingWorld) =>
    w.editBinding('web', { rescheduleTriggeredAt: new Date(w.clock.now()).toISOString().replace('.000Z', 'Z') });
  const crowded = (options = {}) => {
    const w = new SchedulingWorld({ m1: 20, m2: 14, m3: 14 }, options);
    w.addBinding('web', { replicas: 12, current: { m2: 6, m3: 6 }, scheduled: scheduledBefore });
    return w;
  };

  it('moves what a change alone would not', async () => {
    const w = crowded();
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m2: 6, m3: 6 });
    triggered(w);
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m1: 4, m2: 4, m3: 4 });
  });

  it('is scheduled once, however many events report it, and while resync runs', async () => {
    const w = crowded();
    await w.pass(5);
    triggered(w);
    for (let again = 0; again < 5; again += 1) await w.publishBinding(w.stored('web').metadata);
    await w.resync();
    await w.pass(5);
    const after = w.lastScheduled('web');
    await w.publishBinding(w.stored('web').metadata);
    await w.resync();
    await w.pass(30);
    expect(w.writes('web').spec).toBe(1);
    expect([w.assigned('web'), w.lastScheduled('web')]).toEqual([{ m1: 4, m2: 4, m3: 4 }, after]);
  });

  it('is acted on once where an event comes with each of our own writes', async () => {
    const w = crowded();
    await w.pass(5);
    w.store.onChange(({ plural, object }) => {
      if (plural === 'resourcebindings') void w.publishBinding(object.metadata);
    });
    triggered(w);
    await w.pass(30);
    expect([w.assigned('web'), w.scheduled('web')]).toEqual([{ m1: 4, m2: 4, m3: 4 }, 'True Success']);
  });

  it('has the term of clusterAffinities that it used noted too, where the process ends between the two writes', async () => {
    const w = new SchedulingWorld({ near: 20, far: 20 });
    const term = (name: string) => ({ affinityName: name, clusterNames: [name] });
    const placement = { clusterAffinities: [term('near'), term('far')], replicaScheduling: DYNAMIC };
    const status = { schedulerObservingAffinityName: 'far' };
    w.addBinding('web', { placement, current: { far: 10 }, scheduled: { ...scheduledBefore, placement }, status });
    await w.pass(5);
    let once = true;
    w.hub.interference.before = ({ verb, subresource }) => {
      if (verb !== 'patch' || subresource !== 'status' || !once) return;
      once = false;
      throw passing();
    };
    triggered(w);
    await w.pass(60);
    const { schedulerObservingAffinityName: used } = w.stored('web').status ?? {};
    expect([w.assigned('web'), used]).toEqual([{ near: 10 }, 'near']);
  });

  it('of our own rebalancer is scheduled though the hook does not report our writes', async () => {
    const w = crowded({ hook: false });
    w.create('demo', [deployment('web')]);
    await w.publishRebalancer('demo');
    await w.pass(20);
    expect(w.results('demo')).toEqual(['Deployment shop/web=Successful']);
    expect(w.assigned('web')).toEqual({ m1: 4, m2: 4, m3: 4 });
    expect(w.lastScheduled('web')).toBeGreaterThanOrEqual(w.binding(deployment('web')).trigger ?? Number.NaN);
  });

  it('is acted on once, and noted, where the process ends between the two writes', async () => {
    const w = crowded();
    await w.pass(5);
    let once = true;
    w.hub.interference.before = ({ verb, subresource }) => {
      if (verb !== 'patch' || subresource !== 'status' || !once) return;
      once = false;
      throw passing();
    };
    triggered(w);
    await w.pass(60);
    expect([w.assigned('web'), w.scheduled('web')]).toEqual([{ m1: 4, m2: 4, m3: 4 }, 'True Success']);
    expect(w.lastScheduled('web')).toBeGreaterThanOrEqual(at(5));
  });
});

describe('Events', () => {
  const events = (w: SchedulingWorld) =>
    w.store.list('events').map((event) => {
      const { type, reason, message, involvedObject } = event as unknown as {
        type: string;
        reason: string;
        message: string;
        involvedObject: { kind: string; name: string };
      };
      return `${involvedObject.kind} ${involvedObject.name}: ${type} ${reason}: ${message}`;
    });

  it('of an assignment are on the binding and its workload, as those of karmada-scheduler', async () => {
    const w = new SchedulingWorld({ m1: 20, m2: 20 });
    w.addBinding('web', { replicas: 4 });
    await w.pass(5);
    const text = 'Normal ScheduleBindingSucceed: Binding has been scheduled successfully. Result: {m1:2, m2:2}';
    expect(events(w).sort()).toEqual([`Deployment web: ${text}`, `ResourceBinding web-deployment: ${text}`]);
    await w.publishBinding(w.stored('web').metadata);
    await w.pass(5);
    expect(events(w)).toHaveLength(2);
  });

  it('of a binding that can not be scheduled are written once', async () => {
    const w = new SchedulingWorld({ m1: 2 });
    w.addBinding('web', { replicas: 4 });
    await w.pass(5);
    await w.resync();
    await w.pass(5);
    const text = 'Warning ScheduleBindingFailed: Clusters available replicas 2 are not enough to schedule.';
    expect(events(w).sort()).toEqual([`Deployment web: ${text}`, `ResourceBinding web-deployment: ${text}`]);
  });

  it('that can not be written are logged, and stop nothing', async () => {
    const w = new SchedulingWorld({ m1: 20 });
    const unwritten: unknown[] = [];
    w.telemetry.listen((_, fields) => fields.unwritten !== undefined && unwritten.push(fields.unwritten));
    w.hub.interference.before = ({ plural }) => {
      if (plural === 'events') throw new Fault('terminal', 'events is forbidden', { reason: 'Forbidden' });
    };
    w.addBinding('web', { replicas: 4 });
    await w.pass(5);
    expect([w.scheduled('web'), unwritten]).toEqual(['True Success', ['events is forbidden']]);
  });
});

describe('who writes in between', () => {
  it('is read before anything is decided: the binding grew under the write', async () => {
    const w = new SchedulingWorld(capacities, { hook: false });
    w.addBinding('web');
    let once = true;
    w.hub.interference.before = ({ verb }) => {
      if (verb !== 'patch' || !once) return;
      once = false;
      w.editBinding('web', { replicas: 12 });
    };
    await w.publishBinding(w.stored('web').metadata);
    await w.pass(60);
    expect([w.assigned('web'), w.scheduled('web')]).toEqual([{ m1: 4, m2: 4, m3: 4 }, 'True Success']);
    expect(w.deadLetters).toEqual([]);
  });

  it('may take the binding away: then nothing is left to do', async () => {
    const w = new SchedulingWorld(capacities);
    w.addBinding('web');
    w.hub.interference.before = ({ verb }) => {
      if (verb !== 'patch') return;
      w.hub.interference = {};
      w.store.delete(
        'resourcebindings',
        { namespace: 'shop', name: 'web-deployment' },
        { username: 'x', manager: 'x' },
      );
    };
    await w.pass(60);
    expect(w.deadLetters).toEqual([]);
  });

  it('may be a hub that goes away and comes back', async () => {
    const w = new SchedulingWorld(capacities);
    w.hub.interference.before = () => {
      if (w.clock.now() < at(20)) throw passing();
    };
    w.addBinding('web');
    await w.pass(120);
    expect(w.assigned('web')).toEqual({ m1: 4, m2: 3, m3: 3 });
  });
});

describe("another scheduler's binding", () => {
  it.each([
    ['that names no scheduler', { schedulerName: '' }],
    ['that names another scheduler', { schedulerName: 'other' }],
    ['whose scheduling is suspended', { suspension: { scheduling: true } }],
  ])('%s is never written, by event or by resync', async (_, spec) => {
    const w = new SchedulingWorld(capacities, { scheduler: false });
    w.addBinding('web', { spec });
    const before = JSON.stringify(w.stored('web'));
    await w.publishBinding(w.stored('web').metadata);
    await w.resync();
    await w.pass(60);
    expect(JSON.stringify(w.stored('web'))).toBe(before);
    expect(w.writes('web')).toEqual({ spec: 0, status: 0 });
  });
});

describe('too little capacity', () => {
  it('changes nothing and reports it, until there is capacity and resync finds the binding', async () => {
    const w = new SchedulingWorld({ m1: 4, m2: 4 });
    w.addBinding('web', { replicas: 6, placement: { replicaScheduling: AGGREGATED } });
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m1: 3, m2: 3 });
    w.editBinding('web', { replicas: 30 });
    await w.pass(5);
    expect([w.assigned('web'), w.scheduled('web')]).toEqual([{ m1: 3, m2: 3 }, 'False Unschedulable']);
    const writes = w.writes('web');
    await w.resync();
    await w.pass(5);
    expect(w.writes('web')).toEqual(writes);
    w.setCapacity('m1', 40);
    await w.resync();
    await w.pass(5);
    expect([w.assigned('web'), w.scheduled('web')]).toEqual([{ m1: 27, m2: 3 }, 'True Success']);
  });
});
