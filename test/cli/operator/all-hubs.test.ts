/** `evenkeel get --all-hubs`: the lists of every hub as one; a hub that cannot be read does not hide the others. */
import { describe, expect, it, vi } from 'vitest';
import { deployment } from '../../builders.ts';
import { hubRecord } from '../../fakes/hub-records.ts';
import { MemoryHubRegistry } from '../../fakes/stores/memory-hub-registry.ts';
import { World } from '../../fakes/world.ts';
import { commandOnWorld } from './command-on-world.ts';

const evenkeel = commandOnWorld(async () => {
  const world = new World();
  world.registry = new MemoryHubRegistry(hubRecord('karmada'), hubRecord('edge'));
  world.bind([deployment('a')]);
  world.create('demo', [deployment('a')], 600);
  await world.pass(30);
  return world;
});

const lines = async (...args: readonly string[]) => (await evenkeel(...args)).trimEnd().split('\n');

describe('evenkeel get --all-hubs', () => {
  it('lists the rebalances of every hub, with the hub in front', async () => {
    const [head = '', ...rows] = await lines('get', 'tasks', '--all-hubs');
    expect(head.split(/ {2,}/).slice(0, 3)).toEqual(['HUB', 'NAME', 'STATE']);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([['karmada', 'demo', 'Finished']]);
  });

  it('names each row by its hub', async () => {
    expect(await lines('get', 'tasks', '--all-hubs', '-o', 'name')).toEqual(['hub/karmada/task/demo']);
  });

  it('prints the answer of each hub as JSON', async () => {
    const { hubs } = JSON.parse(await evenkeel('get', 'tasks', '--all-hubs', '-o', 'json')) as { hubs: object[] };
    expect(hubs).toEqual([
      { hub: 'edge', tasks: [] },
      { hub: 'karmada', tasks: [expect.objectContaining({ name: 'demo' })] },
    ]);
  });

  it('names a hub that cannot be read on standard error, and lists the others', async () => {
    const errors: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => errors.push(String(text)) > 0);
    const [, ...rows] = await lines('get', 'workloads', '-A', '--all-hubs');
    expect(rows.map((row) => row.split(/ {2,}/)[0])).toEqual(['karmada']);
    expect(errors).toEqual(['hub edge: hub edge not found; this run has only karmada\n']);
  });

  it.each(['hubs', 'queues'])('is rejected for %s, which belong to the deployment', async (thing) => {
    await expect(evenkeel('get', thing, '--all-hubs')).rejects.toThrow(
      `--all-hubs: ${thing} are of the deployment; leave it out`,
    );
  });
});
