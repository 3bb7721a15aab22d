/** A small deployment that answers every operation from memory, to test the page without a hub. */
import { hubFindings, loggedFindings, queueFindings } from '../../shared/console-api/health-findings.ts';
import type { FleetAnswer, FleetCluster, Moment } from '../../shared/console-api/operations/fleet.ts';
import type { InputOf, OperationName, OutputOf } from '../../shared/console-api/operations.ts';
import { fakeRunDiff, fakeTaskDiff } from './fake-diffs.ts';
import { type FleetSize, fakeFleet, fakeWorkloadAnswer, laterThan } from './fake-fleet.ts';
import { fakeBudgets, fakeObject, fakePolicies, fakePreview } from './fake-policies.ts';

type Answers = { readonly [N in OperationName]: (input: InputOf<N>) => OutputOf<N> | undefined };
type Task = OutputOf<'listTasks'>['tasks'][number];
type Letter = OutputOf<'listDeadLetters'>['deadLetters'][number];

const WAVE = 500;

export interface FakeWorld {
  /** An answer of undefined means 404. */
  readonly answers: Answers;
  fleet: FleetAnswer;
  readonly tasks: Task[];
  readonly deadLetters: Letter[];
  /** In the order of the answer. */
  readonly hubs: HubEntry[];
  readonly may: { readonly command: boolean; readonly practice: boolean };
}

export interface FakeOptions extends FleetSize {
  readonly may?: { readonly command: boolean; readonly practice: boolean };
  readonly deadLetters?: number;
  readonly tasks?: number;
  /** Besides the two that all worlds have; the first three do not respond. */
  readonly hubs?: number;
  readonly now?: () => string;
}

export function fakeWorld({
  may = { command: true, practice: true },
  now = timestamp,
  ...size
}: FakeOptions): FakeWorld {
  const start = now();
  const registered = {
    state: 'Active',
    server: 'https://karmada-apiserver.example:5443',
    features: [],
    revision: 1,
    findings: [],
  };
  const hubs: OutputOf<'listHubs'>['hubs'][number][] = [
    { name: 'practice', ...registered, reach: { state: 'Reachable', comparedAt: laterThan(start, -100) } },
    { name: 'karmada-eu', ...registered, reach: { state: 'Reachable', comparedAt: laterThan(start, -40) } },
  ];
  hubs.push(
    ...Array.from({ length: size.hubs ?? 0 }, (_, place) => ({
      name: nameOf(place),
      ...registered,
      ...healthOf(place, start),
    })),
  );
  const history: Moment[] = fakeHistory(start);
  const world: FakeWorld = {
    may,
    hubs,
    fleet: fakeFleet(size),
    tasks: Array.from({ length: size.tasks ?? 9 }, (_, place) => fakeTask(place, start)),
    deadLetters: Array.from({ length: size.deadLetters ?? 3 }, (_, place) => fakeDeadLetter(place, start)),
    answers: {
      about: () => ({ may, now: now() }),
      listHubs: () => ({ hubs }),
      getHubHealth: ({ hub }) => hubs.find(({ name }) => name === hub),
      getHub: ({ hub }) => hubs.find(({ name }) => name === hub),
      getFleet: () => world.fleet,
      getWorkload: ({ namespace, name }) =>
        fakeWorkloadAnswer(
          { fleet: world.fleet, at: start },
          { namespace: namespace === '-' ? '' : namespace, name },
          history,
        ),
      listPlacements: () => ({ placements: [] }),
      getClusterHistory: () => ({ states: [], moves: [] }),
      traceBinding: () => ({
        history: [
          {
            at: laterThan(start, -19),
            who: 'trigger-bindings',
            what: 'seen',
            text: 'RebalanceChunkPlanned come-home',
            id: 'e-1',
          },
        ],
      }),
      listTasks: () => ({ tasks: world.tasks }),
      getTask: ({ name, from = 0 }) => {
        const task = world.tasks.find((each) => each.name === name);
        return task && fakeTaskAnswer(world, task, Number(from));
      },
      getTaskDiff: ({ name, from = 0, limit = 100 }) => {
        const task = world.tasks.find((each) => each.name === name);
        return task && fakeTaskDiff(world.fleet, task, { from: Number(from), limit: Number(limit) });
      },
      listHeld: () => ({ reductions: [], elasticWorkloads: [] }),
      listDecisions: () => ({ decisions: fakeDecisions(start) }),
      listPolicies: () => (size.workloads === 0 ? { policies: [], drains: [] } : fakePolicies(start)),
      previewPolicy: () => fakePreview(),
      listBudgets: () => (size.workloads === 0 ? { budgets: [], moves: [] } : fakeBudgets(start)),
      getObject: (input) => (input.name.startsWith('none') ? undefined : fakeObject(input)),
      selectObjects: () => ({ keys: [] }),
      listRuns: () => ({ runs: [fakeRun(start)] }),
      getRun: ({ run }) => (run === 'r-7f3a' ? fakeRunAnswer(start) : undefined),
      getRunDiff: ({ run, from = 0, limit = 100 }) =>
        run === 'r-7f3a' ? fakeRunDiff(fakeRunAnswer(start), { from: Number(from), limit: Number(limit) }) : undefined,
      getHealth: () => ({ queues: fakeQueues(world.deadLetters), hubs: fakeHubs(start) }),
      listDeadLetters: ({ queue }) => ({
        deadLetters: world.deadLetters.filter((each) => queue === undefined || each.queue === queue),
      }),
      createRebalancer: ({ workloads }) => {
        const name = `evenkeel-console-${world.tasks.length}`;
        const uid = `uid-${name}`;
        world.tasks.unshift({
          name,
          uid,
          generation: 1,
          state: 'Running',
          workloads: workloads.length,
          successful: 0,
          failed: 0,
          updatedAt: now(),
        });
        return { name, uid };
      },
      redriveDeadLetters: ({ queue, ids }) => {
        const redriven = world.deadLetters.filter((each) =>
          ids ? ids.includes(each.id) : queue === undefined || each.queue === queue,
        );
        for (const each of redriven) world.deadLetters.splice(world.deadLetters.indexOf(each), 1);
        return { redriven: redriven.length };
      },
      pauseHub: ({ hub, reason = '' }) => {
        const paused = { since: now(), reason };
        setPaused(hub, paused);
        return { paused, withinSeconds: 60, released: 0 };
      },
      resumeHub: ({ hub }) => {
        const wasPaused = hubs.some((each) => each.name === hub && each.paused !== undefined);
        setPaused(hub, undefined);
        return { wasPaused };
      },
      resyncHub: () => ({ asked: ['rebalancers', 'bindings'] }),
      registerHub: () => ({ revision: 1, created: true }),
      setHub: () => ({ revision: 2 }),
      removeHub: () => ({ wasRegistered: false, deleted: [], left: [] }),
      failCluster: ({ cluster }) => turn(cluster, false),
      recoverCluster: ({ cluster }) => turn(cluster, true),
      drainCluster: ({ cluster }) => {
        drain(cluster, { name: cluster, state: 'Running', message: 'wave 1 of 3' });
        return { name: cluster, created: true };
      },
      uncordonCluster: ({ cluster }) => {
        drain(cluster, undefined);
        return { deleted: [cluster] };
      },
      failHub: ({ seconds }) => ({ message: `the practice hub does not answer for ${seconds} s` }),
      recoverHub: () => ({ message: 'the practice hub answers again' }),
      slowPods: ({ cluster, readyMs }) => ({ message: `pods on ${cluster} get ready in ${readyMs} ms` }),
    },
  };
  const setPaused = (name: string, paused: OutputOf<'pauseHub'>['paused'] | undefined): void => {
    const place = hubs.findIndex((each) => each.name === name);
    const found = hubs[place];
    if (found === undefined) return;
    const { paused: _, ...hub } = found;
    hubs[place] = { ...hub, ...(paused && { paused }) };
  };
  const drain = (name: string, drained: FleetCluster['drain']): void => {
    const clusters = world.fleet.clusters.map(({ drain: before, ...each }) => {
      const after = each.name === name ? drained : before;
      return { ...each, ...(after && { drain: after }) };
    });
    world.fleet = { ...world.fleet, clusters };
  };
  const turn = (name: string, ready: boolean): { message: string } => {
    const clusters = world.fleet.clusters.map((each) =>
      each.name === name ? { ...each, ready, healthy: ready } : each,
    );
    world.fleet = { ...world.fleet, clusters };
    return { message: ready ? `${name} is back` : `${name} has failed` };
  };
  return world;
}

function timestamp(): string {
  return new Date().toISOString().replace(/\.\d+Z/, 'Z');
}

function fakeHistory(start: string): Moment[] {
  const lines: readonly (readonly [string, Moment['what'], string])[] = [
    ['scheduler', 'written', 'Fresh assignment: member1 4, member2 4, member3 4'],
    ['trigger-bindings', 'written', 'rescheduleTriggeredAt for rebalancer come-home'],
    ['RebalancePolicy come-home', 'decided', 'member1 recovered; 4 replicas go back'],
    ['cluster-hook', 'seen', 'member1 is ready again'],
    ['descheduler', 'written', 'took 4 out of member1: no node had capacity'],
  ];
  return lines.map(([who, what, text], place) => ({
    at: laterThan(start, -20 - place * 35),
    who,
    what,
    text,
    id: `event-${place}`,
  }));
}

function fakeTask(place: number, start: string): Task {
  const workloads = [1, 5000, 3, 40, 12][place % 5] ?? 1;
  const state = place === 1 ? 'Running' : place === 7 ? 'Abandoned' : 'Finished';
  const failed = place === 3 ? 4 : 0;
  const successful = state === 'Finished' ? workloads - failed : Math.floor(workloads * 0.62);
  const at = laterThan(start, -60 * place * place - 12);
  const name = ['web-comes-home', 'all-on-member2', 'payments-after-drain', 'media-spread', 'nightly'][place % 5] ?? '';
  return {
    name: place < 5 ? name : `${name}-${place}`,
    uid: `uid-${place}`,
    generation: 1,
    ...{ state, workloads, successful, failed },
    updatedAt: at,
    ...(state === 'Finished' && { finishedAt: at }),
  };
}

function fakeTaskAnswer({ fleet }: FakeWorld, task: Task, from: number): OutputOf<'getTask'> {
  const count = Math.min(WAVE, Math.max(0, task.workloads - from));
  return {
    task: {
      ...task,
      createdAt: laterThan(task.updatedAt, -40),
      ttlSecondsAfterFinished: 600,
      ...(task.finishedAt !== undefined && { deletedAt: laterThan(task.finishedAt, 600) }),
      rescheduling: {
        state: task.state === 'Running' ? 'Waiting' : 'Confirmed',
        confirmed: task.successful,
        waitingFor: [],
      },
    },
    workloads: Array.from({ length: count }, (_, step) => {
      const place = from + step;
      const { kind, namespace, name } = fleet.workloads[place % fleet.workloads.length] ?? {
        kind: '',
        namespace: '',
        name: '',
      };
      const workload = { apiVersion: 'apps/v1', kind, namespace, name };
      const wantedSince = task.updatedAt;
      if (place < task.successful) return { workload, wantedSince, result: 'Successful' as const };
      if (task.state === 'Running') return { workload, wantedSince };
      const why = 'there is no binding of it; does a PropagationPolicy select it?';
      return { workload, wantedSince, result: 'Failed' as const, reason: 'ReferencedBindingNotFound', why };
    }),
  };
}

function fakeDecisions(start: string): OutputOf<'listDecisions'>['decisions'] {
  return [0, 1, 2].map((place) => ({
    decidedAt: laterThan(start, -180 - place * 1),
    run: 'sweep-1',
    binding: { namespace: 'shop', name: `web-${place}-deployment` },
    outcome: place === 2 ? 'Withheld' : 'Written',
    taken: place === 2 ? 0 : 4,
    clusters: [
      { name: 'member1', assigned: 7, ready: 3, unschedulable: 4, taken: place === 2 ? 0 : 4 },
      {
        name: 'member2',
        assigned: 5,
        ready: 5,
        taken: 0,
        ...(place === 2 && { unusable: 'the estimator did not answer in 3 s' }),
      },
    ],
    next: { member1: place === 2 ? 7 : 3, member2: 5 },
    reason: place === 2 ? 'no other cluster has capacity for 4' : '4 of 7 on member1 found no node for over 5 minutes',
  }));
}

function fakeRun(start: string): OutputOf<'listRuns'>['runs'][number] {
  return {
    run: 'r-7f3a',
    policy: 'come-home',
    state: 'Finished',
    message: '8 replicas moved in 2 waves',
    setOffBy: ['ClusterRecovered member1'],
    startedAt: laterThan(start, -300),
    finishedAt: laterThan(start, -280),
    ...{ waves: 2, wavesDone: 2, workloads: 2, moved: 8, skipped: 1 },
  };
}

function fakeRunAnswer(start: string): OutputOf<'getRun'> {
  const of = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name });
  const moved = { current: { member1: 0, member2: 6, member3: 6 }, next: { member1: 4, member2: 4, member3: 4 } };
  return {
    run: fakeRun(start),
    decisions: [
      { wave: 1, workload: of('web'), outcome: 'Moved', moves: 4, ...moved, reason: 'member1 has capacity again' },
      { wave: 2, workload: of('api'), outcome: 'Moved', moves: 4, ...moved, reason: 'member1 has capacity again' },
      {
        workload: of('cache'),
        outcome: 'Skipped',
        moves: 0,
        current: { member2: 3 },
        next: { member2: 3 },
        reason: 'it is where Fresh wants it',
      },
    ],
  };
}

function fakeDeadLetter(place: number, start: string): Letter {
  const planning = place % 3 !== 2;
  return {
    queue: planning ? 'evenkeel-plan-rebalance' : 'evenkeel-deschedule-bindings',
    id: `letter-${place}`,
    event: planning ? 'WorkloadRebalancerChanged' : 'BindingsSelected',
    detail: planning
      ? { hub: 'practice', name: `nightly-${place}`, uid: 'u', version: 1 }
      : { hub: 'practice', run: 'sweep-1', version: 1 },
    reason: planning ? 'HubUnreachable' : 'EstimatorFailed',
    error: planning ? 'https://hub:6443 did not answer in 10 s, 5 times' : 'member2 closed the connection',
    sentAt: laterThan(start, -90 * (place + 1)),
  };
}

function nameOf(place: number): string {
  return `hub-${String(place).padStart(4, '0')}`;
}

type HubEntry = OutputOf<'listHubs'>['hubs'][number];

function healthOf(place: number, start: string): Pick<HubEntry, 'reach' | 'findings'> {
  if (place >= 3) return { reach: { state: 'Reachable', comparedAt: laterThan(start, -60) }, findings: [] };
  return unreachable('https://10.0.0.7:6443 did not respond in 10 s', laterThan(start, -7200));
}

/** As the API reports a hub that does not respond. */
function unreachable(message: string, comparedAt: string): Pick<HubEntry, 'reach' | 'findings'> {
  const facts = { name: 'hub', state: 'Active' } as const;
  const reach = { state: 'Unreachable' as const, message };
  return {
    reach: { ...reach, comparedAt },
    findings: [...hubFindings({ ...facts, reach: { ...reach, comparedAt: Date.parse(comparedAt) } })],
  };
}

function fakeHubs(start: string): OutputOf<'getHealth'>['hubs'] {
  const silent = { cluster: 'member2', at: laterThan(start, -400), error: 'connection refused' };
  return [
    {
      name: 'practice',
      silentEstimators: [silent],
      slowed: { at: laterThan(start, -900), inFlight: 8 },
      lastEventAt: laterThan(start, -12),
      findings: [
        ...loggedFindings(
          {
            name: 'practice',
            silentEstimators: [{ ...silent, at: Date.parse(silent.at) }],
            slowed: { at: Date.parse(start) - 900_000, inFlight: 8 },
          },
          { now: Date.parse(start), resyncMinutes: 5 },
        ),
      ],
    },
    { name: 'karmada-eu', silentEstimators: [], findings: [] },
  ];
}

function fakeQueues(deadLetters: readonly Letter[]): OutputOf<'getHealth'>['queues'] {
  const functions = [
    'plan-rebalance',
    'trigger-bindings',
    'report-status',
    'expire-rebalancer',
    'deschedule-bindings',
    'release-reduction',
  ];
  const queues = functions.map((name, place) => ({
    name: `evenkeel-${name}`,
    function: `${place === 4 ? 'descheduler' : place === 5 ? 'graceful-reduction' : 'workload-rebalancer'}/${name}`,
    waiting: place === 1 ? 12 : 0,
    inFlight: place === 1 ? 4 : 0,
    deadLetters: deadLetters.filter(({ queue }) => queue === `evenkeel-${name}`).length,
  }));
  return queues.map((queue) => ({ ...queue, findings: [...queueFindings(queue)] }));
}
