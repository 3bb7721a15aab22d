/** `evenkeel diff` on a hub whose changes are recorded: the replicas of a task and of a run before and after. */
import { describe, expect, it, vi } from 'vitest';
import { isRunName, type NamedDiff, printedDiff } from '../../../cli/diff/print-diff.ts';
import { main } from '../../../cli/main.ts';
import type { WorkloadDiff } from '../../../shared/console-api/operations/diffs.ts';
import { deployment } from '../../builders.ts';
import { PolicyWorld, three } from '../../functions/rebalance-policy/scene.ts';
import { commandOnWorld } from './command-on-world.ts';

const MINUTE = 60;
let run = '';

/** member1 has recovered, and a policy has brought its replicas back; then a user rebalances once more. */
const evenkeel = commandOnWorld(async () => {
  const world = new PolicyWorld(three, { history: true });
  world.run('cart', 6);
  world.run('web', 12);
  await world.pass(10);
  world.policy('home', { triggers: { clusterRecovered: { stableFor: '1m' } }, strategy: { coolDown: '0s' } });
  await world.pass(10);
  world.fleet.fail('member1');
  await world.pass(MINUTE);
  world.fleet.recover('member1');
  await world.pass(3 * MINUTE);
  world.create('again', [deployment('cart'), deployment('gone')], 30);
  await world.pass(2 * MINUTE);
  run = (await world.runs('home')).at(-1)?.run ?? '';
  return world;
});

const cells = (text: string) => text.split('\n').map((line) => line.split(/ {2,}/));

describe('evenkeel diff', () => {
  it('prints the replicas of a run before and after, by workload, by cluster and together', async () => {
    const text = await evenkeel('diff', run);
    expect(text.split('\n')[0]).toMatch(/^Run \S+ of home: Finished, /);
    const lines = cells(text).slice(2);
    expect(lines[0]).toEqual(['WORKLOAD', 'OUTCOME', 'MOVES', 'REPLICAS', 'WHY']);
    expect(lines.slice(1, 3).map((line) => line.slice(0, 4))).toEqual([
      ['Deployment shop/cart', 'Moved', '2', 'member1 0→2, member2 3→2, member3 3→2'],
      ['Deployment shop/web', 'Moved', '4', 'member1 0→4, member2 6→4, member3 6→4'],
    ]);
    expect(lines.slice(4)).toEqual([
      ['CLUSTER', 'BEFORE', 'AFTER', 'CHANGE'],
      ['member1', '0', '6', '+6'],
      ['member2', '9', '6', '-3'],
      ['member3', '9', '6', '-3'],
      [''],
      ['6 replicas moved in 2 of 2 workloads.'],
      [''],
    ]);
    expect(await evenkeel('diff', `run/${run}`)).toBe(text);
  });

  it('prints a task whose WorkloadRebalancer is deleted, with the reason of each failure', async () => {
    const text = await evenkeel('diff', 'again');
    expect(text).toMatch(/^again: Finished, 1 of 2 triggered, 1 failed; its WorkloadRebalancer is deleted\n/);
    expect(text).toMatch(/Deployment shop\/cart +Unchanged +0 +member1 2, member2 2, member3 2 +the scheduler kept/);
    expect(text).toMatch(/Deployment shop\/gone +Failed +0 +- +ReferencedBindingNotFound: /);
    expect(text).toContain('\n0 replicas moved in 0 of 2 workloads; 1 unchanged, 1 failed.\n');
    expect(await evenkeel('diff', 'task/again')).toBe(text);
  });

  it('prints the answer of the API with the sums of the clusters as JSON, and the names of the workloads', async () => {
    const document = JSON.parse(await evenkeel('diff', run, '-o', 'json')) as Pick<NamedDiff, 'workloads'> & {
      readonly clusters: unknown;
    };
    expect(document.workloads.map(({ moves, source }) => [moves, source])).toEqual([
      [2, 'Recorded'],
      [4, 'Recorded'],
    ]);
    expect(document.clusters).toContainEqual({ cluster: 'member1', before: 0, after: 6 });
    expect(await evenkeel('diff', run, '-o', 'name')).toBe('deployment/shop/cart\ndeployment/shop/web\n');
  });

  it('prints only the workloads of a namespace, and reads at most --limit of them', async () => {
    expect(await evenkeel('diff', run, '-n', 'other')).toContain('It has no workloads, or none in this namespace.');
    const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await evenkeel('diff', run, '--limit', '1', '-o', 'name')).toBe('deployment/shop/cart\n');
    expect(errors).toHaveBeenCalledWith('evenkeel: the first 1 of 2 workloads; --limit shows more\n');
  });

  it.each([
    ['nothing', 'hub karmada has no rebalance nothing among its last 500'],
    ['2026-11-21T10:00:00Z-none', 'hub karmada has no run 2026-11-21T10:00:00Z-none among its last 500'],
  ])('rejects the unknown name %s', async (name, message) => {
    await expect(evenkeel('diff', name)).rejects.toThrow(message);
  });

  it('rejects a limit that is no number', async () => {
    const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await main(['node', 'evenkeel', 'diff', 'again', '--limit', '0'])).toBe(2);
    expect(errors.mock.calls.join()).toContain('It is a whole number from 1 to 10000');
    vi.restoreAllMocks();
  });
});

describe('a name', () => {
  it.each([
    ['2026-11-25T10:00:00Z-4f2a81c0', true],
    ['run/any', true],
    ['runs/any', true],
    ['rebalance-web', false],
    ['task/2026-11-25T10:00:00Z', false],
    ['2026-11-25', false],
  ])('%s is of a run: %s', (name, expected) => {
    expect(isRunName(name)).toBe(expected);
  });
});

describe('the printed diff', () => {
  it('names the remedy if nothing is recorded, and has no table of clusters', async () => {
    const counts = { generation: 1, workloads: 1, successful: 1, failed: 0 };
    const task = { name: 'home', uid: 'u', state: 'Finished' as const, updatedAt: 't', ...counts };
    const workload: WorkloadDiff = { workload: { ...deployment('web') }, outcome: 'Rescheduled', moves: 0 };
    const of: NamedDiff = { of: { task }, total: 1, unrecorded: 'turn it on', workloads: [workload] };
    expect((await printedDiff(of, 'table')).split('\n')).toEqual([
      'home: Finished, 1 of 1 triggered, 0 failed',
      '',
      'Placements are not recorded: turn it on',
      '',
      'WORKLOAD             OUTCOME      MOVES  REPLICAS  WHY',
      'Deployment shop/web  Rescheduled      0  -',
      '',
      '0 replicas moved in 0 of 1 workload; 1 rescheduled without a record.',
    ]);
  });
});
