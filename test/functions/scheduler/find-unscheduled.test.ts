/** Resync alone: what every lost event would have told of. */
import { describe, expect, it } from 'vitest';
import { SchedulingWorld } from '../../fakes/scheduling-world.ts';
import { DUPLICATED, DYNAMIC } from '../../placed-objects.ts';

const rooms = { m1: 20, m2: 20 };
const deaf = { hook: false };

describe('resync', () => {
  it('finds a binding that nobody told of, and its every later change', async () => {
    const w = new SchedulingWorld(rooms, deaf);
    w.addBinding('web');
    await w.resync();
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m1: 5, m2: 5 });
    w.editBinding('web', { replicas: 4 });
    await w.resync();
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m1: 2, m2: 2 });
  });

  it('has what goes everywhere follow the clusters that fit', async () => {
    const w = new SchedulingWorld(rooms, deaf);
    w.addBinding('web', { placement: { replicaScheduling: DUPLICATED } });
    await w.resync();
    await w.pass(5);
    w.addCluster('m3', { pods: 20 });
    await w.resync();
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m1: 10, m2: 10, m3: 10 });
  });

  it('looks at nothing again that holds: of a thousand settled bindings no event is said', async () => {
    const w = new SchedulingWorld(rooms, deaf);
    for (let index = 0; index < 1000; index += 1) {
      const everywhere = index % 2 === 0;
      const placement = { replicaScheduling: everywhere ? DUPLICATED : DYNAMIC };
      const current = everywhere ? { m1: 10, m2: 10 } : { m1: 4, m2: 6 };
      w.addBinding(`w${index}`, { placement, current, scheduled: { placement, at: '2026-11-21T09:00:00Z' } });
    }
    await w.resync();
    await w.pass(5);
    expect(w.reasons).toContain('0 of our 1000 bindings are to be looked at');
    expect(w.hub.calls.filter(({ verb }) => verb !== 'list')).toEqual([]);
  });

  it('of a hub where nobody names our scheduler reads no clusters', async () => {
    const w = new SchedulingWorld(rooms, { ...deaf, scheduler: false });
    w.addBinding('web', { spec: { schedulerName: '' } });
    await w.resync();
    await w.pass(5);
    expect(w.hub.calls.map(({ verb, plural }) => `${verb} ${plural}`)).not.toContain('list clusters');
    expect(w.deadLetters).toEqual([]);
  });
});
