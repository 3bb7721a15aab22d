/** A resync lists what a hub is registered for. Changes on a hub are handled whatever it is registered for. */
import { describe, expect, it } from 'vitest';
import { PropagationPolicyChanged } from '../../../shared/bus/catalogue.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { type HubFeature, hubFeatures, resyncFeatures } from '../../../shared/kubernetes/hub-features.ts';
import { SchedulingWorld } from '../../fakes/scheduling-world.ts';
import { World } from '../../fakes/world.ts';
import { DYNAMIC } from '../../placed-objects.ts';
import { ElasticWorld } from '../elastic-workload/scene.ts';
import { GracefulWorld } from '../graceful-reduction/scene.ts';
import { PolicyWorld } from '../rebalance-policy/scene.ts';

function registeredWith<W extends World>(world: W, ...features: readonly HubFeature[]): W {
  world.hubs.uses = async (_, feature) => features.includes(feature);
  return world;
}

const listed = (world: World) => world.hub.calls.map(({ verb, plural }) => `${verb} ${plural}`).toSorted();
/** By which find-drift detects a feature that the hub is registered without. */
const probes = {
  policies: ['list rebalancepolicies'],
  elasticWorkloads: ['list elasticworkloads', 'list elasticworkloads'],
};
const reported = async (world: World) =>
  (await world.telemetry.lines({ about: [{ code: 'EK204' }], since: 0, limit: 10 })).map(({ fields }) => fields);

describe('a resync of a hub', () => {
  it('without features lists WorkloadRebalancers, and asks for one object of the kinds that show a feature', async () => {
    const world = registeredWith(new World());
    await world.resync();
    await world.pass(3600);
    expect(listed(world)).toEqual(
      [...probes.elasticWorkloads, ...probes.policies, 'list workloadrebalancers'].toSorted(),
    );
    for (const feature of resyncFeatures)
      expect(world.reasons).toContain(`the hub is registered without ${hubFeatures[feature].flag}`);
    expect(await reported(world)).toEqual([]);
  });

  it.each<[HubFeature, readonly string[]]>([
    ['scheduler', ['list clusterresourcebindings', 'list resourcebindings']],
    ['policies', ['list rebalancepolicies']],
    [
      'gracefulReduction',
      [
        'list clusterpropagationpolicies',
        'list clusterresourcebindings',
        'list propagationpolicies',
        'list resourcebindings',
      ],
    ],
    ['elasticWorkloads', ['list elasticworkloads', 'list elasticworkloads', 'list manifestworks']],
  ])('with %s alone lists its objects, and none of the other features', async (feature, lists) => {
    const world = registeredWith(new World(), feature);
    await world.resync();
    await world.pass(3600);
    const others = Object.entries(probes).flatMap(([name, calls]) => (name === feature ? [] : calls));
    expect(listed(world)).toEqual([...lists, ...others, 'list workloadrebalancers'].toSorted());
  });
});

describe('a hub whose operator forgot a feature', () => {
  it('is reported by each resync while it has an object of the feature', async () => {
    const policies = registeredWith(new PolicyWorld([], { hook: false }));
    policies.policy('failback', { triggers: { clusterRecovered: {} } });
    const elastic = registeredWith(new ElasticWorld([], { hook: false }));
    elastic.run('web', { total: 3 });
    for (const world of [policies, elastic]) {
      await world.resync();
      await world.pass(60);
    }
    expect(await reported(policies)).toEqual([
      expect.objectContaining({
        ...{ hub: 'karmada', feature: 'policies', flag: '--policies' },
        object: 'rebalancepolicies.evenkeel.dev',
      }),
    ]);
    expect((await reported(elastic)).map(({ flag }) => flag)).toEqual(['--elastic-workloads']);
  });

  it.each(['NotFound', 'Http404', 'Forbidden'])(
    'is compared although the kinds cannot be read (%s)',
    async (reason) => {
      const world = registeredWith(new World());
      world.hub.interference = {
        before({ plural }) {
          if (plural === 'rebalancepolicies' || plural === 'elasticworkloads')
            throw new Fault('retryable', 'rejected', { reason });
        },
      };
      await world.resync();
      await world.pass(60);
      const comparedAt = await world.tasks.comparedAt('karmada');
      expect(world.clock.now() - (comparedAt ?? Number.NaN)).toBeLessThanOrEqual(60_000);
      expect([await reported(world), world.deadLetters]).toEqual([[], []]);
    },
  );

  it('has a changed binding scheduled, and reported', async () => {
    const world = registeredWith(new SchedulingWorld({ m1: 20, m2: 20 }));
    world.addBinding('web', { placement: { replicaScheduling: DYNAMIC } });
    await world.pass(5);
    expect(world.assigned('web')).toEqual({ m1: 5, m2: 5 });
    expect(await reported(world)).toContainEqual(
      expect.objectContaining({ hub: 'karmada', feature: 'scheduler', object: 'shop/web-deployment' }),
    );
  });

  it('has a held reduction released, and reported', async () => {
    const world = registeredWith(new GracefulWorld());
    await world.begin();
    await world.away();
    world.editBinding({ spec: { rescheduleTriggeredAt: '2026-11-21T10:05:00Z' } });
    await world.pass(120);
    expect(world.bindingObject.spec?.gracefulEvictionTasks ?? []).toEqual([]);
    expect(world.reasons.filter((reason) => reason.includes('released'))).not.toEqual([]);
    expect(await reported(world)).toContainEqual(
      expect.objectContaining({ feature: 'gracefulReduction', object: 'shop/web-deployment' }),
    );
  });

  it('has a run of a policy completed that began by an event', async () => {
    const world = registeredWith(new PolicyWorld());
    world.run('web', 12);
    await world.pass(60);
    world.policy('failback', { triggers: { clusterRecovered: { stableFor: '1m' } } });
    world.fleet.fail('member1');
    await world.pass(60);
    world.fleet.recover('member1');
    await world.pass(180);
    expect((await world.runs('failback')).map(({ state }) => state)).toEqual(['Finished']);
  });

  it('has a running run continued by each resync, also if the feature was removed meanwhile', async () => {
    const world = new PolicyWorld();
    world.run('web', 12);
    await world.pass(60);
    world.policy('failback', { triggers: { clusterRecovered: { stableFor: '1m' } } });
    world.fleet.fail('member1');
    await world.pass(60);
    world.fleet.recover('member1');
    const isRunning = async () => (await world.runs('failback')).some(({ state }) => state === 'Running');
    while (!(await isRunning())) await world.pass(1);
    registeredWith(world);
    const continued = async () =>
      (await world.telemetry.lines({ about: [{ event: 'PolicyRunDue' }], since: 0, limit: 100 })).length;
    const before = await continued();
    const calls = world.hub.calls.length;
    await world.resync();
    await world.pass(2);
    expect(await continued()).toBe(before + 1);
    expect(listed(world).slice(calls)).not.toContain('list clusters');
  });

  it('has its bindings compared with a changed policy', async () => {
    const world = registeredWith(new World());
    await world.bus.publish([PropagationPolicyChanged.of({ hub: 'karmada', namespace: 'shop', name: 'web' })]);
    await world.resync();
    await world.pass(60);
    expect(listed(world)).toContain('list resourcebindings');
  });
});
