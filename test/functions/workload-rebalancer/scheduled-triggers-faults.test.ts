/** Each request to the hub of a rebalance by our scheduler fails once, before it is carried out or with its response lost: the end is the same. */
import { describe, expect, it } from 'vitest';
import { deployment } from '../../builders.ts';
import { SchedulingWorld } from '../../fakes/scheduling-world.ts';
import { passing } from '../../fakes/store-hub.ts';
import { DYNAMIC } from '../../placed-objects.ts';

const names = ['a', 'b', 'c'];

/** A rebalance of three bindings that would be divided evenly now; returns the number of requests. */
async function rebalance(disturb: (w: SchedulingWorld) => void): Promise<{ w: SchedulingWorld; requests: number }> {
  const w = new SchedulingWorld({ m1: 100, m2: 94, m3: 94 }, { hook: false });
  const scheduled = { placement: { replicaScheduling: DYNAMIC }, at: '2026-11-21T09:59:00Z' };
  for (const name of names) w.addBinding(name, { replicas: 12, current: { m2: 6, m3: 6 }, scheduled });
  w.create(
    'demo',
    names.map((name) => deployment(name)),
  );
  disturb(w);
  await w.publishRebalancer('demo');
  await w.pass(120);
  return { w, requests: w.hub.calls.length };
}

function expectDone(w: SchedulingWorld): void {
  expect(w.results('demo')).toEqual(names.map((name) => `Deployment shop/${name}=Successful`));
  for (const name of names) {
    const { m1 = 0, m2 = 0, m3 = 0 } = w.assigned(name);
    expect([m1 > 2, m1 + m2 + m3, w.scheduled(name)]).toEqual([true, 12, 'True Success']);
    expect(w.lastScheduled(name)).toBeGreaterThanOrEqual(w.binding(deployment(name)).trigger ?? Number.NaN);
    // Moved once: with a trigger of its own in a write before it, at most.
    expect(w.writes(name).spec).toBeLessThanOrEqual(2);
  }
  expect(w.deadLetters).toEqual([]);
}

describe('a rebalance by our scheduler', () => {
  it.each(['before', 'after'] as const)(
    'ends the same if a request fails %s it is carried out, whichever',
    async (when) => {
      const { w, requests } = await rebalance(() => undefined);
      expectDone(w);
      expect(requests).toBeGreaterThan(10);
      for (let failing = 0; failing < requests; failing += 1) {
        const { w: disturbed } = await rebalance(({ hub }) => {
          let request = 0;
          hub.interference[when] = () => {
            request += 1;
            if (request === failing + 1) throw passing();
          };
        });
        expectDone(disturbed);
      }
    },
  );
});
