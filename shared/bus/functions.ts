/**
 * Every function: what it decides, and all its access. IAM grants, the hub's RBAC and the README's table are generated
 * from this, so additional access must be declared here.
 */

import { elasticGroups } from '../elastic-workload/elastic-groups.ts';
import type { HubFeature } from '../kubernetes/hub-features.ts';
import type { HubRegistry } from '../kubernetes/hub-registry.ts';
import { workloadKinds } from '../kubernetes/workload-metadata.ts';
import type { EventType } from './catalogue.ts';
import type { StoreCalls } from './table-actions.ts';

export interface HubAccess {
  readonly group: string;
  /** A subresource follows a slash: "workloadrebalancers/status". */
  readonly resource: string;
  readonly verbs: readonly ('get' | 'list' | 'watch' | 'patch' | 'delete' | 'create')[];
  /** Only for the functions' own account on the hub: a Role in its namespace, limited to its name. */
  readonly ofOwnAccount?: true;
  /** Granted only on a hub with this feature: `evenkeel hub manifests --policies`. */
  readonly onlyWhere?: HubFeature;
}

export interface FunctionDefinition {
  readonly decides: string;
  readonly writes: string;
  /** Published on the bus. */
  readonly publishes: readonly EventType[];
  /** The methods of the stores that it calls: its grants on the table follow from them. */
  readonly stores: StoreCalls;
  /** The methods of the registry of hubs that it calls itself, besides the reads of its other ports (registryCallsOf). */
  readonly registry?: readonly (keyof HubRegistry)[];
  /** Whether it reads the tags of resources of the account. */
  readonly readsTags?: true;
  /** Whether it queries the logs of the functions behind queues, and of those that receive events. */
  readonly readsLogs?: true;
  /** Access to all queues and their dead letters: `redrives` redelivers dead letters. */
  readonly queues?: 'reads' | 'redrives';
  readonly hub: readonly HubAccess[];
  /** Whether it writes the hubs' connections; functions that call hubs may read them. */
  readonly writesConnections?: true;
  /** Published later, by a one-time schedule. */
  readonly schedules: readonly EventType[];
  /**
   * `queue`: triggered by the routes that name it. `http`: behind the hook's URL. `logs`: triggered by the audit logs of hubs. `operator`:
   * called by users and their tools with lambda:InvokeFunction on it.
   */
  readonly invokedBy: 'queue' | 'http' | 'logs' | 'console-api';
  /** Paths behind the hook's URL, called by POST. */
  readonly paths?: readonly string[];
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
}

const rebalancers = { group: 'apps.karmada.io', resource: 'workloadrebalancers' };
const work = 'work.karmada.io';
const policy = 'policy.karmada.io';
/** Those that changed since an earlier invocation are read one by one. */
const clusters: HubAccess = { group: 'cluster.karmada.io', resource: 'clusters', verbs: ['get', 'list'] };

const rebalancePolicies = { group: 'evenkeel.dev', resource: 'rebalancepolicies' };
const rebalancePolicyStatus: HubAccess = {
  group: 'evenkeel.dev',
  resource: 'rebalancepolicies/status',
  verbs: ['patch'],
};
const clusterDrains = { group: 'evenkeel.dev', resource: 'clusterdrains' };
const clusterDrainStatus: HubAccess = {
  group: 'evenkeel.dev',
  resource: 'clusterdrains/status',
  verbs: ['patch'],
  onlyWhere: 'drains',
};
const disruptionBudgets: HubAccess = {
  group: 'policy',
  resource: 'poddisruptionbudgets',
  verbs: ['list'],
  onlyWhere: 'budgets',
};
const events: HubAccess = { group: '', resource: 'events', verbs: ['create'] };

function onlyWhere(feature: HubFeature, accesses: readonly HubAccess[]): readonly HubAccess[] {
  return accesses.map((access) => ({ onlyWhere: feature, ...access }));
}

/** What limits moves. */
const moveRules = onlyWhere('budgets', [
  { group: 'evenkeel.dev', resource: 'movebudgets', verbs: ['list'] },
  { group: 'autoscaling.karmada.io', resource: 'federatedhpas', verbs: ['list'] },
  { group: 'autoscaling.karmada.io', resource: 'cronfederatedhpas', verbs: ['list'] },
  { group: 'autoscaling', resource: 'horizontalpodautoscalers', verbs: ['list'] },
]);

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

/** Events of the receivers of a hub's changes. */
const changesOnHubs = [
  'WorkloadRebalancerChanged',
  'BindingChanged',
  'BindingStatusChanged',
  'RebalancePolicyChanged',
  'ClusterDrainChanged',
  'ClusterChanged',
  'PropagationPolicyChanged',
  'ElasticWorkloadChanged',
  'PlacementDecisionChanged',
  'ManagedClusterChanged',
  'AddOnPlacementScoreChanged',
  'ManifestWorkChanged',
  'ResyncDue',
] as const;

/** What our scheduler reads and writes on a hub, and calls of its store. */
const assignments = {
  hub: [
    ...bindings('get', 'patch'),
    { group: work, resource: 'resourcebindings/status', verbs: ['patch'] },
    { group: work, resource: 'clusterresourcebindings/status', verbs: ['patch'] },
    clusters,
    events,
  ],
  stores: { assignments: ['read', 'save'] },
} as const satisfies Pick<FunctionDefinition, 'hub' | 'stores'>;

/** What triggers of a chunk call of the task store. */
const triggerCalls = ['readChunk', 'markProgressed', 'saveChunk', 'completeChunk', 'finish'] as const;

/** What the budgets of a hub need for a decision on moves. */
const budgets = {
  hub: [...moveRules, clusters],
  stores: { ledger: ['read', 'save'] },
} as const satisfies Pick<FunctionDefinition, 'hub' | 'stores'>;

/** What a chunk of workloads within a budget needs besides: their metadata, which may have a limit of their own. */
const budgetOfWorkloads = onlyWhere('budgets', [
  ...workloads('get', 'list'),
  { group: '', resource: 'namespaces', verbs: ['get', 'list'] },
  disruptionBudgets,
]);

/** What triggers of a chunk need of a hub, in plan-rebalance and in trigger-bindings. */
const triggersOnHub = [
  { ...rebalancers, verbs: ['get'] },
  ...bindings('list'),
  ...assignments.hub,
  ...budgets.hub,
  ...budgetOfWorkloads,
] as const satisfies FunctionDefinition['hub'];

export const functions = {
  'cluster-hook/admit-change': {
    decides: 'which audit events are relevant',
    writes: 'nothing',
    publishes: changesOnHubs,
    stores: {},
    hub: [],
    schedules: [],
    invokedBy: 'http',
    paths: ['/hubs/{hub}/audit'],
    timeoutSeconds: 15,
    memoryMb: 512,
  },
  'cluster-hook/read-audit-log': {
    decides: "which audit events in a control plane's log are relevant",
    writes: 'nothing',
    publishes: changesOnHubs,
    stores: {},
    hub: [],
    schedules: [],
    invokedBy: 'logs',
    timeoutSeconds: 30,
    memoryMb: 512,
  },
  'cluster-hook/review-admission': {
    decides:
      'whether a write on the hub is allowed, with a message for the user; which of its removed replicas are held',
    writes: 'nothing itself: its response patches the write',
    publishes: [],
    stores: {},
    hub: [],
    schedules: [],
    invokedBy: 'http',
    // A key in the path, for API servers that can present no credential to an admission webhook.
    paths: ['/hubs/{hub}/admission', '/hubs/{hub}/admission/{key}'],
    timeoutSeconds: 5,
    memoryMb: 1024,
  },
  'external-events/receive-alerts': {
    decides: 'which alerts begin or end',
    writes: 'events from outside',
    publishes: ['PoliciesDue'],
    stores: { externalEvents: ['read', 'save'] },
    registry: ['read'],
    hub: [],
    schedules: [],
    invokedBy: 'http',
    paths: ['/hubs/{hub}/alerts'],
    timeoutSeconds: 15,
    memoryMb: 512,
  },
  'external-events/receive-event': {
    decides: 'which events of AWS and of users may concern clusters, and whether they begin or end',
    writes: 'events from outside',
    publishes: ['PoliciesDue'],
    stores: { externalEvents: ['read', 'save'] },
    registry: ['list'],
    readsTags: true,
    hub: [],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 30,
    memoryMb: 512,
  },
  'workload-rebalancer/plan-rebalance': {
    decides: 'whether this generation is planned already; which workloads are new, kept or dropped; the chunks',
    writes: 'task and chunks; what trigger-bindings writes, if one chunk is open; an Event about unknown fields',
    publishes: ['BindingChanged', 'RebalanceChunkPlanned', 'RebalanceProgressed', 'RebalanceFinished'],
    stores: {
      tasks: ['readTask', 'readChunks', 'writeChunks', 'commitPlan', ...triggerCalls],
      ...assignments.stores,
      ...budgets.stores,
    },
    hub: triggersOnHub,
    schedules: ['RebalanceChunkPlanned'],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 1024,
  },
  'workload-rebalancer/trigger-bindings': {
    decides: 'for each workload whether a trigger is due, and its time',
    writes:
      'rescheduleTriggeredAt on bindings, and what schedule-binding writes to those of our scheduler; results in the chunk',
    publishes: ['BindingChanged', 'RebalanceChunkPlanned', 'RebalanceProgressed', 'RebalanceFinished'],
    stores: { tasks: ['readTask', 'abandon', ...triggerCalls], ...assignments.stores, ...budgets.stores },
    hub: triggersOnHub,
    schedules: ['RebalanceChunkPlanned'],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 1024,
  },
  'workload-rebalancer/report-status': {
    decides: "whether the object's status is up to date with the task",
    writes: 'status of the WorkloadRebalancer; Events about its finish',
    publishes: ['RebalanceReported'],
    stores: { tasks: ['readTask', 'abandon', 'readChunks', 'markReported'] },
    hub: [
      { ...rebalancers, verbs: ['get'] },
      { group: rebalancers.group, resource: 'workloadrebalancers/status', verbs: ['patch'] },
      events,
    ],
    schedules: [],
    invokedBy: 'queue',
    // A write, a read and a write after a conflict, on a hub that takes 10 s for each.
    timeoutSeconds: 40,
    memoryMb: 1024,
  },
  'workload-rebalancer/expire-rebalancer': {
    decides: 'whether a finished rebalancer has expired, and if not, when',
    writes: 'deletes the WorkloadRebalancer; a one-time schedule',
    publishes: [],
    stores: {},
    hub: [{ ...rebalancers, verbs: ['get', 'delete'] }],
    schedules: ['RebalancerExpiryDue'],
    invokedBy: 'queue',
    timeoutSeconds: 30,
    memoryMb: 512,
  },
  'workload-rebalancer/confirm-rescheduling': {
    decides: 'whether the scheduler has acted on every trigger, and if not, whether it is overdue',
    writes: 'rescheduling in the task; a one-time schedule',
    publishes: [],
    stores: { tasks: ['readTask', 'readChunks', 'markRescheduling'] },
    hub: bindings('get', 'list'),
    schedules: ['ReschedulingCheckDue'],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 1024,
  },
  'resync/find-drift': {
    decides: 'which rebalancers drifted from their tasks',
    writes: 'when the hub was compared',
    publishes: ['WorkloadRebalancerChanged'],
    stores: { tasks: ['markCompared', 'readTask'] },
    hub: [
      { ...rebalancers, verbs: ['list'] },
      // Reads one object, to report a feature that the hub is registered without.
      ...onlyWhere('policies', [{ ...rebalancePolicies, verbs: ['list'] }]),
      ...onlyWhere('elasticWorkloads', elasticWorkloads('elasticworkloads', 'list')),
    ],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'resync/publish-due': {
    decides: 'which recurring events of which hubs are due, and which hubs were not compared in time',
    writes: 'until when the recurring events are published',
    publishes: ['ResyncDue', 'DeschedulingDue', 'HubTokenCheckDue'],
    stores: { tasks: ['comparedAt'] },
    registry: ['list', 'publishedUntil', 'markPublished'],
    hub: [],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 512,
  },
  'scheduler/schedule-binding': {
    decides: 'whether a binding that names our scheduler is due for scheduling, and to which clusters',
    writes: 'spec.clusters and the scheduling status of the binding; Events',
    publishes: [],
    stores: assignments.stores,
    hub: assignments.hub,
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 1024,
  },
  'scheduler/find-unscheduled': {
    decides: 'which bindings that name our scheduler are due',
    writes: 'how far it has compared the bindings',
    publishes: ['BindingChanged'],
    stores: { positions: ['read', 'save'] },
    hub: [...bindings('list'), ...onlyWhere('scheduler', bindings('watch')), clusters],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'descheduler/find-candidates': {
    decides: 'which bindings may have unschedulable replicas, and enable descheduling',
    writes: 'the run, its lease and its chunks',
    publishes: ['DeschedulingChunkPlanned'],
    stores: { descheduling: ['beginRun', 'endSweep', 'writeChunk'] },
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
    decides: 'for each candidate how many replicas each cluster loses, and what limits that',
    writes: 'spec.clusters of bindings; decisions, and the chunk in the run',
    publishes: ['BindingChanged', 'DeschedulingChunkPlanned'],
    stores: {
      descheduling: [
        'readRun',
        'readChunk',
        'completeChunk',
        'writeChunk',
        'reserve',
        'lastDecision',
        'record',
        'settle',
      ],
      ...budgets.stores,
    },
    hub: [
      ...bindings('get', 'list', 'patch'),
      clusters,
      ...moveRules,
      { group: '', resource: 'namespaces', verbs: ['get', 'list'] },
      { group: 'apps', resource: 'deployments', verbs: ['get'], onlyWhere: 'countPods' },
      { group: 'apps', resource: 'statefulsets', verbs: ['get'], onlyWhere: 'countPods' },
      { group: 'batch', resource: 'jobs', verbs: ['get'], onlyWhere: 'countPods' },
      { group: 'cluster.karmada.io', resource: 'clusters/proxy', verbs: ['get'], onlyWhere: 'countPods' },
    ],
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'rebalance-policy/evaluate-policies': {
    decides:
      'which RebalancePolicies and ClusterDrains have triggers, and which workloads each would move now, in which waves',
    writes:
      'the run and its waves; observed clusters; the taint of a drained cluster; ClusterDrains for events; the status of the policy; Events; a one-time schedule',
    publishes: ['PolicyRunDue'],
    stores: {
      policies: [
        'readStates',
        'saveState',
        'readObservations',
        'saveObservations',
        'writeWave',
        'writeSkipped',
        'recordRun',
      ],
      externalEvents: ['list'],
    },
    hub: onlyWhere('policies', [
      { ...rebalancePolicies, verbs: ['get', 'list'] },
      rebalancePolicyStatus,
      { ...clusterDrains, verbs: ['get', 'list'], onlyWhere: 'drains' },
      { ...clusterDrains, verbs: ['create', 'patch', 'delete'], onlyWhere: 'externalEvents' },
      clusterDrainStatus,
      clusters,
      { group: 'cluster.karmada.io', resource: 'clusters', verbs: ['patch'], onlyWhere: 'drains' },
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
    decides:
      'whether the wave in flight is rescheduled and ready, whether the next may start, and with which workloads',
    writes: 'a WorkloadRebalancer a wave; the run, its waves and leases; the status of the policy; a one-time schedule',
    publishes: ['PolicyRunDue', 'PoliciesDue', 'WorkloadRebalancerChanged'],
    stores: {
      policies: ['readState', 'takeLease', 'recordRun', 'saveState', 'writeWave', 'readWave', 'releaseLease'],
      ...budgets.stores,
    },
    hub: onlyWhere('policies', [
      ...moveRules,
      disruptionBudgets,
      { ...rebalancePolicies, verbs: ['get'] },
      rebalancePolicyStatus,
      { ...clusterDrains, verbs: ['get'], onlyWhere: 'drains' },
      clusterDrainStatus,
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
    decides: 'which reductions of a binding keep waiting and which are released; which can still be held',
    writes: "the binding's queue of reductions and the fields that hold them; a one-time schedule",
    publishes: ['BindingChanged'],
    stores: {},
    hub: [
      ...bindings('get', 'patch'),
      { group: policy, resource: 'propagationpolicies', verbs: ['get'] },
      { group: policy, resource: 'clusterpropagationpolicies', verbs: ['get'] },
      clusters,
      ...onlyWhere('gracefulReduction', [events]),
    ],
    schedules: ['ReductionDue'],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 1024,
  },
  'graceful-reduction/find-reductions': {
    decides: 'which bindings hold reductions, could still hold one, or have outdated annotations of their policy',
    writes: 'how far it has compared bindings and policies',
    publishes: ['ReductionDue'],
    stores: { positions: ['read', 'save'] },
    hub: [
      ...bindings('list'),
      ...onlyWhere('gracefulReduction', [
        ...bindings('watch'),
        { group: policy, resource: 'propagationpolicies', verbs: ['watch'] },
        { group: policy, resource: 'clusterpropagationpolicies', verbs: ['watch'] },
      ]),
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
    decides: 'how many replicas of an ElasticWorkload each cluster gets now, and which clusters borrow replicas',
    writes:
      'a ManifestWork a cluster; status and finalizer of the ElasticWorkload; its reconciler state; a one-time schedule',
    publishes: [],
    stores: { elastic: ['read', 'save'] },
    hub: onlyWhere('elasticWorkloads', [
      ...elasticWorkloads('elasticworkloads', 'get', 'list', 'patch'),
      ...elasticWorkloads('elasticworkloads/status', 'patch'),
      { group: clusterManagement, resource: 'placements', verbs: ['get'] },
      { group: clusterManagement, resource: 'placementdecisions', verbs: ['list'] },
      { group: clusterManagement, resource: 'managedclusters', verbs: ['get', 'list'] },
      { group: clusterManagement, resource: 'addonplacementscores', verbs: ['list'] },
      {
        group: 'work.open-cluster-management.io',
        resource: 'manifestworks',
        verbs: ['get', 'list', 'patch', 'create', 'delete'],
      },
      { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', verbs: ['get', 'list'] },
      // Kinds that an ElasticWorkload may import without further permissions.
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
    decides: 'which ElasticWorkloads a change of placement, clusters or scores may affect',
    writes: 'nothing',
    publishes: ['ElasticWorkloadDue'],
    stores: {},
    hub: onlyWhere('elasticWorkloads', [
      ...elasticWorkloads('elasticworkloads', 'list'),
      { group: 'work.open-cluster-management.io', resource: 'manifestworks', verbs: ['list'] },
    ]),
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 120,
    memoryMb: 1024,
  },
  'placement-history/record-placements': {
    decides: 'whether the state of a binding or of a cluster differs from the last recorded one, and who changed it',
    writes: 'a row of the history of the workload, and one of each cluster whose replicas changed',
    publishes: [],
    stores: {
      history: ['lastPlacement', 'recordPlacement', 'lastCluster', 'recordCluster'],
      policies: ['lastLease', 'readStates'],
      descheduling: ['lastDecision'],
    },
    hub: onlyWhere('history', [...bindings('get'), { ...clusters, verbs: ['get'] }]),
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 1024,
  },
  'hub-connection/renew-token': {
    decides: "whether a hub's token is due for renewal",
    writes: "the token in the hub's connection",
    publishes: [],
    stores: {},
    hub: [{ group: '', resource: 'serviceaccounts/token', verbs: ['create'], ofOwnAccount: true }],
    writesConnections: true,
    schedules: [],
    invokedBy: 'queue',
    timeoutSeconds: 60,
    memoryMb: 512,
  },
  'console-api/run-query': {
    decides: 'the views of hubs, workloads, tasks, decisions and queues',
    writes: 'nothing',
    publishes: [],
    stores: {
      tasks: ['recent', 'comparedAt', 'readTask', 'readChunks'],
      descheduling: ['decisions'],
      policies: ['readStates', 'runs', 'decisions'],
      history: ['lastPlacement', 'placements', 'lastCluster', 'clusterStates', 'clusterMoves'],
      ledger: ['read'],
    },
    registry: ['list', 'read'],
    readsLogs: true,
    queues: 'reads',
    hub: [
      { ...rebalancers, verbs: ['get'] },
      ...bindings('get', 'list'),
      clusters,
      ...onlyWhere('policies', [
        { ...rebalancePolicies, verbs: ['get', 'list'] },
        ...workloads('list'),
        { group: '', resource: 'namespaces', verbs: ['list'] },
        { group: 'scheduling.k8s.io', resource: 'priorityclasses', verbs: ['list'] },
      ]),
      ...onlyWhere('drains', [{ ...clusterDrains, verbs: ['get', 'list'] }]),
      ...onlyWhere('budgets', [{ group: 'evenkeel.dev', resource: 'movebudgets', verbs: ['list'] }]),
      ...onlyWhere('elasticWorkloads', [
        ...elasticWorkloads('elasticworkloads', 'get', 'list'),
        { group: clusterManagement, resource: 'managedclusters', verbs: ['get', 'list'] },
      ]),
    ],
    schedules: [],
    invokedBy: 'console-api',
    timeoutSeconds: 30,
    memoryMb: 1024,
  },
  'console-api/run-command': {
    decides:
      'write operations: a rebalance, the drain of a cluster, a pause, an immediate resync, a redrive of dead letters, the registration of a hub',
    writes: "a WorkloadRebalancer or ClusterDrain; a hub's record and pause; dead letters back to their queues",
    publishes: ['ResyncDue', 'DeschedulingDue', 'HubTokenCheckDue', 'WorkloadRebalancerChanged', 'ClusterDrainChanged'],
    stores: { tasks: ['recent', 'readTask', 'abandon'], positions: ['forget'] },
    registry: ['list', 'read', 'write', 'delete'],
    queues: 'redrives',
    // Not on every hub: callers of the function could then rebalance by our account, without own permissions on the hub.
    hub: onlyWhere('createRebalancers', [
      { ...rebalancers, verbs: ['create'] },
      { ...clusterDrains, verbs: ['get', 'list', 'create', 'delete'] },
      clusters,
    ]),
    schedules: [],
    invokedBy: 'console-api',
    timeoutSeconds: 120,
    memoryMb: 512,
  },
} as const satisfies Record<string, FunctionDefinition>;

/**
 * With the circuit breakers and budgets of hubs, which functions that call hubs share. Those that users call write neither: they open a circuit only in
 * their own instance, and send few requests.
 */
export function storeCallsOf({ stores, hub, invokedBy }: FunctionDefinition): StoreCalls {
  if (hub.length === 0) return stores;
  if (invokedBy === 'console-api') return { ...stores, circuits: ['read'] };
  return { ...stores, circuits: ['read', 'write'], budgets: ['take'] };
}

/** Functions that call hubs find them in the registry; receivers read the callers of one hub, or find the hub of a log group. */
export function registryCallsOf({ hub, invokedBy, registry = [] }: FunctionDefinition): readonly (keyof HubRegistry)[] {
  const receives = invokedBy === 'http' || invokedBy === 'logs';
  return [
    ...(hub.length > 0 || receives ? (['read'] as const) : []),
    ...(hub.length > 0 || invokedBy === 'logs' ? (['list'] as const) : []),
    ...registry,
  ];
}

export type FunctionName = keyof typeof functions;
export const functionNames = Object.keys(functions) as FunctionName[];
/** Each logs its batches of events with their hub (EK100). */
export const eventReceivers: readonly FunctionName[] = ['cluster-hook/admit-change', 'cluster-hook/read-audit-log'];
