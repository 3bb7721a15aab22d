/** A wave is finished when its WorkloadRebalancer is, and its bindings are ready: the bindings must not be older than the rebalancer. */
import { expect, it } from 'vitest';
import type { Hub } from '../../../shared/kubernetes/hub.ts';
import { PolicyWorld } from './scene.ts';

it('waits for bindings that are rescheduled while the function reads the WorkloadRebalancer of their wave', async () => {
  const world = new PolicyWorld();
  for (const name of ['a', 'b']) world.run(name, 6);
  world.policy('home', { triggers: { clusterRecovered: { stableFor: '1m' } }, strategy: { waves: { size: 1 } } });
  await world.pass(10);
  let reads = 0;
  const get: Hub['get'] = async (resource, key) => {
    // The third read of a wave's WorkloadRebalancer: the first two create it.
    if (resource.plural === 'workloadrebalancers' && key.name.startsWith('home-') && ++reads === 3)
      await new Promise<void>((resolve) => world.clock.after(8000, resolve));
    return world.hub.get(resource, key);
  };
  world.hubs.opened(
    new Proxy(world.hub, {
      get: (hub, name) => {
        if (name === 'get') return get;
        const value = Reflect.get(hub, name, hub) as unknown;
        return typeof value === 'function' ? (value.bind(hub) as unknown) : value;
      },
    }),
  );
  world.fleet.fail('member1');
  await world.pass(60);
  world.fleet.recover('member1');
  await world.pass(600);
  expect(world.status('home')).toMatchObject({ lastRun: { state: 'Finished', moved: 4 } });
});
