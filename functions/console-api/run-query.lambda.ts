/** Answers read operations on a deployment; it changes nothing. */
import { awsLogReader } from '../../shared/aws/cloudwatch-log-reader.ts';
import { awsDescheduling } from '../../shared/aws/dynamodb/dynamodb-descheduling-store.ts';
import { awsHistory } from '../../shared/aws/dynamodb/dynamodb-history-store.ts';
import { awsRegistry } from '../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { awsMoveLedger } from '../../shared/aws/dynamodb/dynamodb-move-ledger.ts';
import { awsPolicies } from '../../shared/aws/dynamodb/dynamodb-policy-store.ts';
import { awsTasks } from '../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsHubs } from '../../shared/aws/secrets-manager/secret-hubs.ts';
import { awsQueues } from '../../shared/aws/sqs/sqs-queues.ts';
import { onOperation, operationTask } from '../../shared/console-api/operation-task.ts';
import type { FleetAnswer } from '../../shared/console-api/operations/fleet.ts';
import type { InputOf, OutputOf } from '../../shared/console-api/operations.ts';
import { type DiffSource, readDiffs } from '../../shared/console-api/read-diffs.ts';
import { readFleetObjects } from '../../shared/console-api/read-fleet-objects.ts';
import { readHeldObjects } from '../../shared/console-api/read-held-objects.ts';
import { readObject } from '../../shared/console-api/read-object.ts';
import { readWorkloadObjects } from '../../shared/console-api/read-workload-objects.ts';
import { Remembered } from '../../shared/console-api/remembered.ts';
import { RememberedReach } from '../../shared/console-api/remembered-reach.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { asFault } from '../../shared/core/fault.ts';
import { DAY, toTimestamp } from '../../shared/core/time.ts';
import { VERSION } from '../../shared/core/version.ts';
import type { Member } from '../../shared/karmada/member-cluster.ts';
import { placedKind } from '../../shared/karmada/placed-binding.ts';
import { unknownHub } from '../../shared/kubernetes/hub-record.ts';
import { listLabelled } from '../../shared/kubernetes/list-labelled.ts';
import { readBudgets } from '../../shared/move-budget/read-budgets.ts';
import { readPreview } from '../../shared/move-budget/read-preview.ts';
import { readClusterHistory, readPlacements } from '../../shared/placement-history/read-history.ts';
import { readPolicies } from '../../shared/rebalance-policy/read-policies.ts';
import { readNamedRun, readRuns } from '../../shared/rebalance-policy/read-run.ts';
import type { ContextOf } from '../../shared/runtime/moment.ts';
import { readNamedTask, rebalancerExists } from '../../shared/workload-rebalancer/read-task.ts';
import { budgetsAnswer } from './budget-view.ts';
import { deadLetterView } from './dead-letter-view.ts';
import { decisionView, runAnswer, runView } from './decision-view.ts';
import { runItems, taskItems } from './diff-view.ts';
import { fleetAnswer } from './fleet-view.ts';
import {
  type HubNotes,
  healthQuery,
  hubNotes,
  hubView,
  lastEventQuery,
  queueView,
  recordView,
  unreadNotes,
  worstFirst,
} from './health-view.ts';
import { heldAnswer } from './held-view.ts';
import { clusterHistoryAnswer, placementsAnswer, rangeOf } from './history-view.ts';
import { resourcesOf } from './object-view.ts';
import { labelledResources, policiesAnswer } from './policy-view.ts';
import { previewAnswer, triggersNow } from './preview-view.ts';
import {
  assertRecorded,
  bindingAt,
  FAR_BACK,
  found,
  noBinding,
  noObject,
  noPolicy,
  noRun,
  noTask,
  ofBinding,
  ofNamespace,
  runsOf,
  runsToRead,
  whyUnrecorded,
} from './run-query.ts';
import { taskAnswer, taskSummary } from './task-view.ts';
import { linesAbout, traceAnswer } from './trace-view.ts';
import { workloadAnswer } from './workload-view.ts';

const factories = {
  hubs: awsHubs,
  registry: awsRegistry,
  tasks: awsTasks,
  descheduling: awsDescheduling,
  policies: awsPolicies,
  history: awsHistory,
  ledger: awsMoveLedger,
  queues: awsQueues,
  logs: awsLogReader,
};
type RunQueryContext = ContextOf<typeof factories>;

const MOST_LINES = 50;
/** Reached concurrently by a list: 1,000 hubs of 100 ms each take 2 s, and at most so many connections are open. */
const HUBS_AT_ONCE = 50;
/** Cached: a query of all logs is billed by the data it scans. */
const NOTES_MS = 30_000;

interface AnswerCaches {
  readonly fleets: Remembered<FleetAnswer>;
  readonly notes: Remembered<HubNotes>;
  readonly reach: RememberedReach;
}

export const task = operationTask<'query', RunQueryContext, AnswerCaches>({
  kind: 'query',
  remember: () => ({
    fleets: new Remembered(),
    notes: new Remembered(NOTES_MS),
    reach: new RememberedReach(),
  }),
  answers: {
    about: async (_, { now }: RunQueryContext) => ({
      may: { command: false, practice: false },
      now: toTimestamp(now()),
      version: VERSION,
    }),
    listHubs,
    getHub: async ({ hub }, { registry }) => recordView(found(await registry.read(hub), unknownHub(hub))),
    getHubHealth: async ({ hub }, ports, { reach }) => {
      const record = found(await ports.registry.read(hub), unknownHub(hub));
      return hubView({ record, ...(await reach.of(record, reachContext(ports))) });
    },
    listHeld: async ({ hub }, { hubs, settings }) => {
      const objects = await readHeldObjects(await hubs.open(hub));
      return heldAnswer({ ...objects, graceSeconds: settings.reductionGraceSeconds });
    },
    getFleet: async ({ hub: name }, ports, { fleets }) =>
      fleets.of(name, ports.now, async () => {
        const { hubs } = ports;
        return fleetAnswer(await readFleetObjects(await hubs.open(name), await hubs.uses(name, 'drains')));
      }),
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
    getTask: async ({ from, ...named }, { tasks }) => {
      const { task, workloads } = found(await readNamedTask(tasks, named), noTask(named.hub, named.name));
      return taskAnswer(task, workloads, Number(from));
    },
    getTaskDiff: async ({ from, limit, ...named }, ports) => {
      const { hub, name } = named;
      const read = found(await readNamedTask(ports.tasks, named), noTask(hub, name));
      const [diffs, exists] = await Promise.all([
        readDiffs(await diffSource(hub, ports), { items: taskItems(read, ports.now()), from, limit }),
        from === 0 ? rebalancerExists(ports.hubs, read.task) : undefined,
      ]);
      return { task: taskSummary(read.task), ...(exists !== undefined && { exists }), ...diffs };
    },
    listDecisions: async ({ hub, namespace, limit }, { descheduling }) => {
      const all = await descheduling.decisions(hub, limit);
      return { decisions: ofNamespace(all, namespace).map(decisionView) };
    },
    listRuns: async ({ hub, policy, limit }, { policies }) => {
      const all = await readRuns(policies, hub, runsToRead(limit, policy));
      return { runs: runsOf(all, limit, policy).map(runView) };
    },
    getRun: async (named, { policies }) => {
      const { record, ...decisions } = found(await readNamedRun(policies, named), noRun(named.hub, named.run));
      return runAnswer(record, decisions);
    },
    getRunDiff: async ({ from, limit, ...named }, ports) => {
      const run = found(await readNamedRun(ports.policies, named), noRun(named.hub, named.run));
      const items = runItems(run, ports.now());
      return {
        run: runView(run.record),
        ...(await readDiffs(await diffSource(named.hub, ports), { items, from, limit })),
      };
    },
    listPolicies: async ({ hub }, { hubs, now }) => policiesAnswer(await readPolicies(hubs, hub), now()),
    previewPolicy,
    listBudgets: async ({ hub }, { hubs, ledger, now }) =>
      budgetsAnswer({ ...(await readBudgets(hub, hubs, ledger)), now: now() }),
    selectObjects: async ({ hub, kind, selector }, { hubs }) => {
      const keys = await listLabelled(await hubs.open(hub), labelledResources[kind], selector);
      return { keys: keys.map((key) => ({ ...key })) };
    },
    getObject: async ({ hub, kind, ...named }, { hubs }) => {
      const key = bindingAt(named);
      const resources = resourcesOf(kind, key.namespace !== '');
      const object = await readObject(await hubs.open(hub), resources, key);
      return { object: found(object, noObject(hub, kind, key)) };
    },
    getHealth: async (_, ports, { notes }) => {
      const [observations, ofHubs] = await Promise.all([
        ports.queues.statuses(),
        notes.of('hubs', ports.now, () => readNotes(ports)),
      ]);
      return { queues: observations.map(queueView), ...ofHubs };
    },
    listDeadLetters: async ({ queue, limit }, { queues }) => ({
      deadLetters: (await queues.deadLetters(limit, queue)).map(deadLetterView),
    }),
  },
});

async function listHubs(
  { search = '' }: InputOf<'listHubs'>,
  ports: RunQueryContext,
  { reach }: Pick<AnswerCaches, 'reach'>,
): Promise<OutputOf<'listHubs'>> {
  const records = (await ports.registry.list()).filter(({ name }) => name.includes(search));
  const observed = await eachAtOnce(records, HUBS_AT_ONCE, async (record) => ({
    record,
    ...(await reach.of(record, reachContext(ports), records.length)),
  }));
  return { hubs: [...worstFirst(observed.map(hubView))] };
}

function reachContext({ hubs, tasks, settings, now }: RunQueryContext) {
  return { hubs, settings, now, comparedAt: (hub: string) => tasks.comparedAt(hub) };
}

/** Queues are reported even if the logs can't be read. */
async function readNotes({ hubs, logs, settings, now }: RunQueryContext): Promise<HubNotes> {
  const names = await hubs.names();
  const time = { now: now(), resyncMinutes: settings.resyncMinutes };
  const read = Promise.all([logs.lines(healthQuery(time.now)), logs.lastLines(lastEventQuery(time.now))]);
  return read.then(
    ([lines, lastEvents]) => hubNotes(names, { lines, lastEvents }, time),
    (thrown: unknown) => unreadNotes(names, asFault(thrown).message),
  );
}

async function getWorkload(
  { hub, ...asked }: InputOf<'getWorkload'>,
  ports: RunQueryContext,
): Promise<OutputOf<'getWorkload'>> {
  const key = bindingAt(asked);
  const { binding, decisions, ...read } = await readWorkloadObjects(hub, key, { ...ports, mostDecisions: FAR_BACK });
  return workloadAnswer({
    ...read,
    binding: found(binding, noBinding(hub, key)),
    decisions: ofBinding(decisions, key),
    graceSeconds: ports.settings.reductionGraceSeconds,
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

async function previewPolicy(
  { hub, name }: InputOf<'previewPolicy'>,
  { hubs, now }: RunQueryContext,
): Promise<OutputOf<'previewPolicy'>> {
  const { policies } = await readPolicies(hubs, hub);
  const named = policies.find((policy) => policy.name === name);
  const policy = found(named, noPolicy(hub, name));
  const query = { policy, reason: 'Policy', failback: await hubs.uses(hub, 'failback'), now: now() } as const;
  const triggersOf = (members: readonly Member[]) => triggersNow(policy.spec, members, query.now);
  return previewAnswer(await readPreview(await hubs.open(hub), { ...query, triggersOf }));
}

async function diffSource(hub: string, { hubs, history, settings }: RunQueryContext): Promise<DiffSource> {
  return { hub, history, unrecorded: whyUnrecorded(hub, await hubs.uses(hub, 'history'), settings) };
}

export const handler = onOperation(task, factories);
