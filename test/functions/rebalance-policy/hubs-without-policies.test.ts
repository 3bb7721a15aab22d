/** Not every hub is set up for policies (`evenkeel hub manifests --policies`): on the others a look costs next to nothing. */
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import { World } from '../../fakes/world.ts';

const FORBIDDEN =
  'RebalancePolicies may not be read there; where they are used, apply "evenkeel hub manifests --policies"';

describe('a hub that is not set up for policies', () => {
  it.each([
    ['lacks the kind', 'NotFound', 'the hub does not know RebalancePolicies'],
    ['lacks the group of the kind', 'Http404', 'the hub does not know RebalancePolicies'],
    ['does not let us read them', 'Forbidden', FORBIDDEN],
  ])('because it %s gets one request per reconcile, and no other', async (_, reason, logged) => {
    const world = new World();
    world.hub.interference = {
      before({ plural }) {
        if (plural === 'rebalancepolicies') throw new Fault('retryable', 'rejected', { reason });
      },
    };
    await world.resync();
    await world.publishCluster('member1');
    await world.pass(3600);
    const asked = world.hub.calls.filter(({ plural }) => plural === 'rebalancepolicies' || plural === 'clusters');
    expect(asked).toEqual([{ verb: 'list', plural: 'rebalancepolicies', name: '' }]);
    expect(world.reasons).toContain(logged);
    expect(world.deadLetters).toEqual([]);
  });
});

describe('a hub that may use policies and has none', () => {
  it('is logged with that reason and the number of its policies', async () => {
    const world = new World();
    await world.publishCluster('member1');
    await world.pass(60);
    const lines = await world.telemetry.lines({ about: [{ event: 'ClusterChanged' }], since: 0, limit: 10 });
    expect(lines.map(({ fields }) => fields)).toMatchObject([
      { hub: 'karmada', reason: 'the hub has no RebalancePolicy', policies: 0 },
    ]);
  });
});
