/** `evenkeel get`: the history of decisions, as tables and as JSON. */
import { describe, expect, it } from 'vitest';
import { Fault } from '../../../shared/core/fault.ts';
import type { DeschedulingDecision } from '../../../shared/descheduling/descheduling.ts';
import type { DeschedulingStore } from '../../../shared/descheduling/descheduling-store.ts';
import type { RunRecord, WorkloadDecision } from '../../../shared/rebalance-policy/policy-run.ts';
import type { PolicyStore } from '../../../shared/rebalance-policy/policy-store.ts';
import { at, deployment } from '../../builders.ts';
import { World } from '../../fakes/world.ts';
import { commandOnWorld } from './command-on-world.ts';

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

const decision = (over: Partial<DeschedulingDecision>): DeschedulingDecision => ({
  hub: 'karmada',
  run: 'run-1',
  binding: { namespace: 'shop', name: 'web-deployment' },
  decidedAt: at(0),
  resourceVersion: '7',
  clusters: [
    { name: 'member1', assigned: 5, ready: 2, unschedulable: 3, taken: 3 },
    { name: 'member2', assigned: 3, ready: 2, unusable: 'EstimatorTimeout', taken: 0 },
  ],
  next: [
    { name: 'member1', replicas: 2 },
    { name: 'member2', replicas: 3 },
  ],
  taken: 3,
  outcome: 'Written',
  reason: '3 of 3 unschedulable replicas are taken out',
  ...over,
});

async function decisionsOf({ descheduling }: { readonly descheduling: DeschedulingStore }): Promise<void> {
  await descheduling.settle(decision({}), later);
  const withheld = { run: 'run-2', decidedAt: at(60), taken: 0, outcome: 'Withheld', reason: 'no capacity' } as const;
  await descheduling.settle(decision({ ...withheld, binding: { namespace: 'pay', name: 'api-deployment' } }), later);
}

async function runsOf({ policies }: { readonly policies: PolicyStore }): Promise<void> {
  const running = {
    run: second,
    triggers: [{ type: 'Schedule', at: at(3600) }, { type: 'CapacityFreed' }],
    state: 'Running',
    message: 'wave 1 of 2 is in flight',
    startedAt: at(3600),
    wavesDone: 0,
    moved: 0,
    inFlight: { rebalancer: 'failback-bbbbbbbb-1', startedAt: at(3601), readyBy: at(4201) },
  } as const;
  const { finishedAt: _, ...inProgress } = record(running).run;
  await policies.recordRun('karmada', record({}), later);
  await policies.recordRun('karmada', { ...record({}), run: inProgress }, later);
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
}

const evenkeel = commandOnWorld(async () => {
  const world = new World();
  world.bind([deployment('a'), deployment('b')]);
  world.create('demo', [deployment('a'), deployment('gone')], 600);
  await world.pass(30);
  await decisionsOf(world);
  await runsOf(world);
  return world;
});

const lines = async (...args: readonly string[]) => (await evenkeel(...args)).trimEnd().split('\n');

describe('evenkeel get', () => {
  it('lists the hubs whose name contains a text', async () => {
    const [head, ...rows] = await lines('get', 'hubs', 'karm');
    expect(head?.split(/ {2,}/)).toEqual(['NAME', 'STATE', 'COMPARED', 'LAST EVENT', 'PAUSED', 'MESSAGE']);
    expect(rows.map((row) => row.split(/ {2,}/)[0])).toEqual(['karmada']);
    expect(await lines('get', 'hubs', 'x')).toEqual(['The deployment has no hub whose name contains "x".']);
  });

  it('lists the rebalances, and the workloads of one of them', async () => {
    expect(await lines('get', 'tasks')).toEqual([
      'NAME  STATE     WORKLOADS  SUCCESSFUL  FAILED  CHANGED               FINISHED',
      'demo  Finished          2           1       1  2026-11-21T10:00:15Z  2026-11-21T10:00:00Z',
    ]);
    const [description = '', ...rows] = await lines('get', 'task', 'demo');
    expect(description).toBe(
      'demo: Finished, 1 of 2 triggered, 1 failed; the scheduler has acted on 1 (Confirmed); its ttl ends at 2026-11-21T10:10:00Z',
    );
    expect(rows.map((row) => row.split(/  +/).slice(0, 4))).toEqual([
      [''],
      ['KIND', 'NAMESPACE', 'NAME', 'RESULT'],
      ['Deployment', 'shop', 'a', 'Successful'],
      ['Deployment', 'shop', 'gone', 'Failed'],
    ]);
  });

  it('lists the decisions of the descheduler, the newest first', async () => {
    expect(await lines('get', 'decisions', '-A')).toEqual([
      'TIME                  BINDING              OUTCOME   TAKEN  CLUSTERS                                   REASON',
      '2026-11-21T10:01:00Z  pay/api-deployment   Withheld      0  member1 5→2, member2 3 (EstimatorTimeout)  no capacity',
      '2026-11-21T10:00:00Z  shop/web-deployment  Written       3  member1 5→2, member2 3 (EstimatorTimeout)  3 of 3 unschedulable replicas are taken out',
    ]);
  });

  it('lists the decisions of one namespace, as JSON', async () => {
    const { decisions } = JSON.parse(await evenkeel('get', 'decisions', '-n', 'shop', '-o', 'json')) as {
      decisions: readonly object[];
    };
    expect(decisions).toMatchObject([
      { binding: { namespace: 'shop' }, decidedAt: '2026-11-21T10:00:00Z', next: { member1: 2, member2: 3 } },
    ]);
  });

  it('lists only the runs of the given policy, up to the limit', async () => {
    expect(await lines('get', 'runs', '--policy', 'failback')).toEqual([
      'RUN                            POLICY    STATE     WAVES  MOVED  SKIPPED  SET OFF BY                MESSAGE',
      '2026-11-21T11:00:00Z-bbbbbbbb  failback  Running     0/2      0        1  Schedule, CapacityFreed   wave 1 of 2 is in flight',
      '2026-11-21T10:00:00Z-aaaaaaaa  failback  Finished    2/2      9        1  ClusterRecovered member1  9 replicas moved in 2 waves',
    ]);
    expect(await lines('get', 'runs', '--policy', 'failback', '--limit', '1', '-o', 'name')).toEqual([`run/${second}`]);
  });

  it('shows the decisions of one run, wave by wave, and the skipped workloads', async () => {
    expect(await lines('get', 'run', first)).toEqual([
      `Run ${first} of RebalancePolicy failback, set off by ClusterRecovered member1: Finished, 9 replicas moved in 2 waves`,
      '',
      'WAVE  WORKLOAD               OUTCOME  MOVES  REPLICAS                               REASON',
      '   1  Deployment shop/web    Moved        5  member1 0→5, member2 6→4, member3 6→3  all 12 are ready',
      '   2  Deployment jobs/batch  Moved        4  member1 0→5, member2 6→4, member3 6→3  all 12 are ready',
      '   -  Deployment shop/api    Skipped      0  stays: member2 6                       its scheduling is suspended',
    ]);
  });

  it('shows Waiting for a wave that has not begun, and NotBegun for a wave that never will', async () => {
    const outcomes = async (run: string) =>
      (await lines('get', 'run', run)).slice(3).map((line) => line.trim().split(/  +/)[2]);
    expect(await outcomes(second)).toEqual(['Moving', 'Waiting', 'Skipped']);
    expect(await outcomes(third)).toEqual(['NotBegun']);
  });

  it('lists the workloads of the namespace default unless -n or -A is given', async () => {
    expect(await lines('get', 'workloads')).toEqual([
      'The hub places no workloads in namespace default; -A lists all namespaces.',
    ]);
    const names = async (...args: readonly string[]) => (await lines('get', 'workloads', ...args, '-o', 'name')).sort();
    expect(await names('-A')).toEqual(['binding/shop/a-deployment', 'binding/shop/b-deployment']);
    expect(await names('-n', 'shop')).toEqual(await names('-A'));
  });

  it('lists only the workloads of the given names, by their own names or those of their bindings', async () => {
    expect(await lines('get', 'workload', 'deployment/b', '-n', 'shop', '-o', 'name')).toEqual([
      'binding/shop/b-deployment',
    ]);
    const { workloads } = JSON.parse(
      await evenkeel('get', 'workloads', 'a', 'b-deployment', '-n', 'shop', '-o', 'json'),
    ) as { workloads: readonly { name: string }[] };
    expect(workloads.map(({ name }) => name).sort()).toEqual(['a', 'b']);
  });

  it('prints the rows by jsonpath and custom-columns', async () => {
    expect(await evenkeel('get', 'workloads', 'a', '-A', '-o', 'jsonpath={.workloads[*].key.name}')).toBe(
      'a-deployment\n',
    );
    expect(await lines('get', 'tasks', '-o', 'custom-columns=NAME:.name,ALL:.workloads')).toEqual([
      'NAME  ALL',
      'demo  2',
    ]);
    expect(await evenkeel('get', 'task', 'demo', '-o', 'jsonpath={.task.state}')).toBe('Finished\n');
    expect(await evenkeel('explain', 'deploy/shop/a', '-o', 'jsonpath={.workload.name}')).toBe('a\n');
  });

  it('prints that the history is empty', async () => {
    expect(await evenkeel('get', 'decisions', '-n', 'unknown')).toBe(
      'The history has no decisions of the descheduler in namespace unknown; -A lists all namespaces.\n',
    );
    expect(await evenkeel('get', 'decisions', '-n', 'unknown', '-o', 'json')).toBe('{\n  "decisions": []\n}\n');
  });

  it.each([
    [
      ['get', 'nothing'],
      '"nothing": Unsupported value; supported values: hubs, tasks, decisions, runs, policies, drains, budgets, queues, clusters, workloads, history, task, run',
    ],
    [['get', 'task'], 'the name of the task is missing; "evenkeel get tasks" lists them'],
    [['get', 'queues', 'x'], 'queues "x": not found; "evenkeel get queues" lists them'],
    [['get', 'workloads', 'a', 'x', '-n', 'shop'], 'workloads "x": not found; "evenkeel get workloads" lists them'],
    [['get', 'hubs', 'a', 'b'], 'hubs are selected by one text; leave out b'],
    [['get', 'tasks', '-l', 'a=b'], '-l a=b: tasks have no labels; -l goes with clusters, workloads, policies, drains'],
    [['get', 'history'], 'history is of one workload: evenkeel get history deploy/web -n NAMESPACE'],
    [['get', 'run', 'x'], 'hub karmada has no run x among its last 500'],
    [['get', 'tasks', '--hub', 'No'], 'hub: is not a hub name (a DNS label of at most 40) (of listTasks)'],
    [['explain', 'binding', 'web'], 'hub karmada has no binding default/web; that of Deployment web is web-deployment'],
    [['explain', 'binding'], 'the name of the binding is missing; that of Deployment web is web-deployment'],
    [
      ['explain', 'deploy/web'],
      'hub karmada has no binding default/web-deployment; that of Deployment web is web-deployment',
    ],
    [['explain', 'web'], '"web" is no workload; write KIND/NAME (deployment/web)'],
    [['dlq', 'redrive'], 'give message ids, --queue or --all; exactly one of the three'],
    [['dlq', 'show', 'x'], 'dead letter x not found; "evenkeel dlq list" lists them'],
    [['dlq', 'redrive', '--queue', 'x'], expect.stringContaining('x') as string],
  ])('rejects %j with what to do instead', async (args, message) => {
    const rejected = await evenkeel(...args).catch((thrown: unknown) => thrown);
    expect(rejected).toBeInstanceOf(Fault);
    expect(rejected).toMatchObject({ message });
  });
});

describe('evenkeel explain', () => {
  it('shows where a workload runs, what a rebalance would change, and its history', async () => {
    expect(await lines('explain', 'binding', 'shop/a-deployment')).toEqual(
      await lines('explain', 'rb', 'a-deployment', '-n', 'shop'),
    );
    const printed = await lines('explain', 'binding', 'shop/a-deployment');
    expect(await lines('explain', 'deploy/a', '-n', 'shop')).toEqual(printed);
    expect(await lines('explain', 'deployment', 'a', '-n', 'shop')).toEqual(printed);
    expect(printed[0]).toBe('Deployment shop/a, 2 replicas');
    const moments = printed.filter((line) => /^2026/.test(line)).map((line) => line.split(/  +/).slice(1));
    expect(moments.map(([what, who]) => [what, who])).toEqual(
      expect.arrayContaining([
        ['written', 'WorkloadRebalancer demo'],
        ['written', 'scheduler default-scheduler'],
        ['seen', 'WorkloadRebalancerChanged demo'],
        ['seen', 'RebalanceFinished demo'],
      ]),
    );
    const planned = moments.find(([, who]) => who === 'WorkloadRebalancerChanged demo');
    expect(planned?.[2]).toMatch(/^generation 1: .*; 1 triggered.* \(id-\d+\)$/);
  });
});

describe('evenkeel pause, resume and resync', () => {
  it('report the resulting state', async () => {
    expect(await evenkeel('pause', 'karmada', '--reason', 'upgrade')).toMatch(/^karmada is paused since 2026-/);
    expect((await lines('get', 'hubs'))[1]).toMatch(
      /^karmada {2}NotCompared {2}- +- +since 2026-.*Z by local:user {2}paused since 2026-.*Z \(upgrade\)$/,
    );
    await expect(evenkeel('resync')).rejects.toThrow('(upgrade); resume it first');
    expect(await evenkeel('resume')).toBe('karmada is resumed, and is compared now.\n');
    expect(await evenkeel('resume')).toBe('karmada was not paused, and is compared now.\n');
    expect(await evenkeel('resync')).toMatch(/^karmada is compared now/);
  });
});
