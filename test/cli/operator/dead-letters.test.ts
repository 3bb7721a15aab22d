import { describe, expect, it } from 'vitest';
import { deployment } from '../../builders.ts';
import { passing } from '../../fakes/store-hub.ts';
import { World } from '../../fakes/world.ts';
import { commandOnWorld } from './command-on-world.ts';

let world: World;
const evenkeel = commandOnWorld(async () => {
  world = new World();
  world.bind([deployment('a')]);
  world.hub.interference.before = () => {
    throw passing();
  };
  world.create('demo', [deployment('a')]);
  await world.pass(600);
  return world;
});

describe('evenkeel dlq', () => {
  it('lists dead-letter messages with their reason, shows one, and redrives it', async () => {
    const [head = '', row = '', ...more] = (await evenkeel('dlq', 'list')).trimEnd().split('\n');
    expect(more).toEqual([]);
    expect(head.split(/  +/)).toEqual(['ID', 'QUEUE', 'EVENT', 'ABOUT', 'REASON', 'ERROR']);
    const [id = '', ...cells] = row.split(/  +/);
    expect(cells.slice(0, 4)).toEqual([
      'plan-rebalance',
      'WorkloadRebalancerChanged',
      'karmada/demo',
      'HubUnreachable',
    ]);
    expect(JSON.parse(await evenkeel('dlq', 'show', id))).toMatchObject({
      queue: 'plan-rebalance',
      detail: { name: 'demo' },
    });
    world.hub.interference = {};
    expect(await evenkeel('dlq', 'redrive', id)).toBe('1 dead letter will be delivered again.\n');
    await world.pass(30);
    expect(world.results('demo')).toEqual(['Deployment shop/a=Successful']);
    expect(await evenkeel('dlq', 'list')).toBe('No dead letters found.\n');
    expect(await evenkeel('dlq', 'redrive', '--all')).toBe('0 dead letters will be delivered again.\n');
  });
});
