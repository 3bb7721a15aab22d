/** All events. docs/reference/events.md is generated from this and from the routes. */
import * as z from 'zod/mini';
import { elasticGroups } from '../elastic-workload/elastic-groups.ts';
import { defineEvent, hubName, objectName, taskDetail, taskKey, uid } from './event.ts';

export const WorkloadRebalancerChanged = defineEvent({
  type: 'WorkloadRebalancerChanged',
  version: 1,
  description:
    'A WorkloadRebalancer was created, edited or deleted on the hub, or resync found that it is not where it should be.',
  schema: z.object({ hub: hubName, name: objectName }),
  fromHub: true,
  key: ({ hub, name }) => `${hub}/${name}`,
});

export const RebalanceChunkPlanned = defineEvent({
  type: 'RebalanceChunkPlanned',
  version: 1,
  description: 'A chunk of a task has workloads whose trigger is to be written.',
  schema: z.object({ hub: hubName, uid, name: objectName, plan: z.string(), chunk: z.number().check(z.nonnegative()) }),
  key: ({ hub, uid, plan, chunk }) => `${hub}/${uid}/${plan}/${chunk}`,
});

export const RebalanceProgressed = defineEvent({
  type: 'RebalanceProgressed',
  version: 1,
  description: 'Some chunk of a task is done; others are not.',
  schema: taskDetail,
  key: taskKey,
});

export const RebalanceFinished = defineEvent({
  type: 'RebalanceFinished',
  version: 1,
  description: 'Every workload of a task has its result, and the finish time is kept in the task.',
  schema: taskDetail,
  key: taskKey,
});

export const RebalanceReported = defineEvent({
  type: 'RebalanceReported',
  version: 1,
  description: 'The finished result is on the object: status and finishTime can be read there.',
  schema: taskDetail,
  key: taskKey,
});

export const RebalancerExpiryDue = defineEvent({
  type: 'RebalancerExpiryDue',
  version: 1,
  description: 'The time has come at which a finished rebalancer was to expire.',
  schema: taskDetail,
  key: taskKey,
});

export const ReschedulingCheckDue = defineEvent({
  type: 'ReschedulingCheckDue',
  version: 1,
  description: 'It is time to look whether the scheduler acted on the triggers of a task.',
  schema: taskDetail,
  key: taskKey,
});

export const ResyncDue = defineEvent({
  type: 'ResyncDue',
  version: 1,
  description:
    'A hub is to be compared with its tasks: on a schedule, at a start, or because a change has no object name.',
  schema: z.object({ hub: hubName }),
  recurs: true,
  fromHub: true,
  key: ({ hub }) => hub,
});

export const BindingChanged = defineEvent({
  type: 'BindingChanged',
  version: 1,
  description:
    'A ResourceBinding, or where it has no namespace a ClusterResourceBinding, was created or edited on the hub, or resync found that it is to be scheduled.',
  schema: z.object({ hub: hubName, namespace: z.union([objectName, z.literal('')]), name: objectName }),
  fromHub: true,
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});

export const DeschedulingDue = defineEvent({
  type: 'DeschedulingDue',
  version: 1,
  description: 'It is time to look through a hub for replicas that no node takes.',
  schema: z.object({ hub: hubName }),
  recurs: true,
  key: ({ hub }) => hub,
});

export const DeschedulingChunkPlanned = defineEvent({
  type: 'DeschedulingChunkPlanned',
  version: 1,
  description: 'A run of the descheduler has a chunk of bindings whose clusters are to be asked.',
  schema: z.object({ hub: hubName, run: z.string(), chunk: z.number().check(z.nonnegative()) }),
  key: ({ hub, run, chunk }) => `${hub}/${run}/${chunk}`,
});

export const ClusterDrainChanged = defineEvent({
  type: 'ClusterDrainChanged',
  version: 1,
  description: 'A ClusterDrain was created, edited or deleted on a hub.',
  schema: z.object({ hub: hubName, name: objectName }),
  fromHub: true,
  key: ({ hub }) => hub,
});

export const RebalancePolicyChanged = defineEvent({
  type: 'RebalancePolicyChanged',
  version: 1,
  description: 'A RebalancePolicy was created, edited or deleted on a hub.',
  schema: z.object({ hub: hubName, name: objectName }),
  fromHub: true,
  key: ({ hub }) => hub,
});

export const ClusterChanged = defineEvent({
  type: 'ClusterChanged',
  version: 1,
  description:
    'A member cluster joined, left, or changed other than in its status: for example, it was tainted because it is not ready.',
  schema: z.object({ hub: hubName, name: objectName }),
  fromHub: true,
  key: ({ hub }) => hub,
});

export const PoliciesDue = defineEvent({
  type: 'PoliciesDue',
  version: 1,
  description:
    "A hub's RebalancePolicies are due for evaluation: a cluster has been healthy for long enough, a scheduled time was reached, or a run has ended.",
  schema: z.object({ hub: hubName }),
  key: ({ hub }) => hub,
});

export const PolicyRunDue = defineEvent({
  type: 'PolicyRunDue',
  version: 1,
  description: 'The run of a RebalancePolicy can continue: a wave may start, or the one in flight is to be observed.',
  schema: z.object({ hub: hubName, uid, name: objectName }),
  key: ({ hub, uid: of }) => `${hub}/${of}`,
});

export const BindingStatusChanged = defineEvent({
  type: 'BindingStatusChanged',
  version: 1,
  description:
    'The status of a ResourceBinding, or where it has no namespace of a ClusterResourceBinding, was written on the hub: of a hub where reductions are held or placements recorded.',
  schema: z.object({ hub: hubName, namespace: z.union([objectName, z.literal('')]), name: objectName }),
  fromHub: true,
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});

export const PropagationPolicyChanged = defineEvent({
  type: 'PropagationPolicyChanged',
  version: 1,
  description:
    'A PropagationPolicy, or where it has no namespace a ClusterPropagationPolicy, was created, edited or deleted on a hub where reductions are held.',
  schema: z.object({ hub: hubName, namespace: z.union([objectName, z.literal('')]), name: objectName }),
  fromHub: true,
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});

export const ReductionDue = defineEvent({
  type: 'ReductionDue',
  version: 1,
  description: 'The reductions of a binding are due for a reconcile: a grace period is over, or resync found drift.',
  schema: z.object({ hub: hubName, namespace: z.union([objectName, z.literal('')]), name: objectName }),
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});

export const ElasticWorkloadChanged = defineEvent({
  type: 'ElasticWorkloadChanged',
  version: 1,
  description: 'An ElasticWorkload was created, edited or deleted on the hub.',
  schema: z.object({ hub: hubName, group: z.enum(elasticGroups), namespace: objectName, name: objectName }),
  fromHub: true,
  key: ({ hub, group, namespace, name }) => `${hub}/${group}/${namespace}/${name}`,
});

export const PlacementDecisionChanged = defineEvent({
  type: 'PlacementDecisionChanged',
  version: 1,
  description: 'A slice of a PlacementDecision was written on the hub.',
  schema: z.object({ hub: hubName, namespace: objectName, name: objectName }),
  fromHub: true,
  key: ({ hub, namespace, name }) => `${hub}/${namespace}/${name}`,
});

export const ManagedClusterChanged = defineEvent({
  type: 'ManagedClusterChanged',
  version: 1,
  description: 'A ManagedCluster was created, edited, tainted or deleted on the hub.',
  schema: z.object({ hub: hubName, name: objectName }),
  fromHub: true,
  key: ({ hub, name }) => `${hub}/${name}`,
});

export const AddOnPlacementScoreChanged = defineEvent({
  type: 'AddOnPlacementScoreChanged',
  version: 1,
  description:
    'AddOnPlacementScores of this name were written on the hub. The cluster is not named: an add-on writes those of a thousand clusters at once, and one event covers them.',
  schema: z.object({ hub: hubName, resourceName: objectName }),
  fromHub: true,
  key: ({ hub, resourceName }) => `${hub}/${resourceName}`,
});

export const ManifestWorkChanged = defineEvent({
  type: 'ManifestWorkChanged',
  version: 1,
  description: 'A ManifestWork of this ElasticWorkload, or its status, was written on the hub.',
  schema: z.object({ hub: hubName, group: z.enum(elasticGroups), namespace: objectName, name: objectName }),
  fromHub: true,
  key: ({ hub, group, namespace, name }) => `${hub}/${group}/${namespace}/${name}`,
});

export const ElasticWorkloadDue = defineEvent({
  type: 'ElasticWorkloadDue',
  version: 1,
  description:
    'An ElasticWorkload is due for a reconcile: a timeout is over, its clusters may have changed, or the hub is compared.',
  schema: z.object({ hub: hubName, group: z.enum(elasticGroups), namespace: objectName, name: objectName }),
  key: ({ hub, group, namespace, name }) => `${hub}/${group}/${namespace}/${name}`,
});

export const HubTokenCheckDue = defineEvent({
  type: 'HubTokenCheckDue',
  version: 1,
  description: 'It is time to look whether the token by which the functions reach a hub is to be renewed.',
  schema: z.object({ hub: hubName }),
  recurs: true,
  key: ({ hub }) => hub,
});

export const HubSchedulesDue = defineEvent({
  type: 'HubSchedulesDue',
  version: 1,
  description: 'It is time to publish the recurring events of the hubs that are due.',
  schema: z.object({}),
  recurs: true,
  ofNoHub: true,
  key: () => 'hubs',
});

export const ExternalEventReceived = defineEvent({
  type: 'ExternalEventReceived',
  version: 1,
  description:
    'An event of AWS or of a user, under its own source and detail-type: any on the bus of Evenkeel, and those of the default bus that may concern clusters.',
  schema: z.object({ id: z.string(), body: z.string() }),
  external: true,
  ofNoHub: true,
  key: ({ id }) => id,
});

export const catalogue = {
  WorkloadRebalancerChanged,
  RebalanceChunkPlanned,
  RebalanceProgressed,
  RebalanceFinished,
  RebalanceReported,
  RebalancerExpiryDue,
  ReschedulingCheckDue,
  ResyncDue,
  BindingChanged,
  DeschedulingDue,
  DeschedulingChunkPlanned,
  RebalancePolicyChanged,
  ClusterDrainChanged,
  ClusterChanged,
  PoliciesDue,
  PolicyRunDue,
  BindingStatusChanged,
  PropagationPolicyChanged,
  ReductionDue,
  ElasticWorkloadChanged,
  PlacementDecisionChanged,
  ManagedClusterChanged,
  AddOnPlacementScoreChanged,
  ManifestWorkChanged,
  ElasticWorkloadDue,
  HubTokenCheckDue,
  HubSchedulesDue,
  ExternalEventReceived,
} as const;

export type EventType = keyof typeof catalogue;
