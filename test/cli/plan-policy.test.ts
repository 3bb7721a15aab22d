/** `evenkeel plan --policy` from files: the moves of a RebalancePolicy, and the skipped workloads with their reasons. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { binding, cluster, plan, type Ran } from './plan-scene.ts';
import { deployment, failback, fleet, member, policy, scheduled } from './policy-scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-policy-'));
let files = 0;
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.useRealTimers());

function fileOf(objects: readonly object[]): string {
  const path = join(folder, `${(files += 1)}.yaml`);
  writeFileSync(path, objects.map((object) => stringify(object)).join('---\n'));
  return path;
}

/** Previews the policy failback with these objects. */
function preview(objects: readonly object[], ...args: readonly string[]): Promise<Ran> {
  return plan('-f', fileOf(objects), '--policy', 'failback', ...args);
}

interface Previewed {
  readonly triggers: readonly object[];
  readonly waves: readonly {
    readonly number: number;
    readonly workloads: readonly { readonly workload: { readonly name: string }; readonly why: string }[];
  }[];
  readonly skipped: readonly { readonly workload: { readonly name: string }; readonly reason: string }[];
  readonly still: readonly { readonly workload: { readonly name: string }; readonly reason: string }[];
  readonly unselected: readonly { readonly workload: { readonly name: string }; readonly reason: string }[];
}

async function document(objects: readonly object[], ...args: readonly string[]): Promise<Previewed> {
  return JSON.parse((await preview(objects, ...args, '-o', 'json')).out) as Previewed;
}

/** "1 web" for each workload in its wave. */
async function wavesOf(objects: readonly object[], ...args: readonly string[]): Promise<readonly string[]> {
  const { waves } = await document(objects, ...args);
  return waves.flatMap(({ number, workloads }) => workloads.map(({ workload }) => `${number} ${workload.name}`));
}

describe('the preview of a RebalancePolicy', () => {
  const held = scheduled('cart', { now: { member2: 6, member3: 6 }, spec: { suspension: { scheduling: true } } });
  const elsewhere = scheduled('batch', { namespace: 'jobs', now: { member2: 12 } });
  const even = scheduled('even', { replicas: 3, now: { member1: 1, member2: 1, member3: 1 } });
  const spec = {
    selector: { namespaces: ['shop'] },
    triggers: { clusterRecovered: {} },
    strategy: { waves: { size: 1 } },
  };
  const mixed = [...fleet, held, elsewhere, even, policy(spec)];

  it('shows the waves and the skipped workloads with reasons, and counts the others by reason', async () => {
    const { code, out, errors } = await preview(mixed);
    expect([code, errors]).toEqual([3, []]);
    expect(out.split('\n')).toEqual([
      'RebalancePolicy failback, set off by ClusterRecovered of member1, member2, member3',
      '',
      'WAVE  WORKLOAD             MOVES  REPLICAS                               WHY',
      '   1  Deployment shop/api      2  member1 0→2, member2 3→2, member3 3→2  member1 recovered and would get 2',
      '   2  Deployment shop/web      4  member1 0→4, member2 6→4, member3 6→4  member1 recovered and would get 4',
      '',
      'SKIPPED               WHY',
      'Deployment shop/cart  its scheduling is suspended',
      '',
      'OTHERS                WHY',
      '     1  stay          assigned anew, nothing would move',
      '     1  not selected  its namespace is not selected',
      '',
      'It would move 6 replicas of 2 workloads in 2 waves; 1 skipped; 1 staying; 1 not selected.',
      '',
    ]);
  });

  it('lists each of the others with --explain', async () => {
    const { out } = await preview(mixed, '--explain');
    expect(out.split('\n').slice(9, 15)).toEqual([
      'STAYS                 WHY',
      'Deployment shop/even  assigned anew, nothing would move',
      '',
      'NOT SELECTED           WHY',
      'Deployment jobs/batch  its namespace is not selected',
      '',
    ]);
  });

  it('skips what a budget never allows, and notes what begins later because of it', async () => {
    const together = policy({ ...spec, strategy: { waves: { size: 2 } } });
    const within = (replicas: string) => {
      const limits = [{ per: 'Hub', replicas }];
      return [
        ...fleet,
        together,
        { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'MoveBudget', metadata: { name: 'hub' }, spec: { limits } },
      ];
    };
    expect(await preview(within('6'))).toMatchObject({ errors: [] });
    const { errors } = await preview(within('5'));
    expect(errors).toEqual([
      expect.stringContaining(
        'wave 1: 1 of 2 workloads begin later (MoveBudget hub: at most 5 replicas of the hub at once, of which 2 are moving; this would move 4)',
      ),
    ]);
    expect(await wavesOf(within('5'))).toEqual(['1 api', '1 web']);
    expect(await wavesOf(within('3'))).toEqual(['1 api']);
    const { skipped } = await document(within('3'));
    expect(skipped.map(({ workload, reason }) => [workload.name, reason])).toEqual([
      ['web', 'MoveBudget hub: at most 3 replicas of the hub at once, of which 0 are moving; this would move 4'],
    ]);
  });

  it("skips what a workload's own limit never allows, on a hub with limits", async () => {
    const limits = (replicas: string) => ({
      ...{ apiVersion: 'evenkeel.dev/v1alpha1', kind: 'MoveBudget', metadata: { name: 'hub' } },
      spec: { limits: [{ per: 'Hub', replicas }] },
    });
    const careful = fleet.map((object) => {
      const { kind, metadata } = object as { kind: string; metadata: { name: string } };
      const isMeant = kind === 'ResourceBinding' && metadata.name === 'web-deployment';
      return isMeant
        ? { ...object, metadata: { ...metadata, annotations: { 'evenkeel.dev/move-limit': '3' } } }
        : object;
    });
    expect(await wavesOf([...careful, policy(spec)])).toEqual(['1 api', '2 web']);
    const { skipped } = await document([...careful, policy(spec), limits('100')]);
    expect(skipped.map(({ workload, reason }) => [workload.name, reason])).toEqual([
      [
        'web',
        'annotation evenkeel.dev/move-limit: 3: at most 3 replicas of the workload at once, of which 0 are moving; this would move 4',
      ],
    ]);
  });

  it('is the same document as JSON and as YAML', async () => {
    const workload = (name: string, namespace = 'shop') => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace,
      name,
    });
    const key = (name: string, namespace = 'shop') => ({ namespace, name: `${name}-deployment` });
    const { out } = await preview(mixed, '-o', 'json', '--trigger', 'ClusterRecovered=member1');
    expect(JSON.parse(out)).toEqual({
      policy: 'failback',
      triggers: [{ type: 'ClusterRecovered', cluster: 'member1' }],
      waves: [
        {
          number: 1,
          workloads: [
            {
              workload: workload('api'),
              binding: key('api'),
              current: { member2: 3, member3: 3 },
              next: { member1: 2, member2: 2, member3: 2 },
              moves: 2,
              why: 'member1 recovered and would get 2',
            },
          ],
        },
        {
          number: 2,
          workloads: [
            {
              workload: workload('web'),
              binding: key('web'),
              current: { member2: 6, member3: 6 },
              next: { member1: 4, member2: 4, member3: 4 },
              moves: 4,
              why: 'member1 recovered and would get 4',
            },
          ],
        },
      ],
      skipped: [
        {
          workload: workload('cart'),
          binding: key('cart'),
          current: { member2: 6, member3: 6 },
          moves: 0,
          reason: 'its scheduling is suspended',
        },
      ],
      still: [{ workload: workload('even'), binding: key('even'), reason: 'assigned anew, nothing would move' }],
      unselected: [
        { workload: workload('batch', 'jobs'), binding: key('batch', 'jobs'), reason: 'its namespace is not selected' },
      ],
    });
    const yaml = await preview(mixed, '-o', 'yaml', '--trigger', 'ClusterRecovered=member1');
    expect(parse(yaml.out)).toEqual(JSON.parse(out));
  });

  it('shows the named workloads in the wave that they have among all', async () => {
    expect(await wavesOf(mixed, 'web')).toEqual(['2 web']);
    const { code, out } = await preview(mixed, 'deployment/even');
    expect([code, out.split('\n').slice(2)]).toEqual([
      0,
      [
        'STAYS                 WHY',
        'Deployment shop/even  assigned anew, nothing would move',
        '',
        'It would move nothing; 1 staying.',
        '',
      ],
    ]);
    const { waves, unselected } = await document(mixed, '-n', 'jobs');
    expect([waves, unselected.map(({ workload }) => workload.name)]).toEqual([[], ['batch']]);
  });

  it('assumes that clusters without conditions are ready, with a note, and that bindings are scheduled', async () => {
    const written = ['member1', 'member2', 'member3'].map((name) => cluster(name));
    const { code, errors } = await preview([...written, binding('web', { now: { member2: 12 } }), failback]);
    expect([code, errors]).toEqual([
      3,
      ['3 of the clusters have no status.conditions (the first: member1); assumed to be ready'],
    ]);
  });

  it('applies the opt-outs of namespaces and workloads and the PriorityClasses of the files', async () => {
    const never = { 'evenkeel.dev/rebalancing': 'Never' };
    const out = await document([...fleet, failback, deployment('web', { annotations: never })]);
    expect(out.skipped.map(({ workload, reason }) => `${workload.name}: ${reason}`)).toEqual([
      'web: evenkeel.dev/rebalancing on the workload keeps policies away',
    ]);
    const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', annotations: never } };
    expect((await document([...fleet, failback, shop])).skipped.map(({ workload }) => workload.name)).toEqual([
      'web',
      'api',
    ]);
    const urgent = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'urgent' },
      value: 9,
    };
    const web = scheduled('web', {
      now: { member2: 6, member3: 6 },
      spec: { replicaRequirements: { priorityClassName: 'urgent' } },
    });
    const order = [{ by: 'Priority', descending: true }];
    const ordered = policy({ ...spec, strategy: { waves: { size: 1 }, order } });
    expect(await wavesOf([...fleet.slice(0, 3), fleet[4] ?? {}, web, urgent, ordered])).toEqual(['1 web', '2 api']);
  });

  it('applies the labels of workloads in the files, and notes workloads without labels', async () => {
    const labels = { matchLabels: { tier: 'front' } };
    const byLabel = policy({ ...spec, selector: { labels } });
    const objects = [...fleet, byLabel, deployment('web', { labels: { tier: 'front' } })];
    expect(await wavesOf(objects)).toEqual(['1 web']);
    const { errors } = await preview(objects);
    expect(errors).toEqual([
      'the policy selects by labels, and 1 workload have no metadata (the first: Deployment shop/api); they match no label; give the workloads too',
    ]);
  });

  it('measures the cool-down from the current time', async () => {
    const triggered = { rescheduleTriggeredAt: '2026-11-21T10:00:00Z' };
    const web = {
      ...scheduled('web', { now: { member2: 6, member3: 6 }, spec: triggered }),
      status: { lastScheduledTime: '2026-11-21T10:00:01Z' },
    };
    const objects = [...fleet.slice(0, 3), web, failback];
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T10:29:59Z') });
    expect((await document(objects)).skipped[0]?.reason).toBe('it was rebalanced 1799 s ago and cools down');
    vi.setSystemTime(Date.parse('2026-11-21T10:30:00Z'));
    expect(await wavesOf(objects)).toEqual(['1 web']);
  });

  it('lists only the named workloads among those that stay', async () => {
    const still = async (...args: readonly string[]) =>
      (
        await document(
          [...fleet, scheduled('even', { replicas: 3, now: { member1: 1, member2: 1, member3: 1 } }), failback],
          ...args,
        )
      ).still.map(({ workload }) => workload.name);
    expect([await still('even'), await still('web')]).toEqual([['even'], []]);
  });
});

describe('the assumed triggers of a policy', () => {
  const all = {
    clusterRecovered: {},
    clusterJoined: {},
    capacityFreed: {},
    schedule: { cron: '0 3 * * *' },
    imbalance: { percent: 33 },
  };
  const typed = async (triggers: object, ...args: readonly string[]) =>
    (await document([...fleet, member('member4', { ready: 'False' }), policy({ triggers })], ...args)).triggers;
  const recovered = (name: string) => ({ type: 'ClusterRecovered', cluster: name });

  it('are all triggers of its spec, with each healthy cluster as recovered and joined', async () => {
    expect(await typed({ clusterRecovered: {} })).toEqual(['member1', 'member2', 'member3'].map(recovered));
    expect(await typed({ imbalance: { percent: 40 } })).toEqual([{ type: 'Imbalance', percent: 40 }]);
    expect((await typed(all)).length).toBe(3 + 3 + 3);
    const { out } = await preview([...fleet, policy({ triggers: all })]);
    expect(out.split('\n')[0]).toBe(
      'RebalancePolicy failback, set off by ClusterRecovered of member1, member2, member3; ClusterJoined of member1, member2, member3; CapacityFreed; Schedule; Imbalance of 33 %',
    );
  });

  it.each([
    [['ClusterRecovered=member1'], [recovered('member1')]],
    [
      ['ClusterJoined=member2', 'Schedule'],
      [{ type: 'ClusterJoined', cluster: 'member2' }, { type: 'Schedule' }],
    ],
    [['ClusterRecovered'], ['member1', 'member2', 'member3'].map(recovered)],
    [['CapacityFreed'], [{ type: 'CapacityFreed' }]],
    [['Requested'], [{ type: 'Requested' }]],
  ])('are only %j with --trigger', async (asked, expected) => {
    expect(await typed(all, ...asked.flatMap((each) => ['--trigger', each]))).toEqual(expected);
  });

  it.each([
    ['ClusterRecovered=member1', 'member1 recovered and would get 4'],
    ['Schedule', 'its time has come'],
    ['Requested', 'a run was requested'],
    ['Imbalance', '33 % of its replicas would move'],
    ['CapacityFreed', 'it could be spread over 3 clusters instead of 2'],
  ])('include %s as the reason of a move', async (trigger, why) => {
    const { waves } = await document([...fleet, policy({ triggers: all })], '--trigger', trigger, 'web');
    expect(waves.flatMap(({ workloads }) => workloads.map((each) => each.why))).toEqual([why]);
  });

  it('may name an unhealthy cluster, with the note that it gets no replicas', async () => {
    const taints = [{ key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' }];
    const down = [member('member1', { ready: 'False', taints }), ...fleet.slice(1), failback];
    const { code, errors } = await preview(down, '--trigger', 'ClusterRecovered=member1');
    expect([code, errors]).toEqual([
      0,
      ['member1 is not healthy now, so it gets no replicas; to preview a healthy cluster, give its manifest with -f'],
    ]);
  });

  it('are none if no cluster is healthy, with a note', async () => {
    const down = ['member1', 'member2'].map((name) => member(name, { ready: 'Unknown' }));
    const { code, out, errors } = await preview([...down, failback]);
    expect([code, errors]).toEqual([0, ['no trigger can have fired: no cluster is healthy']]);
    expect(out).toBe('RebalancePolicy failback, set off by nothing\n\nIt would move nothing.\n');
  });

  it.each([
    [
      ['--trigger', 'Schedule'],
      '--trigger Schedule: RebalancePolicy failback has no such trigger; it has ClusterRecovered',
    ],
    [
      ['--trigger', 'ClusterRecovered=member9'],
      '--trigger ClusterRecovered=member9: there is no Cluster of that name; there are member1, member2, member3',
    ],
    [
      ['--trigger', 'ClusterRecovered=mem=ber1'],
      '--trigger ClusterRecovered=mem=ber1: there is no Cluster of that name; there are member1, member2, member3',
    ],
    [
      ['--trigger', 'clusterRecovered'],
      '--trigger clusterRecovered is none of ClusterRecovered, ClusterJoined, CapacityFreed, Schedule, Imbalance, Pressure, Price, Requested; write one of them',
    ],
    [
      ['--trigger', 'Schedule=member1'],
      '--trigger Schedule=member1: only ClusterRecovered=CLUSTER and ClusterJoined=CLUSTER name a cluster',
    ],
    [
      ['--trigger', 'ClusterRecovered='],
      '--trigger ClusterRecovered=: only ClusterRecovered=CLUSTER and ClusterJoined=CLUSTER name a cluster',
    ],
  ])('cannot be %j', async (args, message) => {
    expect(await preview([...fleet, failback], ...args)).toEqual({ code: 2, out: '', errors: [message] });
  });
});

describe('beside the preview, stderr', () => {
  const triggers = { clusterRecovered: {} };
  const status = (state: string) => ({
    state,
    lastRun: {
      name: '2026-11-21T10:00:00Z-1',
      triggers: ['ClusterRecovered member1'],
      state,
      message: 'wave 1 of 2 was not ready in 600 s',
      startedAt: '2026-11-21T10:00:00Z',
      waves: 2,
      wavesDone: 0,
      workloads: 2,
      moved: 0,
      skipped: 0,
    },
  });
  const window = { cron: '0 3 * * *', duration: '1h' };
  it.each([
    ['suspended', { spec: { suspend: true } }, 'is suspended: it does nothing of this until spec.suspend is false'],
    ['only recording', { spec: { dryRun: true } }, 'only records what it would do: spec.dryRun is true'],
    [
      'stopped',
      { status: status('Stopped') },
      'was stopped (wave 1 of 2 was not ready in 600 s): it does nothing of this until its spec is edited, or it is suspended and resumed',
    ],
    [
      'running',
      { status: status('Running') },
      'has run 2026-11-21T10:00:00Z-1 in progress: the next run is planned when it ends',
    ],
    [
      'waiting between two waves',
      { status: status('Waiting') },
      'has run 2026-11-21T10:00:00Z-1 in progress: the next run is planned when it ends',
    ],
    [
      'stopped without a run in its status',
      { status: { state: 'Stopped' } },
      'was stopped: it does nothing of this until its spec is edited, or it is suspended and resumed',
    ],
    [
      'running a run that its status does not name',
      { status: { state: 'Running' } },
      'has run  in progress: the next run is planned when it ends',
    ],
    [
      'outside its windows',
      { spec: { strategy: { windows: [window] } } },
      'may not begin now: none of spec.strategy.windows is open until 2026-11-22T03:00:00Z',
    ],
    [
      'being deleted',
      { metadata: { deletionTimestamp: '2026-11-21T09:00:00Z' } },
      'is being deleted: it starts no more runs',
    ],
  ])('notes that a policy is %s', async (_, { spec, metadata, status: reported }: Record<string, object>, what) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T10:00:00Z') });
    const reportedPolicy = { ...policy({ triggers, ...spec }, metadata), ...(reported && { status: reported }) };
    const { code, errors } = await preview([...fleet, reportedPolicy]);
    expect([code, errors]).toEqual([3, [`RebalancePolicy failback ${what}`]]);
  });

  it('has no note about a policy whose window is open', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T03:30:00Z') });
    const { errors } = await preview([...fleet, policy({ triggers, strategy: { windows: [window] } })]);
    expect(errors).toEqual([]);
  });

  it('counts the documents that it ignores', async () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    const { errors } = await preview([...fleet, failback, secret]);
    expect(errors).toEqual(['ignored, not part of a plan: 1 Secret']);
  });
});

describe('an invalid policy', () => {
  const triggers = { capacityFreed: {} };
  const rejected = async (...objects: readonly object[]) => {
    const { code, out, errors } = await preview(objects);
    expect([code, out]).toEqual([2, '']);
    return errors.join('\n').replaceAll(/\S*\/\d+\.yaml, /g, '');
  };

  it.each<[string, object, string]>([
    [
      'no triggers',
      {},
      'document 1, line 5 (RebalancePolicy failback): spec.triggers: is missing; write an object there',
    ],
    [
      'empty triggers',
      { triggers: {} },
      'document 1, line 6 (RebalancePolicy failback): spec.triggers: is empty, so no run would ever start; write at least one of clusterRecovered, clusterJoined, capacityFreed, schedule, imbalance, externalEvents, requestedAt, pressure, price',
    ],
    [
      'an unknown field',
      { triggers, strategy: { coolDwon: '5m' } },
      'document 1, line 9 (RebalancePolicy failback): spec.strategy.coolDwon: is no field of a RebalancePolicy; take it out, or see "kubectl explain rebalancepolicies.spec.strategy"',
    ],
    [
      'a number that is too large',
      { triggers: { imbalance: { percent: 101 } } },
      'document 1, line 8 (RebalancePolicy failback): spec.triggers.imbalance.percent: 101 is too large; write 100 or less',
    ],
    [
      'a number that is too small',
      { triggers, strategy: { waves: { size: 0 } } },
      'document 1, line 10 (RebalancePolicy failback): spec.strategy.waves.size: 0 is too small; write 1 or more',
    ],
    [
      'a text that is too short',
      { triggers, selector: { names: [''] } },
      'document 1, line 10 (RebalancePolicy failback): spec.selector.names.0: "" is too small; write at least 1 character',
    ],
    [
      'an invalid duration',
      { triggers, strategy: { coolDown: '5 minutes' } },
      'document 1, line 9 (RebalancePolicy failback): spec.strategy.coolDown: "5 minutes" is not a duration; write one like 30s, 5m or 1h30m',
    ],
    [
      'a duration that is too long',
      { triggers, strategy: { coolDown: '300h' } },
      'document 1, line 9 (RebalancePolicy failback): spec.strategy.coolDown: is 300h; write a duration from 0s to 168h, for example 1h30m',
    ],
    [
      'an unknown order',
      { triggers, strategy: { order: [{ by: 'Age' }] } },
      'document 1, line 10 (RebalancePolicy failback): spec.strategy.order.0.by: "Age" is none of Priority, Replicas, Label, Cluster; write one of them',
    ],
    [
      'a cron of four fields',
      { triggers: { schedule: { cron: '0 3 * *' } } },
      'document 1, line 8 (RebalancePolicy failback): spec.triggers.schedule.cron: "0 3 * *" is not five fields; write minute, hour, day of month, month and day of week, for example "0 3 * * *"',
    ],
    [
      'an unknown time zone',
      { triggers, strategy: { windows: [{ cron: '0 3 * * *', timeZone: 'Mars/Base' }] } },
      'document 1, line 11 (RebalancePolicy failback): spec.strategy.windows.0.timeZone: is "Mars/Base"; write a name of the IANA time zone database, for example Europe/Berlin',
    ],
    [
      'a list where an object belongs',
      { triggers, selector: [] },
      'document 1, line 8 (RebalancePolicy failback): spec.selector: [] is not an object; write one there',
    ],
  ])('is rejected for %s, by its field', async (_, spec, message) => {
    expect(await rejected(policy(spec))).toBe(message);
  });

  it('is rejected for a name that is too long for the names of its waves', async () => {
    const name = 'a'.repeat(43);
    expect(await rejected(policy({ triggers }, { name }))).toBe(
      `document 1, line 4 (RebalancePolicy ${name}): metadata.name: is ${name}; give it a name of at most 42 characters, for the names of its waves begin with it`,
    );
  });

  it('is rejected with all of its errors at once', async () => {
    const strategy = { waves: { size: 5, percent: 10 }, coolDown: '300h', order: [{ by: 'Label' }] };
    expect((await rejected(policy({ triggers, strategy }))).split('\n')).toEqual([
      '1 object cannot be read',
      expect.stringMatching(/spec.strategy.waves: has both size and percent; write one of them$/),
      expect.stringMatching(/spec.strategy.order: label goes with by: Label, and only with it; /),
      expect.stringMatching(/spec.strategy.coolDown: is 300h; /),
    ]);
  });

  it('is rejected with the errors of a MoveBudget', async () => {
    const applies = { schedule: { cron: '0 9 30 2 *', timeZone: 'UTC' }, duration: '8h' };
    const limits = [
      { per: 'Hub', replicas: '10 %' },
      { per: 'Hub', replicas: '1', window: '10s', ...applies },
      { per: 'Hub', replicas: '1', windows: '10m' },
    ];
    const budget = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'MoveBudget', metadata: { name: 'hub' } };
    const wrong = async (index: number) =>
      rejected(policy({ triggers }), { ...budget, spec: { limits: [limits[index]] } });
    expect(await wrong(0)).toContain(
      'spec.limits.0.replicas: "10 %" is not a number or a percentage; write one like 20 or 10%',
    );
    expect(await wrong(1)).toMatch(/spec.limits: a window is out of range/);
    expect(await wrong(1)).toContain('spec.limits.0.schedule.cron: is "0 9 30 2 *", which never comes');
    expect(await wrong(2)).toContain('spec.limits.0.windows');
  });

  it('is rejected if the files do not have it, with the names that they have', async () => {
    const other = policy({ triggers }, { name: 'nightly' });
    expect(await rejected(...fleet, other)).toBe(
      '--policy failback: the files have no RebalancePolicy of that name (they have: nightly); give it with -f, or the hub that has it with --kubeconfig',
    );
    expect(await rejected(scheduled('web', { now: { member1: 12 } }), failback)).toBe(
      'there is no Cluster to plan with; give the clusters too (kubectl get clusters -o yaml), or --kubeconfig',
    );
  });

  it('is required for --trigger', async () => {
    expect(await plan('-f', fileOf(fleet), '--trigger', 'Schedule')).toEqual({
      code: 2,
      out: '',
      errors: ['--trigger Schedule goes with --policy; name the RebalancePolicy too'],
    });
  });
});
