/** Whom a change of placement or clusters concerns, and hubs that have no ElasticWorkloads. */
import { describe, expect, it } from 'vitest';
import { searchScope } from '../../../functions/elastic-workload/find-workloads.ts';
import { ManagedClusterChanged } from '../../../shared/bus/catalogue.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { ElasticWorld } from './scene.ts';

describe('a change may concern', () => {
  it('those of its namespace, where it is one of placement', () => {
    expect(searchScope({ namespace: 'shop' })).toEqual({ namespace: 'shop' });
  });

  it('finds all, for a change of clusters or of an unknown object', () => {
    expect(searchScope({})).toEqual({});
  });

  it('each of them once, however many clusters are tainted in one second', async () => {
    const world = new ElasticWorld();
    await world.pass(5);
    for (const name of ['a', 'b']) world.run(name, { total: 3 });
    await world.pass(20);
    const before = world.hub.calls.length;
    await world.bus.publish(
      Array.from({ length: 50 }, (_, i) => ManagedClusterChanged.of({ hub: 'karmada', name: `c${i}` })),
    );
    await world.pass(10);
    const calls = world.hub.calls.slice(before).map(({ verb, plural }) => `${verb} ${plural}`);
    // One of each group, and one a look for who claims the same target.
    expect(calls.filter((call) => call === 'list elasticworkloads')).toHaveLength(2 + 2 * 2);
    expect(calls.filter((call) => call === 'get elasticworkloads')).toHaveLength(2);
  });
});

describe('a hub without ElasticWorkloads', () => {
  it.each([
    ['NotFound', 'the hub does not know ElasticWorkloads'],
    [
      'Forbidden',
      'ElasticWorkloads may not be read there; where they are used, apply "evenkeel hub manifests --elastic-workloads"',
    ],
  ])('is detected by the response %s, and nothing fails', async (reason, logged) => {
    const world = new ElasticWorld();
    world.hub.interference = {
      before({ plural }) {
        if (plural === 'elasticworkloads') throw new Fault('retryable', 'rejected', { reason });
      },
    };
    await world.resync();
    await world.pass(60);
    expect(world.reasons).toContain(logged);
    expect(world.deadLetters).toEqual([]);
  });
});
