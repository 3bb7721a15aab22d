/** Answers read operations on a deployment; it changes nothing. */
import { awsLogReader } from '../../shared/aws/cloudwatch-log-reader.ts';
import { awsDescheduling } from '../../shared/aws/dynamodb/dynamodb-descheduling-store.ts';
import { awsHistory } from '../../shared/aws/dynamodb/dynamodb-history-store.ts';
import { awsRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { awsPolicies } from '../../shared/aws/dynamodb/dynamodb-policy-store.ts';
import { awsTasks } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { awsQueues } from '../../shared/aws/sqs/sqs-queues.ts';
import type { Queues } from '../../shared/bus/queues.ts';
import { onOperation, operationTask } from '../../shared/console-api/operation-task.ts';
import type { FleetAnswer } from '../../shared/console-api/operations/fleet.ts';
import type { InputOf, OutputOf } from '../../shared/console-api/operations.ts';
import { Remembered } from '../../shared/console-api/remembered.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { asFault } from '../../shared/core/fault.ts';
import type { InvocationContext } from '../../shared/core/invocation.ts';
import type { LogReader } from '../../shared/core/log-reader.ts';
import { DAY, toTimestamp } from '../../shared/core/time.ts';
import { VERSION } from '../../shared/core/version.ts';
import type { DeschedulingStore } from '../../shared/descheduling/descheduling-store.ts';
import { elasticClaims, elasticWorkloads } from '../../shared/elastic-workload/elastic-workload.ts';
import { managedClusters } from '../../shared/elastic-workload/managed-cluster.ts';
import { resourceBindings } from '../../shared/karmada/binding.ts';
import { allBindings } from '../../shared/karmada/list-bindings.ts';
import { memberClusters } from '../../shared/karmada/member-cluster.ts';
import { placedKind } from '../../shared/karmada/placed-binding.ts';
import type { Hubs } from '../../shared/kubernetes/hub.ts';
import { type HubReach, reachOf } from '../../shared/kubernetes/hub-reach.ts';
import { unknownHub } from '../../shared/kubernetes/hub-record.ts';
import type { HubRecord, HubRegistry } from '../../shared/kubernetes/hub-registry.ts';
import { listIfServed } from '../../shared/kubernetes/list-all.ts';
import { listLabelled } from '../../shared/kubernetes/list-labelled.ts';
import type { HistoryStore } from '../../shared/placement-history/history-store.ts';
import { readClusterHistory, readPlacements } from '../../shared/placement-history/read-history.ts';
import type { PolicyStore } from '../../shared/rebalance-policy/policy-store.ts';
import { listDrains } from '../../shared/rebalance-policy/read-fleet.ts';
import { readPolicies } from '../../shared/rebalance-policy/read-policies.ts';
import { workloadsOf } from '../../shared/workload-rebalancer/rebalance-task.ts';
import type { TaskStore } from '../../shared/workload-rebalancer/task-store.ts';
import { deadLetterView } from './dead-letter-view.ts';
import { decisionView, runAnswer, runView } from './decision-view.ts';
import { fleetAnswer } from './fleet-view.ts';
import { type HubNotes, healthQuery, hubNotes, hubView, recordView, unreadNotes, worstFirst } from './health-view.ts';
import { heldAnswer } from './held-view.ts';
import { clusterHistoryAnswer, placementsAnswer, rangeOf } from './history-view.ts';
import { labelledResources, policiesAnswer } from './policy-view.ts';
import {
  assertRecorded,
  bindingAt,
  FAR_BACK,
  found,
  latestNamed,
  noBinding,
  noRun,
  noTask,
  ofBinding,
  ofNamespace,
  runsOf,
  runsToRead,
} from './run-query.ts';
import { taskAnswer, taskSummary } from './task-view.ts';
import { linesAbout, traceAnswer } from './trace-view.ts';
import { workloadAnswer } from './workload-view.ts';

interface RunQueryContext extends InvocationContext {
  readonly hubs: Hubs;
  readonly registry: HubRegistry;
  readonly tasks: TaskStore;
  readonly descheduling: DeschedulingStore;
  readonly policies: PolicyStore;
  readonly history: HistoryStore;
  readonly queues: Queues;
  readonly logs: LogReader;
}

const MOST_LINES = 50;
/** Reached concurrently by a list: 1,000 hubs of 100 ms each take 2 s, and at most so many connections are open. */
const HUBS_AT_ONCE = 50;
/** Of one hub each, a few hundred bytes. */
const MOST_REACHES = 2000;
/** Cached: a query of all logs is billed by the data it scans. */
const NOTES_MS = 30_000;
/** A page asks every two seconds, and 1,000 hubs are then sent 200 requests a second. */
const REACH_MS = 5000;

interface AnswerCaches {
  readonly fleets: Remembered<FleetAnswer>;
  readonly notes: Remembered<HubNotes>;
  readonly reach: Remembered<HubReach>;
}

export const task = operationTask<'query', RunQueryContext, AnswerCaches>({
  kind: 'query',
  remember: () => ({
    fleets: new Remembered(),
    notes: new Remembered(NOTES_MS),
    reach: new Remembered(REACH_MS, MOST_REACHES),
  }),
  answers: {
    about: async (_, { now }: RunQueryContext) => ({
      may: { command: false, practice: false },
      now: toTimestamp(now()),
      version: VERSION,
    }),
    listHubs,
    getHub: async ({ hub }, { registry }) => recordView(found(await registry.read(hub), unknownHub(hub))),
    listHeld,
    getFleet: async ({ hub: name }, ports, { fleets }) => fleets.of(name, ports.now, () => readFleet(name, ports)),
    getWorkload,
    traceBinding,
    listPlacements: async ({ hub, namespace, name, ...given }, { hubs, history, now }) => {
      assertRecorded(hub, await hubs.uses(hub, 'history'));
      const binding = bindingAt({ namespace, name });
      return placementsAnswer(await readPlacements(history, { hub, binding }, rangeOf(given, now())));
    },
    getClusterHistory: async ({ hub, cluster, ...given }, { hubs, history, now }) => {
      assertRecorded(hub, await hubs.uses(hub, 'history'));
      return clusterHistoryAnswer(await readClusterHistory(history, { hub, cluster }, rangeOf(given, now())));
    },
    listTasks: async ({ hub, limit }, { tasks }) => ({ tasks: (await tasks.recent(hub, limit)).map(taskSummary) }),
    getTask,
    listDecisions: async ({ hub, namespace, limit }, { descheduling }) => {
      const all = await descheduling.decisions(hub, limit);
      return { decisions: ofNamespace(all, namespace).map(decisionView) };
    },
    listRuns: async ({ hub, policy, limit }, { policies }) => {
      const all = await policies.runs(hub, runsToRead(limit, policy));
      return { runs: runsOf(all, limit, policy).map(runView) };
    },
    getRun,
    listPolicies: async ({ hub }, { hubs }) => policiesAnswer(await readPolicies(hubs, hub)),
    selectObjects,
    getHealth: async (_, ports, { notes }) => {
      const [observations, ofHubs] = await Promise.all([
        ports.queues.statuses(),
        notes.of('hubs', ports.now, () => readNotes(ports)),
      ]);
      return { queues: observations.map((observation) => ({ ...observation })), ...ofHubs };
    },
    listDeadLetters: async ({ queue, limit }, { queues }) => ({
      deadLetters: (await queues.deadLetters(limit, queue)).map(deadLetterView),
    }),
  },
});

async function listHubs(
  { search = '' }: InputOf<'listHubs'>,
  ports: RunQueryContext,
  { reach }: { readonly reach: Remembered<HubReach> },
): Promise<OutputOf<'listHubs'>> {
  const { registry, now } = ports;
  const records = (await registry.list()).filter(({ name }) => name.includes(search));
  const observed = await eachAtOnce(records, HUBS_AT_ONCE, async (record) => ({
    record,
    reach: await reach.of(record.name, now, () => reachHub(record, ports)),
  }));
  return { hubs: [...worstFirst(observed.map(hubView))] };
}

async function reachHub({ name, state }: HubRecord, ports: RunQueryContext): Promise<HubReach> {
  const { tasks, settings, now } = ports;
  const [error, comparedAt] = await Promise.all([
    state === 'Removing' ? 'it is being removed' : requestError(name, ports),
    tasks.comparedAt(name),
  ]);
  const { resyncMinutes } = settings;
  return reachOf({ error, comparedAt, resyncMinutes, now: now() });
}

/** Reads an object that does not exist: the cheapest request to a hub. */
async function requestError(name: string, { hubs }: RunQueryContext): Promise<string | undefined> {
  try {
    const hub = await hubs.open(name);
    await hub.identify(resourceBindings, { namespace: 'default', name: 'evenkeel' });
    return undefined;
  } catch (thrown) {
    return asFault(thrown).message;
  }
}

async function listHeld(
  { hub: name }: InputOf<'listHeld'>,
  { hubs, settings }: RunQueryContext,
): Promise<OutputOf<'listHeld'>> {
  const hub = await hubs.open(name);
  const [bindings, ...claims] = await Promise.all([
    allBindings(hub),
    ...elasticClaims.map((kind) => listIfServed(hub, kind, ({ uid }) => uid)),
  ]);
  return heldAnswer({ bindings, claims: claims.flat(), graceSeconds: settings.reductionGraceSeconds });
}

/** Queues are reported even if the logs can't be read. */
async function readNotes({ hubs, logs, now }: RunQueryContext): Promise<HubNotes> {
  const names = await hubs.names();
  return logs.lines(healthQuery(now())).then(
    (lines) => hubNotes(names, lines),
    (thrown: unknown) => unreadNotes(names, asFault(thrown).message),
  );
}

async function readFleet(name: string, { hubs }: RunQueryContext): Promise<FleetAnswer> {
  const hub = await hubs.open(name);
  const hasDrains = await hubs.uses(name, 'drains');
  const [drains, members, bindings, managed, workloads] = await Promise.all([
    hasDrains ? listDrains(hub) : undefined,
    listIfServed(hub, memberClusters, ({ cluster }) => cluster.name),
    allBindings(hub),
    listIfServed(hub, managedClusters, (cluster) => cluster.name),
    Promise.all(elasticWorkloads.map((kind) => listIfServed(hub, kind, ({ uid }) => uid))),
  ]);
  return fleetAnswer({ drains, members, bindings, managedClusters: managed, elastic: workloads.flat() });
}

async function getWorkload(
  { hub: name, ...asked }: InputOf<'getWorkload'>,
  { hubs, descheduling, settings }: RunQueryContext,
): Promise<OutputOf<'getWorkload'>> {
  const hub = await hubs.open(name);
  const key = bindingAt(asked);
  const [failback, binding, clusters, decisions] = await Promise.all([
    hubs.uses(name, 'failback'),
    hub.get(placedKind(key), key),
    listIfServed(hub, memberClusters, ({ cluster }) => cluster.name),
    descheduling.decisions(name, FAR_BACK),
  ]);
  return workloadAnswer({
    binding: found(binding, noBinding(name, key)),
    clusters: clusters.map(({ cluster }) => cluster),
    failback,
    decisions: ofBinding(decisions, key),
    graceSeconds: settings.reductionGraceSeconds,
  });
}

async function traceBinding(
  { hub: name, ...asked }: InputOf<'traceBinding'>,
  { hubs, logs, now }: RunQueryContext,
): Promise<OutputOf<'traceBinding'>> {
  const hub = await hubs.open(name);
  const key = bindingAt(asked);
  const binding = found(await hub.get(placedKind(key), key), noBinding(name, key));
  const since = now() - DAY;
  return traceAnswer(await logs.lines({ about: linesAbout(name, binding), since, limit: MOST_LINES }));
}

async function getTask(
  { hub, name, uid: known, from = 0 }: InputOf<'getTask'>,
  { tasks }: RunQueryContext,
): Promise<OutputOf<'getTask'>> {
  const missing = noTask(hub, name);
  const uid = known ?? found(latestNamed(name, await tasks.recent(hub, FAR_BACK)), missing).uid;
  const task = found(await tasks.readTask({ hub, uid }), missing);
  return taskAnswer(task, workloadsOf(await tasks.readChunks(task)), Number(from));
}

async function getRun({ hub, run }: InputOf<'getRun'>, { policies }: RunQueryContext): Promise<OutputOf<'getRun'>> {
  const records = await policies.runs(hub, FAR_BACK);
  const record = found(
    records.find((each) => each.run.run === run),
    noRun(hub, run),
  );
  return runAnswer(record, await policies.decisions({ hub, uid: record.uid, run }));
}

async function selectObjects({ hub: name, kind, selector }: InputOf<'selectObjects'>, { hubs }: RunQueryContext) {
  const keys = await listLabelled(await hubs.open(name), labelledResources[kind], selector);
  return { keys: keys.map((key) => ({ ...key })) };
}

export const handler = onOperation(task, {
  hubs: awsHubs,
  registry: awsRegistry,
  tasks: awsTasks,
  descheduling: awsDescheduling,
  policies: awsPolicies,
  history: awsHistory,
  queues: awsQueues,
  logs: awsLogReader,
});
