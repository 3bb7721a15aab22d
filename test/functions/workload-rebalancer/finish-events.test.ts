/** Events on a WorkloadRebalancer about its finish. */
import { describe, expect, it } from 'vitest';
import { eventsOfFinish } from '../../../functions/workload-rebalancer/report-status.ts';
import { at, chunk, deployment, failed, finishedTask, successful, task } from '../../builders.ts';
import { passing } from '../../fakes/store-hub.ts';
import { World } from '../../fakes/world.ts';

const [a, b] = [deployment('a'), deployment('b')];

function eventsOn(world: World): readonly (readonly unknown[])[] {
  return world.store.list('events', 'default').map((event) => [event.type, event.reason, event.message]);
}

async function rebalanced(world: World, ...gone: readonly string[]): Promise<void> {
  world.bind([a, b]);
  world.create('demo', [a, b, ...gone.map((name) => deployment(name))]);
  await world.pass(30);
}

describe('a finished rebalancer', () => {
  it('has one Event with its counts if no workload failed', async () => {
    const world = new World();
    await rebalanced(world);
    expect(eventsOn(world)).toEqual([['Normal', 'Finished', 'Triggered 2 of 2 workloads; 0 failed']]);
    const [event] = world.store.list('events', 'default');
    const object = world.store.get('workloadrebalancers', { namespace: '', name: 'demo' });
    expect(event?.involvedObject).toEqual({
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      name: 'demo',
      uid: object?.metadata.uid,
    });
  });

  it('has one Warning for all workloads that failed', async () => {
    const world = new World();
    await rebalanced(world, 'gone', 'lost');
    expect(eventsOn(world).toSorted()).toEqual([
      ['Normal', 'Finished', 'Triggered 2 of 4 workloads; 2 failed'],
      [
        'Warning',
        'WorkloadFailed',
        '2 of 4 workloads failed: Deployment shop/gone: ReferencedBindingNotFound; Deployment shop/lost: ReferencedBindingNotFound',
      ],
    ]);
  });

  it('has Events for each object of its name', async () => {
    const world = new World();
    await rebalanced(world);
    world.store.delete(
      'workloadrebalancers',
      { namespace: '', name: 'demo' },
      { username: 'user', manager: 'kubectl' },
    );
    await world.pass(30);
    world.create('demo', [a]);
    await world.pass(30);
    expect(eventsOn(world).map(([, , message]) => message)).toEqual(
      expect.arrayContaining(['Triggered 2 of 2 workloads; 0 failed', 'Triggered 1 of 1 workload; 0 failed']),
    );
  });

  it('finishes and is reported where no Event can be written', async () => {
    const world = new World();
    world.hub.interference.before = ({ plural }) => {
      if (plural === 'events') throw passing();
    };
    await rebalanced(world, 'gone');
    const status = world.store.get('workloadrebalancers', { namespace: '', name: 'demo' })?.status;
    expect(status).toMatchObject({ finishTime: expect.any(String) as string, observedGeneration: 1 });
    expect(eventsOn(world)).toEqual([]);
    expect(await world.answerers.query?.({ operation: 'listDeadLetters', input: {} })).toEqual({
      answer: { deadLetters: [] },
    });
  });
});

describe('the Events about a finish', () => {
  it('name five workloads, and the number of the others', () => {
    const workloads = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => failed(deployment(name)));
    const finished = finishedTask({ successful: 0, failed: 7 });
    const [, warning] = eventsOfFinish(finished, [chunk(workloads)]);
    expect(warning?.message).toMatch(
      /^7 of 7 workloads failed: Deployment shop\/a: .*Deployment shop\/e: \w+; and 2 more$/,
    );
  });

  it('are none while the task runs', () => {
    expect(eventsOfFinish(task(), [chunk([successful(a)])])).toEqual([]);
  });

  it('have the same names in a repeated delivery, and others for another generation, object or finish', () => {
    const idOf = (over: Parameters<typeof finishedTask>[0]) => eventsOfFinish(finishedTask(over), [])[0]?.id;
    expect(idOf({})).toBe(idOf({}));
    const others = [{}, { generation: 2 }, { uid: 'uid-2' }, { finishTime: at(6) }].map(idOf);
    expect(new Set(others).size).toBe(4);
  });
});
