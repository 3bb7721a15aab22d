/** The requests of a rebalance to the hub, as the deployed client sends them. */
import { expect, it } from 'vitest';
import { deployments } from '../../builders.ts';
import { slowDown } from '../../fakes/slow-hub.ts';
import { World } from '../../fakes/world.ts';

it('a rebalance of three workloads reads its object and each binding once, and writes each trigger, the status and one Event', async () => {
  const w = new World();
  const workloads = deployments(3);
  w.bind(workloads);
  const sent = slowDown(w, { latencyMs: 10 });
  w.create('demo', workloads);
  // Long before the first check of the scheduler.
  await w.pass(1);
  const bindings = workloads.map(({ name }) => `namespaces/shop/resourcebindings/${name}-deployment`);
  const requests = sent.map(
    ({ method, path }) => `${method} ${path.replace(/\?.*/, '').split('/').slice(4).join('/')}`,
  );
  expect(requests.toSorted()).toEqual(
    [
      'GET workloadrebalancers/demo',
      ...bindings.flatMap((path) => [`GET ${path}`, `PATCH ${path}`]),
      'PATCH workloadrebalancers/demo/status',
      // About its finish.
      'POST default/events',
      // For its ttl, after its finish.
      'GET workloadrebalancers/demo',
    ].toSorted(),
  );
});
