/** `evenkeel decisions --policy` on a real table protocol. */
import { describe, expect, it } from 'vitest';
import type { RunRecord, WorkloadDecision } from '../../shared/model/rebalance-policy/policy-run.ts';
import { at, deployment } from '../builders.ts';
import { commandOnTable } from './command-on-table.ts';

const later = at(1e6);
const first = '2026-11-21T10:00:00Z-aaaaaaaa';
const second = '2026-11-21T11:00:00Z-bbbbbbbb';
const third = '2026-11-21T12:00:00Z-cccccccc';

const record = (run: Partial<RunRecord['run']>, over: Partial<RunRecord> = {}): RunRecord => ({
  hub: 'karmada',
  uid: 'uid-failback',
  name: 'failback',
  ...over,
  run: {
    run: first,
    triggers: [{ type: 'ClusterRecovered', cluster: 'member1', uid: 'uid-1', at: at(-300) }],
    state: 'Finished',
    message: '9 replicas moved in 2 waves',
    startedAt: at(0),
    finishedAt: at(95),
    waves: 2,
    wavesDone: 2,
    notBefore: at(0),
    workloads: 2,
    moved: 9,
    skipped: 1,
    ...run,
  },
});

const decided = (name: string, over: Partial<WorkloadDecision> = {}): WorkloadDecision => ({
  workload: deployment(name),
  binding: { namespace: 'shop', name: `${name}-deployment` },
  why: 'member1 recovered and would get 5',
  current: { member2: 6, member3: 6 },
  next: { member1: 5, member2: 4, member3: 3 },
  moves: 5,
  ...over,
});

const evenkeel = commandOnTable(['decisions', '--hub', 'karmada', '--table', 'evenkeel'], async (table) => {
  const { policies } = table;
  const underWay = {
    run: second,
    triggers: [{ type: 'Schedule', at: at(3600) }, { type: 'CapacityFreed' }],
    state: 'Running',
    message: 'wave 1 of 2 is in flight',
    startedAt: at(3600),
    wavesDone: 0,
    moved: 0,
    inFlight: { rebalancer: 'failback-bbbbbbbb-1', startedAt: at(3601), readyBy: at(4201) },
  } as const;
  const { finishedAt: _, ...running } = record(underWay).run;
  await policies.recordRun('karmada', record({}), later);
  await policies.recordRun('karmada', { ...record({}), run: running }, later);
  await policies.recordRun(
    'karmada',
    record({ run: third, state: 'Cancelled' }, { uid: 'uid-b', name: 'deleted' }),
    later,
  );
  const rows = { hub: 'karmada', uid: 'uid-failback' };
  const moved = { outcome: 'Moved', reason: 'all 12 are ready' } as const;
  const skipped = { outcome: 'Skipped', reason: 'its scheduling is suspended', moves: 0 } as const;
  const stays = { current: { member2: 6 }, next: { member2: 6 } };
  for (const run of [first, second])
    await policies.writeSkipped(
      { ...rows, run, number: 0, workloads: [decided('api', { ...skipped, ...stays })] },
      later,
    );
  await policies.writeWave({ ...rows, run: first, number: 0, workloads: [decided('web', moved)] }, 1, later);
  const batch = decided('batch', { ...moved, workload: deployment('batch', 'jobs'), moves: 4 });
  await policies.writeWave({ ...rows, run: first, number: 1, workloads: [batch] }, 1, later);
  await policies.writeWave(
    { ...rows, run: second, number: 0, workloads: [decided('web', { outcome: 'Moving' })] },
    1,
    later,
  );
  await policies.writeWave({ ...rows, run: second, number: 1, workloads: [decided('cart')] }, 1, later);
  const cancelled = { ...rows, uid: 'uid-b', run: third, number: 0, workloads: [decided('cart')] };
  await policies.writeWave(cancelled, 1, later);
});

describe('evenkeel decisions --policy', () => {
  it('tells the runs of the policy and of no other, newest first', async () => {
    expect((await evenkeel('--policy', 'failback')).split('\n')).toEqual([
      'TIME                  STATE     WAVES  WORKLOADS  MOVED  SKIPPED  SET OFF BY                RUN                            MESSAGE',
      '2026-11-21T11:00:00Z  Running     0/2          2      0        1  Schedule, CapacityFreed   2026-11-21T11:00:00Z-bbbbbbbb  wave 1 of 2 is in flight',
      '2026-11-21T10:00:00Z  Finished    2/2          2      9        1  ClusterRecovered member1  2026-11-21T10:00:00Z-aaaaaaaa  9 replicas moved in 2 waves',
      '',
    ]);
  });

  it('tells as many runs of the policy as are asked for, however many the others made since', async () => {
    const { runs } = JSON.parse(await evenkeel('--policy', 'failback', '--limit', '1', '-o', 'json')) as {
      runs: readonly object[];
    };
    expect(runs).toEqual([
      {
        run: second,
        triggers: [{ type: 'Schedule', at: '2026-11-21T11:00:00Z' }, { type: 'CapacityFreed' }],
        state: 'Running',
        message: 'wave 1 of 2 is in flight',
        startedAt: '2026-11-21T11:00:00Z',
        waves: 2,
        wavesDone: 0,
        inFlight: {
          rebalancer: 'failback-bbbbbbbb-1',
          startedAt: '2026-11-21T11:00:01Z',
          readyBy: '2026-11-21T11:10:01Z',
        },
        workloads: 2,
        moved: 0,
        skipped: 1,
      },
    ]);
  });

  it('tells what one run decided, wave by wave, and whom it left alone', async () => {
    expect((await evenkeel('--policy', 'failback', '--run', first)).split('\n')).toEqual([
      `Run ${first} of RebalancePolicy failback, set off by ClusterRecovered member1: Finished, 9 replicas moved in 2 waves`,
      '',
      'WAVE  WORKLOAD               OUTCOME  MOVES  REPLICAS                               REASON',
      '   1  Deployment shop/web    Moved        5  member1 0→5, member2 6→4, member3 6→3  all 12 are ready',
      '   2  Deployment jobs/batch  Moved        4  member1 0→5, member2 6→4, member3 6→3  all 12 are ready',
      '   -  Deployment shop/api    Skipped      0  stays: member2 6                       its scheduling is suspended',
      '',
    ]);
  });

  it('tells of one namespace only where it is asked so, as YAML', async () => {
    const text = await evenkeel('--policy', 'failback', '--run', first, '-n', 'jobs', '-o', 'yaml');
    expect(text.slice(text.indexOf('decisions:')).split('\n').slice(0, 7)).toEqual([
      'decisions:',
      '  - wave: 2',
      '    workload:',
      '      apiVersion: apps/v1',
      '      kind: Deployment',
      '      namespace: jobs',
      '      name: batch',
    ]);
    expect(text.match(/outcome: \w+/g)).toEqual(['outcome: Moved']);
  });

  it('says of a wave that has not come that it waits, and of one that will not come that it never began', async () => {
    const outcomes = async (policy: string, run: string) => {
      const { decisions } = JSON.parse(await evenkeel('--policy', policy, '--run', run, '-o', 'json')) as {
        decisions: readonly { workload: { name: string }; outcome: string }[];
      };
      return decisions.map(({ workload, outcome }) => `${workload.name} ${outcome}`);
    };
    expect(await outcomes('failback', second)).toEqual(['web Moving', 'cart Waiting', 'api Skipped']);
    expect(await outcomes('deleted', third)).toEqual(['cart NotBegun']);
  });

  it('says so where the policy has made no run', async () => {
    expect(await evenkeel('--policy', 'nobody')).toBe(
      'RebalancePolicy nobody has made no run on hub karmada, as far as its history goes.\n',
    );
  });

  it.each([
    [
      ['--policy', 'failback', '--run', 'last'],
      `--run last: RebalancePolicy failback on hub karmada has no such run; its latest is ${second}; without --run they are all told`,
    ],
    [
      ['--policy', 'nobody', '--run', first],
      `--run ${first}: RebalancePolicy nobody on hub karmada has no such run; it has none`,
    ],
    [['--run', 'last'], '--run last goes with --policy; name the RebalancePolicy too'],
  ])('refuses %j with the way out', async (args, message) => {
    await expect(evenkeel(...args)).rejects.toEqual(expect.objectContaining({ message }));
  });
});
