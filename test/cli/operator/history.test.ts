/** `evenkeel history` on a hub whose changes are recorded. */
import { describe, expect, it } from 'vitest';
import { bindingsNamed, timeSince } from '../../../cli/history/choose-history.ts';
import { clusterRows, placementRows } from '../../../cli/history/print-history.ts';
import { printed } from '../../../cli/operator/printed-rows.ts';
import type { RecordedPlacement } from '../../../shared/console-api/operations/history.ts';
import { at, deployment } from '../../builders.ts';
import { World } from '../../fakes/world.ts';
import { commandOnWorld } from './command-on-world.ts';

const scheduler = { username: 'karmada-scheduler', manager: 'karmada-scheduler' };
const key = { namespace: 'shop', name: 'web-deployment' };

const evenkeel = commandOnWorld(async () => {
  const world = new World({ history: true });
  // The command's --since is by the real time, the world's is virtual.
  world.clocks.own = (Date.now() - world.clock.now()) / 1000;
  world.clocks.hub = world.clocks.own;
  world.bind([deployment('web')]);
  for (const clusters of [[{ name: 'm1', replicas: 2 }], [{ name: 'm2', replicas: 2 }]]) {
    world.store.patch('resourcebindings', key, { type: 'merge', body: { spec: { clusters } } }, scheduler);
    await world.pass(3);
  }
  return world;
});

describe('evenkeel history workload', () => {
  it('prints each change with its cause, newest first', async () => {
    const lines = (await evenkeel('history', 'workload', 'web', '-n', 'shop')).trimEnd().split('\n');
    expect(lines[0]?.split(/ {2,}/)).toEqual(['TIME', 'REPLICAS', 'READY', 'CHANGE', 'CAUSE']);
    expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['2', '0/2', 'm1 2→0, m2 0→2', 'Scheduler karmada-scheduler (m1 is Gone)'],
      ['2', '0/2', 'm1 2', 'Created'],
    ]);
  });

  it('prints the answer of the API with -o json', async () => {
    const text = await evenkeel('history', 'workload', 'deployment/shop/web', '-o', 'json', '--since', '1h');
    const { placements } = JSON.parse(text) as { placements: readonly RecordedPlacement[] };
    expect(placements.map(({ assigned }) => assigned)).toEqual([{ m2: 2 }, { m1: 2 }]);
  });

  it('is the same as evenkeel get history', async () => {
    expect(await evenkeel('get', 'history', 'deploy/web', '-n', 'shop')).toBe(
      await evenkeel('history', 'workload', 'deploy/web', '-n', 'shop'),
    );
  });

  it('names the bindings that it tried if nothing is recorded', async () => {
    expect(await evenkeel('history', 'workload', 'deployment/shop/other')).toMatch(
      /^Nothing is recorded of shop\/other-deployment, \/other-deployment since 2\S+Z\. Changes are recorded from when the hub has --history\.\n$/,
    );
  });
});

describe('evenkeel history cluster', () => {
  it('prints what moved to and from the cluster', async () => {
    const lines = (await evenkeel('history', 'cluster', 'm1')).trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['OBJECT', 'CHANGE', 'CAUSE'],
      ['Deployment shop/web', '2→0', 'Scheduler karmada-scheduler (m1 is Gone)'],
      ['Deployment shop/web', '0→2', 'Created'],
    ]);
  });
});

describe('the printed history', () => {
  const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
  const row = (second: number, over: Partial<RecordedPlacement>): RecordedPlacement => ({
    ...{
      at: `2026-11-22T08:00:0${second}Z`,
      uid: 'u',
      workload,
      total: 4,
      assigned: { m1: 4 },
      ready: {},
      gone: false,
    },
    ...over,
  });

  it('has ready replicas, unknown earlier placements and deletions in words', async () => {
    const placements = [
      row(3, { gone: true, total: 0, assigned: {}, cause: { by: 'Deleted' } }),
      row(2, { ready: { m1: 3 } }),
      row(1, { cause: { by: 'FirstRecord' } }),
    ];
    const lines = (await printed(placementRows({ placements }, 'none'), 'table')).split('\n');
    expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(1))).toEqual([
      ['0', '0/0', 'deleted', 'Deleted'],
      ['4', '3/4', 'ready: m1 0→3'],
      ['4', '0/4', 'm1 4', 'FirstRecord'],
    ]);
  });

  it('has the states of a cluster among the moves, by time', async () => {
    const states = [
      { at: '2026-11-22T08:00:02Z', state: 'NotReady' as const, taints: ['t:NoExecute'], why: 'Broken: no answer' },
    ];
    const before = { at: '2026-11-21T08:00:00Z', state: 'Ready' as const, taints: [] };
    const binding = { namespace: 'shop', name: 'web-deployment' };
    const moves = [3, 1].map((second) => ({
      at: `2026-11-22T08:00:0${second}Z`,
      binding,
      workload,
      from: 4,
      to: second,
    }));
    const lines = (await printed(clusterRows('m1', { before, states, moves }, 'none'), 'table')).split('\n');
    expect(lines.slice(1).map((line) => line.split(/ {2,}/).slice(1, 3))).toEqual([
      ['Deployment shop/web', '4→3'],
      ['cluster m1', 'Ready→NotReady'],
      ['Deployment shop/web', '4→1'],
    ]);
  });
});

describe('the arguments', () => {
  it.each([
    ['web', 'shop', { namespace: 'shop', name: 'web-deployment' }],
    ['sts/db', 'shop', { namespace: 'shop', name: 'db-statefulset' }],
    ['deployment/shop/web', undefined, { namespace: 'shop', name: 'web-deployment' }],
    ['web', undefined, { namespace: 'default', name: 'web-deployment' }],
  ])('%s in namespace %s is most likely the binding %j', (name, namespace, binding) => {
    expect(bindingsNamed(name, namespace)[0]).toEqual(binding);
  });

  it('may name the binding itself', () => {
    expect(bindingsNamed('web-deployment', 'shop')).toContainEqual(key);
  });

  it.each([
    ['30m', '2026-11-21T09:30:00Z'],
    ['7d', '2026-11-14T10:00:00Z'],
    ['2026-11-20T00:00:00Z', '2026-11-20T00:00:00Z'],
  ])('--since %s is %s', (text, time) => {
    expect(timeSince(text, at(0))).toBe(time);
  });

  it.each(['yesterday', '5x', '2027-01-01T00:00:00Z'])('rejects --since %s with the forms to write', (text) => {
    expect(() => timeSince(text, at(0))).toThrow(/^--since \S+ is .*; write 30m, 24h or 7d, or a time like/);
  });
});
