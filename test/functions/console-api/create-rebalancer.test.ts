/** What else an order for a rebalancer depends on: no hook, and what our account may do on the hub. */
import { describe, expect, it, vi } from 'vitest';
import { task } from '../../../functions/console-api/run-command.lambda.ts';
import { created, rebalancerOf } from '../../../functions/console-api/run-command.ts';
import { Fault } from '../../../shared/core/fault.ts';
import { deployment, rebalancer } from '../../builders.ts';
import { asking } from '../../fakes/ask.ts';
import { World } from '../../fakes/world.ts';

const web = deployment('web');

describe('an order for a rebalancer', () => {
  it('needs no hook to be carried out: our audit policies do not report writes of our own account', async () => {
    const world = new World({ hook: false });
    world.bind([web]);
    const { name } = await asking(world.answerers)('createRebalancer', { hub: 'karmada', workloads: [web] });
    await world.pass(10);
    expect(world.results(name)).toEqual(['Deployment shop/web=Successful']);
  });

  it('annotates the rebalancer with who gave it, for on the hub our account is the creator', async () => {
    const world = new World();
    const create = vi.spyOn(world.hub, 'create');
    await asking(world.answerers)('createRebalancer', { hub: 'karmada', workloads: [web] });
    const created = create.mock.calls.map(([, object]) => object.metadata.annotations);
    expect(created).toEqual([{ 'evenkeel.dev/requested-by': 'local:user' }]);
  });

  it('names the rebalancer by eight characters of a new id', async () => {
    const world = new World();
    const { hubs, bus } = world;
    const ports = { hubs, bus, newId: () => '0123456789abcdef', by: 'local:user' };
    const input = { hub: 'karmada', workloads: [web] };
    expect(await task.answers.createRebalancer(input, ports as never, undefined)).toMatchObject({
      name: 'rebalance-01234567',
    });
    expect(world.rebalancer('rebalance-01234567')?.spec).toMatchObject({ workloads: [web] });
  });

  it('is rejected with the remedy if the hub does not let our account create rebalancers', async () => {
    const world = new World();
    world.hub.interference = {
      before: ({ verb }) => {
        if (verb === 'create') throw new Fault('retryable', 'hub karmada answered 403', { reason: 'Forbidden' });
      },
    };
    await expect(
      asking(world.answerers)('createRebalancer', { hub: 'karmada', workloads: [web] }),
    ).rejects.toMatchObject({
      reason: 'Forbidden',
      message:
        "Evenkeel's account may not create WorkloadRebalancers on hub karmada; grant it with evenkeel hub manifests --hub karmada --create-rebalancers, or do it with kubectl",
    });
  });

  it('publishes its event only if it was created', () => {
    const object = rebalancerOf({ workloads: [web], by: 'local:user' }, 'abc');
    expect(created('karmada', object, { result: 'done', object: rebalancer() })).toMatchObject({
      answer: { name: 'demo', uid: 'uid-demo' },
      events: [{ type: 'WorkloadRebalancerChanged', detail: { hub: 'karmada', name: 'demo' } }],
    });
    expect(() => created('karmada', object, { result: 'conflict' })).toThrow(
      'rebalance-abc is there already; ask again',
    );
  });
});
