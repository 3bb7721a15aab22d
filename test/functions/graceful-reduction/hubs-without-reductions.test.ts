/** What a resync costs a hub on which nothing is held, and one that knows no propagation policies. */
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { deployment } from '../../builders.ts';
import { World } from '../../fakes/world.ts';

const compared = (world: World) => world.reasons.filter((reason) => /^\d+ of \d+ bindings are due/.test(reason));
const sent = (world: World) => [...world.telemetry.counts.keys()].filter((metric) => metric.startsWith('Reductions'));

describe('a hub on which nothing is held', () => {
  it('is read, and its clusters are listed once, for the taints of drains', async () => {
    const world = new World();
    world.bind([deployment('a')]);
    await world.resync();
    await world.pass(60);
    const ofClusters = world.hub.calls.filter(({ plural }) => plural === 'clusters');
    expect(ofClusters.map(({ verb }) => verb)).toEqual(['list']);
    expect([compared(world), world.deadLetters]).toEqual([['0 of 1 bindings are due'], []]);
  });

  it('sends no metric, which would cost as much as one with a value', async () => {
    const world = new World();
    world.bind([deployment('a')]);
    await world.resync();
    await world.pass(60);
    expect(compared(world)).toHaveLength(1);
    expect(sent(world)).toEqual([]);
  });

  it.each(['NotFound', 'Http404'])('may know no propagation policies (%s)', async (reason) => {
    const world = new World();
    world.hub.interference = {
      before({ plural }) {
        if (plural.endsWith('propagationpolicies')) throw new Fault('retryable', 'not served', { reason });
      },
    };
    await world.resync();
    await world.pass(3600);
    expect([compared(world), world.deadLetters]).toEqual([['0 of 0 bindings are due'], []]);
  });
});
