import { describe, expect, it } from 'vitest';
import { at } from '../builders.ts';
import { World } from '../fakes/world.ts';

describe('the functions of a local run', () => {
  it('move a message that is not an event to the dead letters, in each queue', async () => {
    const world = new World();
    const queues = [...world.bus.queues.values()];
    for (const queue of queues) queue.send('no event');
    await world.pass(60);
    expect(world.deadLetters.map(({ queue }) => queue).toSorted()).toEqual(queues.map(({ name }) => name).toSorted());
  });

  it('answer an API request', async () => {
    const { answerers } = new World();
    expect(await answerers.query?.({ operation: 'about' })).toMatchObject({
      answer: { now: '2026-11-21T10:00:00Z' },
    });
  });

  it('record the user of the local run as the author of a request', async () => {
    const world = new World();
    const input = { hub: 'karmada', reason: 'a rollout' };
    await world.answerers.command?.({ operation: 'pauseHub', input, by: { source: 'console', name: 'eve' } });
    expect(await world.hubs.pauseOf('karmada')).toEqual({ since: at(0), reason: 'a rollout', by: 'local:user' });
  });
});
