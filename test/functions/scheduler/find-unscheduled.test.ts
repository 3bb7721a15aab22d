/** Resync alone, with every event lost. */
import { describe, expect, it } from 'vitest';
import { SchedulingWorld } from '../../fakes/scheduling-world.ts';
import { DUPLICATED, DYNAMIC } from '../../placed-objects.ts';

const capacities = { m1: 20, m2: 20 };
const deaf = { hook: false };

describe('resync', () => {
  it('finds a binding without an event, and each of its later changes', async () => {
    const w = new SchedulingWorld(capacities, deaf);
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
    const w = new SchedulingWorld(capacities, deaf);
    w.addBinding('web', { placement: { replicaScheduling: DUPLICATED } });
    await w.resync();
    await w.pass(5);
    w.addCluster('m3', { pods: 20 });
    await w.resync();
    await w.pass(5);
    expect(w.assigned('web')).toEqual({ m1: 10, m2: 10, m3: 10 });
  });

  it('skips settled bindings: publishes no event for a thousand of them', async () => {
    const w = new SchedulingWorld(capacities, deaf);
    for (let index = 0; index < 1000; index += 1) {
      const everywhere = index % 2 === 0;
      const placement = { replicaScheduling: everywhere ? DUPLICATED : DYNAMIC };
      const current = everywhere ? { m1: 10, m2: 10 } : { m1: 4, m2: 6 };
      w.addBinding(`w${index}`, { placement, current, scheduled: { placement, at: '2026-11-21T09:00:00Z' } });
    }
    await w.resync();
    await w.pass(5);
    expect(w.reasons).toContain('0 of our 1000 bindings are due');
    expect(w.hub.calls.filter(({ verb }) => verb !== 'list')).toEqual([]);
  });

  it('reads no clusters of a hub where no binding names our scheduler', async () => {
    const w = new SchedulingWorld(capacities, { ...deaf, scheduler: false });
    // On a hub with drains the taints are compared at each resync.
    const uses = w.hubs.uses.bind(w.hubs);
    w.hubs.uses = async (name, feature) => feature !== 'drains' && uses(name, feature);
    w.addBinding('web', { spec: { schedulerName: '' } });
    await w.resync();
    await w.pass(5);
    expect(w.hub.calls.map(({ verb, plural }) => `${verb} ${plural}`)).not.toContain('list clusters');
    expect(w.deadLetters).toEqual([]);
  });
});
