/** A row of each kind in the tables with every field that it may have: `Required` makes the compiler ask for a new one. */
import { gunzipSync } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDbHubRegistry } from '../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import type { LocalTable } from '../shared/aws/dynamodb/local-table.ts';
import type { rowFormats } from '../shared/aws/dynamodb/row-formats.ts';
import type { RowKey, TableRow } from '../shared/aws/dynamodb/table.ts';
import type { DeschedulingDecision, DeschedulingRun } from '../shared/descheduling/descheduling.ts';
import type { PlacementObservation } from '../shared/elastic-workload/observe-placement.ts';
import type { ReconcilerState } from '../shared/elastic-workload/replica-balance.ts';
import type { ExternalEvent } from '../shared/external-events/external-event.ts';
import type { RecentAssignment } from '../shared/karmada/assignment/recent-assignments.ts';
import type { ResyncPosition, StoredPosition } from '../shared/karmada/resync-position.ts';
import type { Circuit } from '../shared/kubernetes/hub-circuit.ts';
import type { NewHubRecord } from '../shared/kubernetes/hub-registry.ts';
import type { LedgerMove } from '../shared/move-budget/move-ledger.ts';
import type { ClusterStateRow } from '../shared/placement-history/cluster-row.ts';
import type { ClusterMove, PlacementRow } from '../shared/placement-history/placement-row.ts';
import type {
  PolicyRun,
  PolicyState,
  RunRecord,
  Wave,
  WorkloadDecision,
} from '../shared/rebalance-policy/policy-run.ts';
import type { RebalanceTask, TaskWorkload } from '../shared/workload-rebalancer/rebalance-task.ts';
import { at, deployment } from './builders.ts';

export interface SampledStores extends Omit<LocalTable, 'close'> {
  readonly registry: Pick<DynamoDbHubRegistry, 'list' | 'read' | 'write' | 'publishedUntil' | 'markPublished'>;
}

/** A row, how it is written the first time, and how it is read. */
export interface RowSample {
  readonly kind: string;
  readonly store: keyof typeof rowFormats;
  readonly key: RowKey;
  write(stores: SampledStores): Promise<unknown>;
  /** Undefined: no function reads it. */
  readonly read?: (stores: SampledStores) => Promise<unknown>;
}

const hub = 'samples';
const uid = 'uid-1';
const run = 'run-1';
const late = at(3600);
const web = { namespace: 'shop', name: 'web-deployment' };
const all = { from: at(0), to: at(100), limit: 9 };

const task: Required<RebalanceTask> = {
  ...{ hub, uid, name: 'demo', creationTimestamp: at(0), generation: 1, resourceVersion: '7', statusVersion: '8' },
  ...{
    listDigest: 'a digest',
    plan: 'plan-1',
    state: 'Running',
    ttlSecondsAfterFinished: 5,
    preservesAvailable: true,
    drains: 'member1',
  },
  ...{ share: { drain: 'uid-2', percent: 50 }, assigns: true, ofPolicy: true, workloads: 3, successful: 1, failed: 1 },
  ...{ chunks: 2, pendingChunks: [0, 1], finishTime: at(5), reportedPending: 1, quietSince: at(4), traceId: 'trace' },
  rescheduling: {
    ...{ state: 'Waiting', confirmed: 1, gone: 1, open: { waiting: [1], unread: [2] } },
    ...{ waitingFor: ['Deployment shop/web'], checkedAt: at(6) },
  } satisfies Required<RebalanceTask['rescheduling']>,
  ...{ updatedAt: at(6), expiresAt: late },
};

const workload: Required<TaskWorkload> = {
  ...{ workload: deployment('web'), wantedSince: at(0), wantedVersion: '7', result: 'Failed', why: 'why' },
  reason: 'ReferencedBindingNotFound',
  seen: {
    ...{ resourceVersion: '9', generation: 2, schedulerObservedGeneration: 1, rescheduleTriggeredAt: at(1) },
    ...{ lastScheduledTime: at(0), isAlwaysScheduled: true, usesLaterTerm: true, schedulerName: 's', priority: 1 },
    signature: { triggeredBy: 'r', triggeredAt: at(1), requestedAt: at(0), requestVersion: '6' },
    resource: deployment('web'),
  } satisfies Required<TaskWorkload['seen']>,
  held: { until: at(2), times: 1, lastScheduledTime: at(0) },
  assignment: { member1: 2 },
};

const sweep: Required<DeschedulingRun> = {
  ...{ hub, run, state: 'Working', startedAt: at(0), leaseUntil: at(60), pendingChunks: [1], seen: 3, candidates: 1 },
  ...{ moved: 1, assumed: { member1: { cpu: 1 } } },
};

const decision: Required<DeschedulingDecision> = {
  ...{ hub, run, binding: web, decidedAt: at(1), resourceVersion: '9', taken: 1, outcome: 'Planned', reason: 'why' },
  clusters: [{ name: 'member1', assigned: 2, ready: 1, unschedulable: 1, unusable: 'why', taken: 1 }],
  next: [{ name: 'member1', replicas: 1 }],
};

const policyRun: Required<PolicyRun> = {
  ...{ run, state: 'Running', message: 'wave 1 of 2', startedAt: at(0), finishedAt: at(9), plan: 'plan', waves: 2 },
  triggers: [
    { type: 'ClusterRecovered', cluster: 'member1', uid, at: at(0) },
    { type: 'ExternalEvent', event: 'event-1', at: at(0) },
    { type: 'Imbalance', percent: 20 },
    { type: 'Price', minScore: 5 },
  ],
  ...{ wavesDone: 1, unfinished: [web], notBefore: at(1), heldBy: 'budget', workloads: 2, moved: 1, skipped: 1 },
  inFlight: { rebalancer: 'home-run-1-0', rebalancerUid: uid, startedAt: at(1), readyBy: at(60) },
  before: { clusters: {} },
};

const policy: Required<PolicyState> = {
  ...{ hub, uid, name: 'home', drains: 'member1', version: 0, run: policyRun, stoppedPlan: 'plan', expiresAt: late },
  answered: {
    ...{ clusters: { [uid]: at(0) }, calendar: { text: '0 9 * * *', at: at(0) } },
    ...{ requestedAt: at(0), externalEventAt: at(0) },
  } satisfies Required<PolicyState['answered']>,
};

const moved: Required<WorkloadDecision> = {
  ...{ workload: deployment('web'), binding: web, why: 'recovered', current: { member2: 3 }, next: { member1: 3 } },
  ...{ moves: 3, score: 7, outcome: 'Moving', reason: 'why', until: at(9), putOff: 1 },
};
const wave: Required<Wave> = { hub, uid, run, number: 0, workloads: [moved] };

const { plan: _plan, before: _before, unfinished: _unfinished, heldBy: _heldBy, ...recorded } = policyRun;
const record: Required<RunRecord> = { hub, uid, name: 'home', run: recorded };

const observation: Required<PlacementObservation> = {
  ...{ written: 3, reached: true, pending: [2], pin: 4, past: 5, short: { since: at(0), most: 2 }, failures: 1 },
  ...{ cap: { replicas: 2, until: at(60), unreachable: true, guessed: true }, readySince: at(0) },
};
const memory: Required<Omit<ReconcilerState, 'scores'>> = {
  ...{ strategy: 'digest', observations: { spoke1: observation }, dueAt: at(60) },
};

const position: Required<ResyncPosition> = {
  ...{ versions: { resourcebindings: '9' }, open: ['shop/web'], context: 'context', listedAt: at(0) },
  rest: { plural: 'resourcebindings', token: 'token', began: at(0), counts: { seen: 3 } },
};

const assignment: Required<RecentAssignment> = {
  ...{ at: at(0), replicas: { member1: { cpu: 1 } }, reports: { member1: 7 } },
};

const move: Required<LedgerMove> = {
  ...{ binding: web, reason: 'Policy', mover: 'run-1', leaves: { member1: 2 }, at: at(0), generation: 3 },
  ...{ written: true, over: true },
};

const incident: Required<ExternalEvent> = {
  ...{ id: 'event-1', type: 'SpotInterruption', hub, startsAt: at(0), repeatedAt: at(1), endsAt: at(60) },
  ...{ receivedAt: at(1), event: { source: 'aws.ec2' }, account: '1', region: 'r', zones: ['z'], instances: ['i'] },
  ...{ eksClusters: ['e', 'f'], autoScalingGroup: 'g', capacityReservation: 'c', cluster: 'member1' },
};

const placement: Required<PlacementRow> = {
  ...{ at: at(1), version: '5', lastVersion: '6', binding: web, uid, workload: deployment('web'), total: 3 },
  ...{ assigned: { member1: 3 }, ready: { member1: 2 }, cause: { by: 'User', name: 'ana', why: 'scaled' }, gone: true },
  marks: {
    ...{ triggeredAt: at(0), assignedAt: 'a', descheduledAt: 'd', unschedulableMovedBy: 'r', evicted: ['member2'] },
  } satisfies Required<PlacementRow['marks']>,
  openMove: { ready: 3, lostSeconds: 4 },
};
const clusterMove: Required<ClusterMove> = {
  ...{ at: at(1), version: '5', binding: web, workload: deployment('web'), cluster: 'member1', from: 0, to: 3 },
  cause: { by: 'User', name: 'ana', why: 'scaled' },
};
const clusterState: Required<ClusterStateRow> = {
  ...{ at: at(1), version: '5', cluster: 'member1', state: 'NotReady', taints: ['a:NoExecute'], why: 'why' },
  capacity: { allocatable: { cpu: '1' }, allocated: { cpu: '1' } },
};

const circuit: Required<Circuit> = { state: 'Open', openUntil: at(2), streak: 1, silentAfterMs: 2000 };

const digest = 'a'.repeat(64);
const hubRow: Required<NewHubRecord> = {
  ...{ name: hub, state: 'Active', pause: { since: at(0), reason: 'why', by: 'ana' }, features: ['history'] },
  ...{ server: 'https://samples', account: 'evenkeel', auditLogGroup: '/aws/eks/e/cluster', hasEstimator: true },
  callers: { tokenDigests: [digest], reviewKeyDigests: [digest], subjects: ['CN=hub'] },
};

const policies = `REBALANCE-POLICIES#${hub}`;
const descheduling = `DESCHEDULING#${hub}`;
const history = `#${hub}#`;
const second = '2026-11-21T10:00:01Z';
const five = '5'.padStart(20, '0');

export const rowSamples: readonly RowSample[] = [
  {
    ...{ kind: 'task', store: 'tasks', key: { pk: `TASK#${hub}#${uid}`, sk: 'META' } },
    write: ({ tasks }) => tasks.commitPlan(task, undefined),
    read: ({ tasks }) => tasks.readTask(task),
  },
  {
    ...{ kind: 'chunk of a task', store: 'tasks', key: { pk: `TASK#${hub}#${uid}`, sk: 'PLAN#plan-1#CHUNK#00000' } },
    write: ({ tasks }) =>
      tasks.writeChunks([{ task: { hub, uid }, plan: 'plan-1', number: 0, version: 0, workloads: [workload] }], late),
    read: ({ tasks }) => tasks.readChunks(task),
  },
  {
    ...{ kind: 'time of a comparison', store: 'tasks', key: { pk: `HUB#${hub}`, sk: 'COMPARED' } },
    write: ({ tasks }) => tasks.markCompared(hub, at(0)),
    read: ({ tasks }) => tasks.comparedAt(hub),
  },
  {
    ...{ kind: 'run of the descheduler', store: 'descheduling', key: { pk: descheduling, sk: 'RUN' } },
    write: (stores) => stores.descheduling.beginRun(sweep, at(0)),
    read: (stores) => stores.descheduling.readRun(hub),
  },
  {
    ...{ kind: 'chunk of candidates', store: 'descheduling', key: { pk: descheduling, sk: `RUN#${run}#CHUNK#00001` } },
    write: (stores) => stores.descheduling.writeChunk({ hub, run, number: 1, bindings: [web] }, late),
    read: (stores) => stores.descheduling.readChunk({ hub, run }, 1),
  },
  {
    ...{ kind: 'last decision on a binding', store: 'descheduling' },
    key: { pk: `${descheduling}#shop/web-deployment`, sk: 'LAST' },
    write: (stores) => stores.descheduling.record(decision, undefined, late),
    read: (stores) => stores.descheduling.lastDecision(hub, web),
  },
  {
    ...{ kind: 'decision in the history', store: 'descheduling' },
    key: { pk: descheduling, sk: `DECISION#${run}#shop/web-deployment` },
    write: (stores) => stores.descheduling.settle(decision, late),
    read: (stores) => stores.descheduling.decisions(hub, 9),
  },
  {
    ...{ kind: 'observed clusters', store: 'policies', key: { pk: policies, sk: 'CLUSTERS' } },
    write: (stores) =>
      stores.policies.saveObservations({
        hub,
        version: 0,
        clusters: { [uid]: { name: 'member1', readySince: at(0) } },
      }),
    read: (stores) => stores.policies.readObservations(hub),
  },
  {
    ...{ kind: 'policy', store: 'policies', key: { pk: policies, sk: `POLICY#${uid}` } },
    write: (stores) => stores.policies.saveState(policy),
    read: (stores) => stores.policies.readStates(hub),
  },
  {
    ...{ kind: 'wave', store: 'policies', key: { pk: policies, sk: `RUN#${run}#${uid}#WAVE#00000` } },
    write: (stores) => stores.policies.writeWave(wave, 1, late),
    read: (stores) => stores.policies.readWave(wave, 0),
  },
  {
    ...{ kind: 'skipped workloads', store: 'policies', key: { pk: policies, sk: `RUN#${run}#${uid}#SKIPPED#00000` } },
    write: (stores) => stores.policies.writeSkipped(wave, late),
    read: (stores) => stores.policies.decisions(wave),
  },
  {
    ...{ kind: 'lease of a workload', store: 'policies', key: { pk: `${policies}#shop/web-deployment`, sk: 'LEASE' } },
    write: (stores) => stores.policies.takeLease(hub, web, { run, until: at(60) }, at(0)),
    read: (stores) => stores.policies.lastLease(hub, web),
  },
  {
    ...{ kind: 'run in the history', store: 'policies', key: { pk: policies, sk: `HISTORY#${run}#${uid}` } },
    write: (stores) => stores.policies.recordRun(hub, record, late),
    read: (stores) => stores.policies.runs(hub, 9),
  },
  {
    ...{ kind: 'ElasticWorkload', store: 'elastic', key: { pk: `ELASTIC-WORKLOAD#${hub}#${uid}`, sk: 'MEMORY' } },
    write: ({ elastic }) => elastic.save({ hub, uid, version: 0, memory }, late),
    read: ({ elastic }) => elastic.read({ hub, uid }),
  },
  {
    ...{ kind: 'position of a resync', store: 'positions', key: { pk: `POSITION#${hub}`, sk: 'find-reductions' } },
    write: ({ positions }) => positions.save({ hub, function: 'find-reductions' }, position, undefined),
    read: ({ positions }): Promise<StoredPosition | undefined> => positions.read({ hub, function: 'find-reductions' }),
  },
  {
    ...{ kind: 'recent assignments', store: 'assignments', key: { pk: `ASSIGNMENTS#${hub}`, sk: 'RECENT' } },
    write: ({ assignments }) => assignments.save(hub, [assignment], { before: undefined, expiresAt: late }),
    read: ({ assignments }) => assignments.read(hub),
  },
  {
    ...{ kind: 'moves within budgets', store: 'ledger', key: { pk: `MOVES#${hub}`, sk: 'LEDGER' } },
    write: ({ ledger }) => ledger.save(hub, [move], { before: undefined, expiresAt: late }),
    read: ({ ledger }) => ledger.read(hub),
  },
  {
    ...{ kind: 'event from outside', store: 'externalEvents' },
    key: { pk: 'EXTERNAL-EVENTS', sk: '' },
    write: ({ externalEvents }) => externalEvents.save(incident, 0),
    read: ({ externalEvents }) => externalEvents.read(incident.id),
  },
  {
    ...{ kind: 'placement', store: 'history' },
    key: { pk: `PLACEMENTS${history}shop/web-deployment`, sk: `PLACEMENT#${second}#${five}` },
    write: (stores) => stores.history.recordPlacement(hub, { row: placement, moves: [] }, late),
    read: (stores) => stores.history.placements(hub, web, all),
  },
  {
    ...{ kind: 'move of a cluster', store: 'history' },
    key: { pk: `CLUSTER-HISTORY${history}member1`, sk: `MOVE#${second}#${five}#shop/web-deployment` },
    write: (stores) =>
      stores.history.recordPlacement(hub, { row: { ...placement, version: '4' }, moves: [clusterMove] }, late),
    read: (stores) => stores.history.clusterMoves(hub, 'member1', all),
  },
  {
    ...{ kind: 'state of a cluster', store: 'history' },
    key: { pk: `CLUSTER-HISTORY${history}member1`, sk: `STATE#${second}#${five}` },
    write: (stores) => stores.history.recordCluster(hub, clusterState, late),
    read: (stores) => stores.history.lastCluster(hub, 'member1'),
  },
  {
    ...{ kind: 'circuit breaker', store: 'circuits', key: { pk: `CIRCUIT#${hub}`, sk: 'STATE' } },
    write: ({ circuits }) => circuits.write(hub, circuit, undefined),
    read: ({ circuits }) => circuits.read(hub),
  },
  {
    ...{ kind: 'budget of requests', store: 'budgets', key: { pk: `BUDGET#${hub}`, sk: 'PERIOD#7' } },
    write: ({ budgets }) => budgets.take(hub, { number: 7, end: late }, 4, 9),
  },
  {
    ...{ kind: 'hub', store: 'registry', key: { pk: 'HUBS', sk: hub } },
    write: ({ registry }) => registry.write(hubRow, 0),
    read: ({ registry }) => registry.read(hub),
  },
  {
    ...{ kind: 'time of published schedules', store: 'registry', key: { pk: 'SCHEDULES', sk: 'PUBLISHED' } },
    write: ({ registry }) => registry.markPublished(undefined, at(0)),
    read: ({ registry }) => registry.publishedUntil(),
  },
];

/** The table without the product's code: its rows as they are. */
export class RawTable {
  readonly #client: DynamoDBClient;
  readonly #documents: DynamoDBDocumentClient;
  readonly #name: string;

  constructor(endpoint: string, name: string) {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    this.#client = new DynamoDBClient({ endpoint, region: 'local', credentials });
    this.#documents = DynamoDBDocumentClient.from(this.#client);
    this.#name = name;
  }

  /** The row of this key; of an empty sort key, the only one of its partition. */
  async row({ pk, sk }: RowKey): Promise<TableRow | undefined> {
    const { Items = [] } = await this.#documents.send(
      new QueryCommand({
        TableName: this.#name,
        KeyConditionExpression: `pk = :pk${sk === '' ? '' : ' AND sk = :sk'}`,
        ExpressionAttributeValues: { ':pk': pk, ...(sk !== '' && { ':sk': sk }) },
        ConsistentRead: true,
      }),
    );
    return Items[0];
  }

  async rows(): Promise<readonly TableRow[]> {
    const { Items = [] } = await this.#documents.send(new ScanCommand({ TableName: this.#name, ConsistentRead: true }));
    return Items;
  }

  async put(row: TableRow): Promise<void> {
    await this.#documents.send(new PutCommand({ TableName: this.#name, Item: row }));
  }

  close(): void {
    this.#client.destroy();
  }
}

/** The value with packed and JSON texts as what is in them. */
export function readableRow(value: unknown): unknown {
  if (value instanceof Uint8Array) return { gzip: readableRow(JSON.parse(gunzipSync(value).toString())) };
  if (value instanceof Set) return { set: [...(value as Set<unknown>)].sort() };
  if (typeof value === 'string' && /^[[{]/.test(value)) return { json: readableRow(JSON.parse(value)) };
  if (Array.isArray(value)) return value.map(readableRow);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, readableRow(each)]));
}

/** The names of a readable row's fields with their types, in alphabetical order. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shapes = new Set(value.map((each) => JSON.stringify(shapeOf(each))));
    return [...shapes].map((text) => JSON.parse(text) as unknown);
  }
  if (typeof value !== 'object' || value === null) return typeof value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, each]) => [name, shapeOf(each)]));
}
