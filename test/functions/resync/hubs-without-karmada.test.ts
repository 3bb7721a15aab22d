/** A hub of Open Cluster Management serves none of Karmada's kinds: functions that compare it find nothing to do, and report it. */
import { describe, expect, it } from 'vitest';
import { DeschedulingDue } from '../../../shared/bus/catalogue.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { World } from '../../fakes/world.ts';

const KARMADA = [
  'workloadrebalancers',
  'resourcebindings',
  'clusterresourcebindings',
  'propagationpolicies',
  'clusterpropagationpolicies',
  'rebalancepolicies',
  'clusters',
];

function hubWithout(plurals: readonly string[], fault: Fault): World {
  const world = new World();
  world.hub.interference = {
    before({ plural }) {
      if (plurals.includes(plural)) throw fault;
    },
  };
  return world;
}

describe('a hub that serves none of the kinds of Karmada', () => {
  it.each(['NotFound', 'Http404'])('is compared with one request a kind, and nothing fails (%s)', async (reason) => {
    const world = hubWithout(KARMADA, new Fault('retryable', 'the hub answered 404', { reason }));
    await world.resync();
    await world.bus.publish([DeschedulingDue.of({ hub: 'karmada' })]);
    await world.pass(3600);
    expect(world.reasons).toEqual(
      expect.arrayContaining([
        'the hub does not know WorkloadRebalancers',
        'the hub does not know RebalancePolicies',
        'the hub has no estimator',
      ]),
    );
    // The scheduler's and the reductions'.
    expect(world.reasons.filter((reason) => reason === 'the hub does not know ResourceBindings')).toHaveLength(2);
    const asked = world.hub.calls.map(({ plural }) => plural).filter((plural) => KARMADA.includes(plural));
    expect(asked.toSorted()).toEqual([
      'rebalancepolicies',
      'resourcebindings',
      'resourcebindings',
      'workloadrebalancers',
    ]);
    expect(world.deadLetters).toEqual([]);
  });

  it('is not assumed if only a list fails: the list is retried, and the failure reported', async () => {
    const fault = new Fault('terminal', 'the hub answered 401', { reason: 'Unauthorized' });
    const world = hubWithout(['workloadrebalancers', 'resourcebindings'], fault);
    await world.resync();
    await world.pass(3600);
    expect(world.deadLetters).toEqual([]);
    const expired = await world.telemetry.lines({ about: [{ code: 'EK003' }], since: 0, limit: 10 });
    expect(expired.map(({ fields }) => fields.reason)).toEqual(['Unauthorized', 'Unauthorized', 'Unauthorized']);
  });
});
