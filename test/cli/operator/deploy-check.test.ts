import { describe, expect, it } from 'vitest';
import { deployment } from '../../builders.ts';
import { passing } from '../../fakes/store-hub.ts';
import { World } from '../../fakes/world.ts';
import { commandOnWorld } from './command-on-world.ts';

let world: World;
const evenkeel = commandOnWorld(async () => {
  world = new World();
  world.bind([deployment('a')]);
  return world;
});

describe('evenkeel deploy check', () => {
  it('finds no problem in a deployment that reaches its hub, has compared it and delivers all events', async () => {
    await world.resync();
    await world.pass(10);
    expect((await evenkeel('deploy', 'check')).trimEnd().split('\n')).toEqual([
      'ok  functions    queries are answered',
      'ok  hub karmada  it is read: 0 clusters, 0 of them not healthy, 1 workload',
      'ok  queues       nothing is undelivered in 23',
      '',
      'No problems found.',
    ]);
    expect(process.exitCode).toBe(0);
  });

  it('prints for each problem how to fix it', async () => {
    world.hub.interference.before = () => {
      throw passing();
    };
    world.create('demo', [deployment('a')]);
    await world.pass(600);
    const { findings } = JSON.parse(await evenkeel('deploy', 'check', '-o', 'json')) as { findings: readonly object[] };
    expect(findings).toMatchObject([
      { state: 'ok' },
      { state: 'fail', about: 'hub karmada', mend: expect.stringContaining('evenkeel hub add karmada') as string },
      {
        state: 'fail',
        about: 'queue plan-rebalance',
        what: '1 dead letter',
        mend: 'evenkeel dlq list --queue plan-rebalance; when its cause is gone, evenkeel dlq redrive --queue plan-rebalance',
      },
    ]);
    expect(process.exitCode).toBe(1);
  });

  it('warns about a hub that was never compared, and fails if resync has not succeeded for 3 intervals', async () => {
    expect(await evenkeel('deploy', 'check')).toContain('warn  hub karmada  it was never compared with its tasks yet');
    expect(process.exitCode).toBe(0);
    await world.resync();
    await world.pass(16 * 60);
    expect(await evenkeel('deploy', 'check')).toContain(
      'resync has not succeeded for 3 intervals, last 2026-11-21T10:00:00Z',
    );
    expect(process.exitCode).toBe(1);
  });

  it('reports a pause, which is not a failure', async () => {
    await evenkeel('pause', '--reason', 'upgrade');
    expect(await evenkeel('deploy', 'check')).toContain('→ evenkeel resume karmada');
    expect(process.exitCode).toBe(0);
  });
});
