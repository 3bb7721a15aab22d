/** Answers what people ask of a deployment: reads, and changes nothing. */
import { awsDescheduling, awsHubs, awsJournal, awsPolicies, awsQueues, awsTasks } from '../../shared/edge/aws-ports.ts';
import { listIfServed } from '../../shared/edge/list-all.ts';
import { listBindings } from '../../shared/edge/list-bindings.ts';
import { onOperator, operatorTask } from '../../shared/edge/operator-task.ts';
import { elasticWorkloads } from '../../shared/model/elastic-workload/elastic-workload.ts';
import { managedClusters } from '../../shared/model/elastic-workload/managed-cluster.ts';
import { asFault } from '../../shared/model/fault.ts';
import { memberClusters } from '../../shared/model/member-cluster.ts';
import { keyText } from '../../shared/model/object-key.ts';
import { type PlacedBinding, placedKind } from '../../shared/model/placed-binding.ts';
import { workloadsOf } from '../../shared/model/rebalance-task.ts';
import { DAY, toTimestamp } from '../../shared/model/time.ts';
import type { FleetAnswer } from '../../shared/operator/operations/fleet.ts';
import type { InputOf, OutputOf } from '../../shared/operator/operations.ts';
import type { Hub } from '../../shared/ports/hub.ts';
import type { Ports, Surroundings } from '../../shared/ports/ports.ts';
import { bindingAt, FAR_BACK, noBinding, noRun, noTask, ofBinding, ofNamespace } from './answer-question.ts';
import { deadLetterView } from './dead-letter-view.ts';
import { decisionView, runAnswer, runView } from './decision-view.ts';
import { fleetAnswer } from './fleet-view.ts';
import { type HubNotes, healthQuestion, hubNotes, unreadNotes } from './health-view.ts';
import { Remembered } from './remembered.ts';
import { taskAnswer, taskSummary } from './task-view.ts';
import { linesAbout, traceAnswer } from './trace-view.ts';
import { workloadAnswer } from './workload-view.ts';

type Uses = Pick<Ports, 'hubs' | 'tasks' | 'descheduling' | 'policies' | 'queues' | 'journal'> & Surroundings;

const MOST_LINES = 50;
/** A query of all logs costs money by what it reads. */
const NOTES_MS = 30_000;

export const task = operatorTask({
  kind: 'question',
  remember: () => ({ fleets: new Remembered<FleetAnswer>(), notes: new Remembered<HubNotes>(NOTES_MS) }),
  answers: {
    about: async (_, { now }: Uses) => ({ may: { order: false, practice: false }, now: toTimestamp(now()) }),
    listHubs,
    getFleet: async ({ hub: name }, ports, { fleets }) => fleets.of(name, ports.now, () => readFleet(name, ports)),
    getWorkload,
    traceBinding,
    listTasks: async ({ hub, limit }, { tasks }) => ({ tasks: (await tasks.recent(hub, limit)).map(taskSummary) }),
    getTask,
    listDecisions: async ({ hub, namespace, limit }, { descheduling }) => {
      const all = await descheduling.decisions(hub, limit);
      return { decisions: ofNamespace(all, namespace).map(decisionView) };
    },
    listRuns: async ({ hub, policy, limit }, { policies }) => {
      const all = await policies.runs(hub, policy === undefined ? limit : FAR_BACK);
      const meant = all.filter(({ name }) => policy === undefined || name === policy);
      return { runs: meant.slice(0, limit).map(runView) };
    },
    getRun,
    getHealth: async (_, ports, { notes }) => {
      const [sights, ofHubs] = await Promise.all([
        ports.queues.sights(),
        notes.of('hubs', ports.now, () => readNotes(ports)),
      ]);
      return { queues: sights.map((sight) => ({ ...sight })), ...ofHubs };
    },
    listDeadLetters: async ({ queue, limit }, { queues }) => ({
      deadLetters: (await queues.deadLetters(limit, queue)).map(deadLetterView),
    }),
  },
});

async function listHubs(_: unknown, { hubs }: Uses): Promise<OutputOf<'listHubs'>> {
  const found = await Promise.all(
    (await hubs.names()).map(async (name) => ({ name, paused: await hubs.pauseOf(name) })),
  );
  return {
    hubs: found.map(({ name, paused }) => ({
      name,
      ...(paused && { paused: { since: toTimestamp(paused.since), reason: paused.reason } }),
    })),
  };
}

/** Logs that can't be read are no reason to say nothing of queues. */
async function readNotes({ hubs, journal, now }: Uses): Promise<HubNotes> {
  const names = await hubs.names();
  return journal.lines(healthQuestion(names, now())).then(
    (lines) => hubNotes(names, lines),
    (thrown: unknown) => unreadNotes(names, asFault(thrown).message),
  );
}

async function readFleet(name: string, { hubs }: Uses): Promise<FleetAnswer> {
  const hub = await hubs.open(name);
  const [members, bindings, managed, workloads] = await Promise.all([
    listIfServed(hub, memberClusters, ({ cluster }) => cluster.name),
    allBindings(hub),
    listIfServed(hub, managedClusters, (cluster) => cluster.name),
    Promise.all(elasticWorkloads.map((kind) => listIfServed(hub, kind, ({ uid }) => uid))),
  ]);
  return fleetAnswer({ members, bindings, managedClusters: managed, elastic: workloads.flat() });
}

async function allBindings(hub: Hub): Promise<readonly PlacedBinding[]> {
  const found = new Map<string, PlacedBinding>();
  for await (const page of (await listBindings(hub)) ?? [])
    for (const binding of page) found.set(keyText(binding.metadata), binding);
  return [...found.values()];
}

async function getWorkload(
  { hub: name, namespace, name: binding }: InputOf<'getWorkload'>,
  { hubs, descheduling, settings }: Uses,
): Promise<OutputOf<'getWorkload'>> {
  const hub = await hubs.open(name);
  const key = bindingAt({ namespace, name: binding });
  const [found, clusters, decisions] = await Promise.all([
    hub.get(placedKind(key), key),
    listIfServed(hub, memberClusters, ({ cluster }) => cluster.name),
    descheduling.decisions(name, FAR_BACK),
  ]);
  if (found === undefined) throw noBinding(name, key);
  const graceSeconds = settings.reductionGraceSeconds;
  const seen = {
    binding: found,
    clusters: clusters.map(({ cluster }) => cluster),
    decisions: ofBinding(decisions, key),
    graceSeconds,
  };
  return workloadAnswer(seen);
}

async function traceBinding(
  { hub: name, namespace, name: binding }: InputOf<'traceBinding'>,
  { hubs, journal, now }: Uses,
): Promise<OutputOf<'traceBinding'>> {
  const hub = await hubs.open(name);
  const key = bindingAt({ namespace, name: binding });
  const found = await hub.get(placedKind(key), key);
  if (found === undefined) throw noBinding(name, key);
  const since = now() - DAY;
  return traceAnswer(await journal.lines({ about: linesAbout(name, found), since, limit: MOST_LINES }));
}

async function getTask({ hub, name, from = 0 }: InputOf<'getTask'>, { tasks }: Uses): Promise<OutputOf<'getTask'>> {
  const latest = (await tasks.recent(hub, FAR_BACK)).find((recent) => recent.name === name);
  const found = latest && (await tasks.readTask({ hub, uid: latest.uid }));
  if (found === undefined) throw noTask(hub, name);
  return taskAnswer(found, workloadsOf(await tasks.readChunks(found)), Number(from));
}

async function getRun({ hub, run }: InputOf<'getRun'>, { policies }: Uses): Promise<OutputOf<'getRun'>> {
  const record = (await policies.runs(hub, FAR_BACK)).find((each) => each.run.run === run);
  if (record === undefined) throw noRun(hub, run);
  return runAnswer(record, await policies.decisions({ hub, uid: record.uid, run }));
}

export const handler = onOperator(task, {
  hubs: awsHubs,
  tasks: awsTasks,
  descheduling: awsDescheduling,
  policies: awsPolicies,
  queues: awsQueues,
  journal: awsJournal,
});
