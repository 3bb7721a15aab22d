/**
 * Every function: what it decides, and all it may touch. IAM grants, the hub's RBAC and the README's table are made
 * from this, so a function that needs more must say so here.
 */
import type { EventType } from './events/catalogue.ts';
import { elasticGroups } from './model/elastic-workload/elastic-workload.ts';
import { workloadKinds } from './model/workload-metadata.ts';

type TableAction = 'GetItem' | 'Query' | 'PutItem' | 'UpdateItem';

export interface HubAccess {
  readonly group: string;
  /** A subresource is written after a slash: "workloadrebalancers/status". */
  readonly resource: string;
  readonly verbs: readonly ('get' | 'list' | 'patch' | 'delete' | 'create')[];
  /** Only of the account that the functions themselves have on the hub: a Role in its namespace, limited to its name. */
  readonly ofOwnAccount?: true;
  /** Granted only to who asks for it: `evenkeel hub manifests --count-pods`, `--orders`. */
  readonly onlyWhere?: HubUse;
}

/** What not every hub is used for. */
export type HubUse =
  | 'pods are counted'
  | 'policies are used'
  | 'reductions are held'
  | 'workloads are elastic'
  | 'rebalances are ordered';

export interface FunctionDefinition {
  readonly decides: string;
  readonly writes: string;
  /** Put on the bus. */
  readonly says: readonly EventType[];
  readonly table: readonly TableAction[];
  /** Whether it lists tasks by the table's index, which lags: nothing is decided from that. */
  readonly readsIndex?: true;
  /** Whether it asks the logs of those behind queues what they told. */
  readonly readsLogs?: true;
  /** What it may do with every queue and its dead letters, its own or not: `redrives` has dead letters delivered again. */
  readonly queues?: 'reads' | 'redrives';
  readonly hub: readonly HubAccess[];
  /** Whether it writes the hubs' connections; who calls hubs may read them. */
  readonly writesConnections?: true;
  /** Put on the bus later, by a one-time schedule. */
  readonly schedules: readonly EventType[];
  /**
   * `queue`: fed by the routes that name it. `http`: behind the hook's URL. `logs`: fed by the audit logs that hubs name. `operator`:
   * called by people and their tools, whoever has lambda:InvokeFunction on it.
   */
  readonly invokedBy: 'queue' | 'http' | 'logs' | 'operator';
  /** Of one behind the hook's URL: where it is called, by POST. */
  readonly paths?: readonly string[];
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

const rebalancers = { group: 'apps.karmada.io', resource: 'workloadrebalancers' };
const work = 'work.karmada.io';
const policy = 'policy.karmada.io';
const clusters: HubAccess = { group: 'cluster.karmada.io', resource: 'clusters', verbs: ['list'] };

const rebalancePolicies = { group: 'evenkeel.dev', resource: 'rebalancepolicies' };
const rebalancePolicyStatus: HubAccess = {
  group: 'evenkeel.dev',
  resource: 'rebalancepolicies/status',
  verbs: ['patch'],
};
const events: HubAccess = { group: '', resource: 'events', verbs: ['create'] };

function onlyWhere(use: HubUse, accesses: readonly HubAccess[]): readonly HubAccess[] {
  return accesses.map((access) => ({ ...access, onlyWhere: use }));
}

function workloads(...verbs: HubAccess['verbs']): readonly HubAccess[] {
  return workloadKinds.map(({ group, plural }) => ({ group, resource: plural, verbs }));
}

const clusterManagement = 'cluster.open-cluster-management.io';

function elasticWorkloads(resource: string, ...verbs: HubAccess['verbs']): readonly HubAccess[] {
  return elasticGroups.map((group) => ({ group, resource, verbs }));
}

function bindings(...verbs: HubAccess['verbs']): readonly HubAccess[] {
  return [
    { group: work, resource: 'resourcebindings', verbs },
    { group: work, resource: 'clusterresourcebindings', verbs },
  ];
}

/** What receivers of a hub's changes say. */
const changesOnHubs = [
  'WorkloadRebalancerChanged',
  'BindingChanged',
  'BindingStatusChanged',
  'RebalancePolicyChanged',
  'ClusterChanged',
  'PropagationPolicyChanged',
  'ElasticWorkloadChanged',
  'PlacementDecisionChanged',
  'ManagedClusterChanged',
  'ManifestWorkChanged',
  'ResyncDue',
] as const;

export const functions = {
  'cluster-hook/admit-change': {
    decides: 'which of the audit events concern us',
    writes: 'nothing',
    says: changesOnHubs,
    table: [],
    hub: [],
    schedules: [],
    invokedBy: 'http',
    paths: ['/hubs/{hub}/audit'],
    timeoutSeconds: 15,
    memoryMb: 512,
  },
  'cluster-hook/read-audit-log': {
    decides: "which of the audit events in a control plane's log concern us",
    writes: 'nothing',
    says: changesOnHubs,
    table: [],
    hub: [],
    schedules: [],
    invokedBy: 'logs',
    timeoutSeconds: 30,
    memoryMb: 512,
  },
  'cluster-hook/review-admission': {
    decides:
      'whether a write on the hub may go through, and what to tell whoever made it; which replicas it takes away are kept',
    writes: 'nothing itself: its answer changes the write',
    says: [],
    table: [],
    hub: [],
    schedules: [],
    invokedBy: 'http',
    // A key in the path, for API servers that can present no credential to an admission webhook.
    paths: ['/hubs/{hub}/admission', '/hubs/{hub}/admission/{key}'],
    timeoutSeconds: 5,
    memoryMb: 1024,
  },
  'workload-rebalancer/plan-rebalance': {
    decides: 'whether this generation is planned already; which workloads are new, kept or dropped; the chunks',
    writes: 'task and chunks',
    says: ['RebalanceChunkPlanned', 'RebalanceFinished'],
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    hub: [{ ...rebalancers, verbs: ['get'] }, ...bindings('get', 'list')],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 1024,
  },
  'workload-rebalancer/trigger-bindings': {
    decides: 'for each workload whether a trigger is due, and its time',
    writes: 'rescheduleTriggeredAt on bindings; results in the chunk',
    says: ['BindingChanged', 'RebalanceProgressed', 'RebalanceFinished'],
    table: ['GetItem', 'UpdateItem'],
    hub: [{ ...rebalancers, verbs: ['get'] }, ...bindings('get', 'list', 'patch')],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 1024,
  },
  'workload-rebalancer/report-status': {
    decides: 'whether the object shows what the task knows',
    writes: 'status of the WorkloadRebalancer',
    says: ['RebalanceReported'],
    table: ['GetItem', 'Query', 'UpdateItem'],
    hub: [
      { ...rebalancers, verbs: ['get'] },
      { group: rebalancers.group, resource: 'workloadrebalancers/status', verbs: ['patch'] },
    ],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 30,
    memoryMb: 1024,
  },
  'workload-rebalancer/expire-rebalancer': {
    decides: 'whether a finished rebalancer has expired, and if not, when',
    writes: 'deletes the WorkloadRebalancer; a one-time schedule',
    says: [],
    table: [],
    hub: [{ ...rebalancers, verbs: ['get', 'delete'] }],
    schedules: ['RebalancerExpiryDue'],
    invokedBy: 'queue',
    timeoutSeconds: 30,
    memoryMb: 512,
  },
  'workload-rebalancer/confirm-rescheduling': {
    decides: 'whether the scheduler has acted on every trigger, and if not, whether it is overdue',
    writes: 'rescheduling in the task; a one-time schedule',
    says: [],
    table: ['GetItem', 'Query', 'UpdateItem'],
    hub: bindings('get', 'list'),
    schedules: ['ReschedulingCheckDue'],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 1024,
  },
  'resync/find-drift': {
    decides: 'which rebalancers are not where they should be',
    writes: 'nothing',
    says: ['WorkloadRebalancerChanged'],
    table: ['GetItem'],
    hub: [{ ...rebalancers, verbs: ['list'] }],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'scheduler/schedule-binding': {
    decides: 'whether a binding that names our scheduler is to be scheduled, and to which clusters',
    writes: 'spec.clusters and the scheduling status of the binding',
    says: [],
    table: [],
    hub: [
      ...bindings('get', 'patch'),
      { group: work, resource: 'resourcebindings/status', verbs: ['patch'] },
      { group: work, resource: 'clusterresourcebindings/status', verbs: ['patch'] },
      clusters,
    ],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 1024,
  },
  'scheduler/find-unscheduled': {
    decides: 'which bindings that name our scheduler are to be looked at',
    writes: 'nothing',
    says: ['BindingChanged'],
    table: [],
    hub: [...bindings('list'), clusters],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'descheduler/find-candidates': {
    decides: 'which bindings have replicas that may be unschedulable, and asked to be descheduled',
    writes: 'the run, its lease and its chunks',
    says: ['DeschedulingChunkPlanned'],
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    hub: [
      ...bindings('list'),
      { group: policy, resource: 'propagationpolicies', verbs: ['list'] },
      { group: policy, resource: 'clusterpropagationpolicies', verbs: ['list'] },
      { group: '', resource: 'namespaces', verbs: ['list'] },
    ],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'descheduler/deschedule-bindings': {
    decides: 'for each candidate how many replicas each cluster gives up, and what keeps them',
    writes: 'spec.clusters of bindings; decisions, and the chunk in the run',
    says: ['BindingChanged', 'DeschedulingChunkPlanned'],
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    hub: [
      ...bindings('get', 'list', 'patch'),
      clusters,
      { group: '', resource: 'namespaces', verbs: ['get', 'list'] },
      { group: 'apps', resource: 'deployments', verbs: ['get'], onlyWhere: 'pods are counted' },
      { group: 'cluster.karmada.io', resource: 'clusters/proxy', verbs: ['get'], onlyWhere: 'pods are counted' },
    ],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'rebalance-policy/evaluate-policies': {
    decides: 'which RebalancePolicies were set off, by what, and which workloads each would move now, in which waves',
    writes: 'the run and its waves; what is seen of clusters; the status of the policy; a one-time schedule',
    says: ['PolicyRunDue'],
    table: ['GetItem', 'Query', 'PutItem'],
    hub: onlyWhere('policies are used', [
      { ...rebalancePolicies, verbs: ['get', 'list'] },
      rebalancePolicyStatus,
      clusters,
      ...bindings('list'),
      ...workloads('list'),
      { group: '', resource: 'namespaces', verbs: ['list'] },
      { group: 'scheduling.k8s.io', resource: 'priorityclasses', verbs: ['list'] },
      events,
    ]),
    schedules: ['PoliciesDue'],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'rebalance-policy/advance-run': {
    decides: 'whether the wave in flight is rescheduled and ready, whether the next may start, and with whom',
    writes: 'a WorkloadRebalancer a wave; the run, its waves and leases; the status of the policy; a one-time schedule',
    says: ['PolicyRunDue', 'PoliciesDue', 'WorkloadRebalancerChanged'],
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    hub: onlyWhere('policies are used', [
      { ...rebalancePolicies, verbs: ['get'] },
      rebalancePolicyStatus,
      { ...rebalancers, verbs: ['get', 'list', 'create'] },
      clusters,
      ...bindings('get', 'list'),
      ...workloads('get', 'list'),
      { group: '', resource: 'namespaces', verbs: ['get', 'list'] },
      events,
    ]),
    schedules: ['PolicyRunDue'],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'graceful-reduction/release-reduction': {
    decides: 'which reductions of a binding go on waiting and which are released; which can still be held',
    writes: "the binding's queue of reductions and what holds them; a one-time schedule",
    says: ['BindingChanged'],
    table: [],
    hub: [
      ...bindings('get', 'patch'),
      { group: policy, resource: 'propagationpolicies', verbs: ['get'] },
      { group: policy, resource: 'clusterpropagationpolicies', verbs: ['get'] },
      { ...clusters, verbs: ['get', 'list'] },
      ...onlyWhere('reductions are held', [events]),
    ],
    schedules: ['ReductionDue'],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 1024,
  },
  'graceful-reduction/find-reductions': {
    decides: 'which bindings hold reductions, could still hold one, or do not say what their policy says',
    writes: 'nothing',
    says: ['ReductionDue'],
    table: [],
    hub: [
      ...bindings('list'),
      { group: policy, resource: 'propagationpolicies', verbs: ['list'] },
      { group: policy, resource: 'clusterpropagationpolicies', verbs: ['list'] },
      clusters,
    ],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'elastic-workload/balance-replicas': {
    decides: 'how many replicas of an ElasticWorkload each cluster is to have now, and what is lent to whom',
    writes: 'a ManifestWork a cluster; status and finalizer of the ElasticWorkload; its memory; a one-time schedule',
    says: [],
    table: ['GetItem', 'PutItem'],
    hub: onlyWhere('workloads are elastic', [
      ...elasticWorkloads('elasticworkloads', 'get', 'list', 'patch'),
      ...elasticWorkloads('elasticworkloads/status', 'patch'),
      { group: clusterManagement, resource: 'placements', verbs: ['get'] },
      { group: clusterManagement, resource: 'placementdecisions', verbs: ['list'] },
      { group: clusterManagement, resource: 'managedclusters', verbs: ['get', 'list'] },
      {
        group: 'work.open-cluster-management.io',
        resource: 'manifestworks',
        verbs: ['get', 'list', 'patch', 'create', 'delete'],
      },
      { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', verbs: ['get', 'list'] },
      // What an ElasticWorkload may import without more being granted.
      { group: 'apps', resource: 'deployments', verbs: ['get'] },
      { group: 'apps', resource: 'statefulsets', verbs: ['get'] },
      { group: 'apps', resource: 'replicasets', verbs: ['get'] },
      events,
    ]),
    schedules: ['ElasticWorkloadDue'],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'elastic-workload/find-workloads': {
    decides: 'which ElasticWorkloads a change of placement or clusters may concern',
    writes: 'nothing',
    says: ['ElasticWorkloadDue'],
    table: [],
    hub: onlyWhere('workloads are elastic', [
      ...elasticWorkloads('elasticworkloads', 'list'),
      { group: 'work.open-cluster-management.io', resource: 'manifestworks', verbs: ['list'] },
    ]),
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'hub-connection/renew-token': {
    decides: 'whether the token by which a hub is reached is to be renewed',
    writes: "the token in the hub's connection",
    says: [],
    table: [],
    hub: [{ group: '', resource: 'serviceaccounts/token', verbs: ['create'], ofOwnAccount: true }],
    writesConnections: true,
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 512,
  },
  'operator/answer-question': {
    decides: 'what people see of hubs, workloads, tasks, decisions and queues',
    writes: 'nothing',
    says: [],
    table: ['GetItem', 'Query'],
    readsIndex: true,
    readsLogs: true,
    queues: 'reads',
    hub: [
      ...bindings('get', 'list'),
      clusters,
      ...onlyWhere('workloads are elastic', [
        ...elasticWorkloads('elasticworkloads', 'list'),
        { group: clusterManagement, resource: 'managedclusters', verbs: ['list'] },
      ]),
    ],
    schedules: [],
    invokedBy: 'operator',
    timeoutSeconds: 30,
    memoryMb: 1024,
  },
  'operator/carry-out-order': {
    decides: 'what becomes of an order: a rebalance, a pause, a comparison now, dead letters once more',
    writes: "a WorkloadRebalancer; the pause in a hub's connection; dead letters back to their queues",
    says: ['ResyncDue', 'DeschedulingDue', 'WorkloadRebalancerChanged'],
    table: [],
    queues: 'redrives',
    // Not on every hub: who may call the function could then rebalance there by our account, without rights of their own on the hub.
    hub: onlyWhere('rebalances are ordered', [{ ...rebalancers, verbs: ['create'] }]),
    writesConnections: true,
    schedules: [],
    invokedBy: 'operator',
    timeoutSeconds: 120,
    memoryMb: 512,
  },
} as const satisfies Record<string, FunctionDefinition>;

export type FunctionName = keyof typeof functions;
export const functionNames = Object.keys(functions) as FunctionName[];
