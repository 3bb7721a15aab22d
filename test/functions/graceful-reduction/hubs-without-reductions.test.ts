/** What a resync costs a hub on which nothing is held, and one that knows no propagation policies. */
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { deployment } from '../../builders.ts';
import { World } from '../../fakes/world.ts';

const found = (world: World) => world.telemetry.counts.get('ReductionsHeld');

describe('a hub on which nothing is held', () => {
  it('is read, and its clusters are not requested', async () => {
    const world = new World();
    world.bind([deployment('a')]);
    await world.resync();
    await world.pass(60);
    expect(world.hub.calls.filter(({ plural }) => plural === 'clusters')).toEqual([]);
    expect([found(world), world.deadLetters]).toEqual([0, []]);
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
    expect([found(world), world.deadLetters]).toEqual([0, []]);
  });
});
