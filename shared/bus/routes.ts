/**
 * Routing, in one table: which function consumes which events, and the queue between them. CDK creates rules and queues from
 * it; the local runtime dispatches from it.
 */

import type { EventType } from './catalogue.ts';
import type { MarkedFeature } from './event.ts';
import type { FunctionName } from './functions.ts';

export interface QueueSettings {
  /** Maximum messages per invocation; events of one key among them are handled once. */
  readonly batchSize: number;
  /** How long an invocation waits for its batch to fill, in seconds; AWS requires at least 1 for a batch above 10. */
  readonly batchWindowSeconds: number;
  /** How long a message waits before its first delivery, in seconds, 0 to 900. */
  readonly delaySeconds: number;
  /** Maximum concurrent invocations; AWS requires at least 2. */
  readonly maxConcurrency: number;
}

export interface Route {
  /** Names the rule, the queue and its dead letters. */
  readonly name: string;
  readonly consumes: readonly EventType[];
  readonly function: FunctionName;
  /** Only events that their receiver has marked as of a hub with this feature: other hubs cause no message and no invocation. */
  readonly onlyFor?: MarkedFeature;
  readonly queue: QueueSettings;
}

/** Minimum time between two reports of a rebalance's progress, and before the first. */
export const PROGRESS_SECONDS = 10;

/** Concurrent invocations cost nothing while none runs: as many as keep messages of other hubs moving while some wait for a hub that is silent. */
const prompt: QueueSettings = { batchSize: 10, batchWindowSeconds: 0, delaySeconds: 0, maxConcurrency: 10 };

/**
 * One message per hub and interval. A hub has one of them in flight, so concurrency is bounded for the sake of the other hubs only: a comparison takes
 * 0.4 s, so that 1,000 hubs every 5 minutes use 1.4 of the 10, and a hub that does not respond holds one for at most 17 s.
 */
const recurring: QueueSettings = { ...prompt, batchSize: 1 };

/** When a rebalancer is deleted, or a hub is paused, the chunks that have begun are completed: that should be few. */
const writing: QueueSettings = { ...prompt, batchSize: 1, maxConcurrency: 4 };

export const routes = [
  {
    name: 'plan-rebalance',
    consumes: ['WorkloadRebalancerChanged'],
    function: 'workload-rebalancer/plan-rebalance',
    queue: prompt,
  },
  {
    // One chunk per invocation. The hub's budget bounds the writes in flight (kubernetes/hub-budget.ts).
    name: 'trigger-bindings',
    consumes: ['RebalanceChunkPlanned'],
    function: 'workload-rebalancer/trigger-bindings',
    queue: writing,
  },
  {
    // Delayed, so that progress is reported at most this often and the last event is never lost. The batch window is
    // longer than a large status takes to write, so that no two deliveries write it concurrently.
    name: 'report-progress',
    consumes: ['RebalanceProgressed'],
    function: 'workload-rebalancer/report-status',
    queue: { batchSize: 100, batchWindowSeconds: 5, delaySeconds: PROGRESS_SECONDS, maxConcurrency: 2 },
  },
  {
    name: 'report-finish',
    consumes: ['RebalanceFinished'],
    function: 'workload-rebalancer/report-status',
    queue: prompt,
  },
  {
    name: 'plan-expiry',
    consumes: ['RebalanceReported'],
    function: 'workload-rebalancer/expire-rebalancer',
    queue: prompt,
  },
  {
    name: 'expire',
    consumes: ['RebalancerExpiryDue'],
    function: 'workload-rebalancer/expire-rebalancer',
    queue: prompt,
  },
  {
    name: 'await-rescheduling',
    consumes: ['RebalanceReported'],
    function: 'workload-rebalancer/confirm-rescheduling',
    queue: prompt,
  },
  {
    name: 'confirm-rescheduling',
    consumes: ['ReschedulingCheckDue'],
    function: 'workload-rebalancer/confirm-rescheduling',
    queue: prompt,
  },
  {
    name: 'resync',
    consumes: ['ResyncDue'],
    function: 'resync/find-drift',
    queue: recurring,
  },
  // One delivery covers every minute whose event waits.
  { name: 'publish-due', consumes: ['HubSchedulesDue'], function: 'resync/publish-due', queue: prompt },
  { name: 'schedule-binding', consumes: ['BindingChanged'], function: 'scheduler/schedule-binding', queue: prompt },
  {
    name: 'find-unscheduled',
    consumes: ['ResyncDue'],
    function: 'scheduler/find-unscheduled',
    queue: recurring,
  },
  {
    name: 'find-candidates',
    consumes: ['DeschedulingDue'],
    function: 'descheduler/find-candidates',
    queue: recurring,
  },
  {
    name: 'deschedule-bindings',
    consumes: ['DeschedulingChunkPlanned'],
    function: 'descheduler/deschedule-bindings',
    queue: writing,
  },
  {
    // A failing cluster is tainted several times within seconds, and rarely alone: one evaluation covers all of it.
    name: 'evaluate-policies',
    consumes: ['RebalancePolicyChanged', 'ClusterDrainChanged', 'ClusterChanged', 'PoliciesDue', 'ResyncDue'],
    function: 'rebalance-policy/evaluate-policies',
    queue: { batchSize: 100, batchWindowSeconds: 1, delaySeconds: 1, maxConcurrency: 2 },
  },
  {
    name: 'advance-run',
    consumes: ['PolicyRunDue'],
    function: 'rebalance-policy/advance-run',
    queue: { ...prompt, batchSize: 1 },
  },
  {
    // A binding whose pods become ready one after another is written as often: one reconcile covers all of it.
    name: 'release-reduction',
    consumes: ['BindingChanged', 'BindingStatusChanged', 'ReductionDue'],
    function: 'graceful-reduction/release-reduction',
    queue: { ...prompt, batchSize: 100, batchWindowSeconds: 1 },
  },
  {
    // A delivery with a changed policy reads all bindings, for any number of policies.
    name: 'find-reductions',
    consumes: ['PropagationPolicyChanged', 'ResyncDue'],
    function: 'graceful-reduction/find-reductions',
    queue: { ...prompt, batchSize: 100, batchWindowSeconds: 1 },
  },
  {
    // During a rollout clusters report one after another: one reconcile covers the reports of a second.
    name: 'balance-replicas',
    consumes: ['ElasticWorkloadChanged', 'ManifestWorkChanged', 'ElasticWorkloadDue'],
    function: 'elastic-workload/balance-replicas',
    queue: { ...prompt, batchSize: 100, batchWindowSeconds: 1 },
  },
  {
    name: 'find-workloads',
    consumes: ['PlacementDecisionChanged', 'ManagedClusterChanged', 'ResyncDue'],
    function: 'elastic-workload/find-workloads',
    queue: { ...prompt, batchSize: 100, batchWindowSeconds: 1 },
  },
  {
    // An add-on writes the scores of a thousand clusters each minute, one after the other: about two reconciles a minute follow, not sixty.
    name: 'find-by-score',
    consumes: ['AddOnPlacementScoreChanged'],
    function: 'elastic-workload/find-workloads',
    queue: { batchSize: 1000, batchWindowSeconds: 30, delaySeconds: 0, maxConcurrency: 2 },
  },
  {
    // The warnings of a whole node group arrive within seconds: one evaluation covers them.
    name: 'receive-event',
    consumes: ['ExternalEventReceived'],
    function: 'external-events/receive-event',
    queue: { batchSize: 100, batchWindowSeconds: 1, delaySeconds: 0, maxConcurrency: 2 },
  },
  {
    // During a rollout the status of a binding is written again and again: one read covers the writes of a second.
    name: 'record-placements',
    consumes: ['BindingChanged', 'BindingStatusChanged', 'ClusterChanged'],
    function: 'placement-history/record-placements',
    onlyFor: 'history',
    queue: { ...prompt, batchSize: 100, batchWindowSeconds: 1 },
  },
  {
    name: 'renew-token',
    consumes: ['HubTokenCheckDue'],
    function: 'hub-connection/renew-token',
    queue: recurring,
  },
] as const satisfies readonly Route[];
