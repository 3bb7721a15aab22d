/** The API server's clock, the scheduler's and ours: each may be an hour from the others, and may be set back. */
import { describe, expect, it } from 'vitest';
import { at, clusterRole, deployment } from '../../builders.ts';
import { type Clocks, World } from '../../fakes/world.ts';

const a = deployment('a');
const HOUR = 3600;
const user = { username: 'a-user', manager: 'a-user' };

describe('rebalancers on a hub whose clocks are apart', () => {
  it.each<[string, Partial<Clocks>]>([
    ['the scheduler is 10 s ahead', { scheduler: 10 }],
    ['the scheduler is 10 s behind', { scheduler: -10 }],
    ['the scheduler is an hour ahead', { scheduler: HOUR }],
    ['the scheduler is an hour behind', { scheduler: -HOUR }],
    ['our clock is an hour ahead', { own: HOUR }],
    ['our clock is an hour behind', { own: -HOUR }],
    ['the API server is an hour ahead', { hub: HOUR }],
  ])('each has a fresh pass after its creation: %s', async (_, clocks) => {
    const w = new World({ clocks });
    w.bind([a]);
    for (let i = 0; i < 20; i++) {
      const before = w.fresh.length;
      w.create(`r${i}`, [a]);
      await w.pass(5);
      expect(w.results(`r${i}`)).toEqual(['Deployment shop/a=Successful']);
      expect(w.fresh.slice(before)).toEqual(['a-deployment']);
    }
  });

  it.each([10, -10])('the last of 20 in a hurry has one too: the scheduler is %i s ahead', async (scheduler) => {
    const w = new World({ clocks: { scheduler } });
    w.bind([a]);
    for (let i = 0; i < 19; i++) {
      w.create(`r${i}`, [a]);
      await w.pass(0.3);
    }
    const before = w.fresh.length;
    w.create('last', [a]);
    await w.pass(60);
    expect(w.fresh.length).toBeGreaterThan(before);
    expect(w.results('last')).toEqual(['Deployment shop/a=Successful']);
  });

  it('a trigger that is held for a second of the scheduler’s clock has its message delivered again for that reason', async () => {
    const w = new World({ clocks: { scheduler: 10 } });
    w.bind([a]);
    for (let i = 0; i < 5; i++) {
      w.create(`r${i}`, [a]);
      await w.pass(0.3);
    }
    await w.pass(60);
    const again = await w.telemetry.lines({ about: [{ code: 'EK001' }], since: 0, limit: 100 });
    const error = "1 trigger held for a second of the scheduler's clock";
    const reported = again.map(({ fields }) => [fields.reason, fields.retryClass, fields.error]);
    expect(reported.length).toBeGreaterThan(0);
    expect(reported).toEqual(reported.map(() => ['TriggerHeld', 'limited', error]));
  });

  it('one that is created after the hub was set back an hour is not taken for done by the trigger of before', async () => {
    const w = new World();
    w.bind([a]);
    w.create('before', [a]);
    await w.pass(30);
    const [trigger = 0] = [w.binding(a).trigger];
    w.clocks.hub = w.clocks.scheduler = w.clocks.own = -HOUR;
    w.create('after', [a]);
    await w.pass(30);
    expect(w.results('after')).toEqual(['Deployment shop/a=Successful']);
    expect(w.fresh).toEqual(['a-deployment', 'a-deployment']);
    expect(w.binding(a).trigger).toBeGreaterThan(trigger);
  });

  it('an earlier request that comes late leaves the trigger of a later one, whatever its time', async () => {
    const w = new World({ hook: false });
    w.bind([a]);
    w.create('earlier', [a]);
    w.clocks.hub = -HOUR;
    w.create('later', [a]);
    await w.publishRebalancer('later');
    await w.pass(5);
    await w.publishRebalancer('earlier');
    await w.pass(30);
    expect(w.results('earlier')).toEqual(['Deployment shop/a=Successful']);
    expect(w.fresh).toEqual(['a-deployment']);
  });

  it.each([HOUR, -HOUR])('is confirmed by what the scheduler observed: its clock is %i s ahead', async (scheduler) => {
    const w = new World({ clocks: { scheduler }, scheduler: false });
    w.bind([a]);
    w.create('demo', [a]);
    await w.pass(20);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({ state: 'Waiting', confirmed: 0 });
    w.scheduleNow(a);
    await w.pass(60);
    expect((await w.task('demo'))?.rescheduling).toMatchObject({ state: 'Confirmed', confirmed: 1 });
  });
});

describe('a client that compares the trigger with the creation of the rebalancer', () => {
  const role = clusterRole('reader');

  it.each([
    ["of a ClusterRole's binding", role, 'no replicas'],
    ['of a Duplicated Deployment', a, 'duplicated'],
  ] as const)('sees them equal, although it was scheduled in that second: %s', async (_, workload, spec) => {
    const w = new World();
    w.bind([workload], 0, spec);
    w.create('demo', [workload]);
    await w.pass(5);
    expect(w.binding(workload).trigger).toBe(at(0));
    expect(w.fresh).toHaveLength(1);
    w.create('of-the-same-second-as-none', [workload]);
    await w.pass(5);
    expect(w.binding(workload).trigger).toBe(at(5));
    expect(w.fresh).toHaveLength(2);
  });

  it('sees a second one of that second a second later: it is another change, so it is scheduled', async () => {
    const w = new World();
    w.bind([role], 0);
    w.create('first', [role]);
    await w.pass(0.3);
    w.create('second', [role]);
    await w.pass(5);
    expect(w.binding(role).trigger).toBe(at(1));
    expect(w.fresh).toHaveLength(2);
  });

  it.each(['dynamic', 'static'] as const)(
    'finds the requested time in an annotation where it would have been ignored: %s weights',
    async (spec) => {
      const w = new World();
      w.bind([a], 0, spec);
      w.create('demo', [a]);
      await w.pass(5);
      expect(w.binding(a).trigger).toBe(at(1));
      expect(w.fresh).toHaveLength(1);
      const key = { namespace: 'shop', name: 'a-deployment' };
      expect(w.store.get('resourcebindings', key)?.metadata.annotations?.['evenkeel.dev/requested-at']).toBe(
        '2026-11-21T10:00:00Z',
      );
    },
  );
});

describe('a scheduler that has the binding in hand', () => {
  it('does not pass for having acted: a pass that began before the trigger ends after it', async () => {
    const w = new World({ scheduler: false });
    w.bind([a]);
    const key = { namespace: 'shop', name: 'a-deployment' };
    const scale = { type: 'merge', body: { spec: { replicas: 3 } } } as const;
    const { generation } = w.store.patch('resourcebindings', key, scale, user).metadata;
    w.create('demo', [a]);
    w.clock.after(900, () => {
      // Steady, by what it read before; then it takes up the next change.
      w.scheduler = true;
      const status = { lastScheduledTime: '2026-11-21T10:00:00Z', schedulerObservedGeneration: generation };
      w.store.patch('resourcebindings', key, { type: 'merge', body: { status }, subresource: 'status' }, user);
    });
    await w.pass(30);
    expect(w.fresh).toEqual(['a-deployment']);
  });
});
