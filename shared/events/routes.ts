/**
 * Routing, in one table: which function hears which events, and the queue between them. CDK makes rules and queues from
 * it; the local runtime dispatches from it.
 */
import type { FunctionName } from '../functions.ts';
import type { EventType } from './catalogue.ts';
import { SOURCE } from './event.ts';

export interface QueueSettings {
  /** Messages in one invocation, at most; events of one key among them are handled once. */
  readonly batchSize: number;
  /** How long an invocation waits for its batch to fill, in seconds; AWS wants at least 1 above a batch of 10. */
  readonly batchWindowSeconds: number;
  /** How long a message waits before its first delivery, in seconds, 0 to 900. */
  readonly delaySeconds: number;
  /** Invocations at once, at most; 2 is the least AWS takes. */
  readonly maxConcurrency: number;
}

export interface Route {
  /** Names the rule, the queue and its dead letters. */
  readonly name: string;
  readonly hears: readonly EventType[];
  readonly function: FunctionName;
  readonly queue: QueueSettings;
}

/** From one report of a rebalance's progress to the next, and before the first, at least. */
export const PROGRESS_SECONDS = 10;

const prompt: QueueSettings = { batchSize: 10, batchWindowSeconds: 0, delaySeconds: 0, maxConcurrency: 4 };

export const routes = [
  {
    name: 'plan-rebalance',
    hears: ['WorkloadRebalancerChanged'],
    function: 'workload-rebalancer/plan-rebalance',
    queue: prompt,
  },
  {
    // One chunk an invocation. A hub's budget of writes in flight is maxConcurrency × hubInFlight.
    name: 'trigger-bindings',
    hears: ['RebalanceChunkPlanned'],
    function: 'workload-rebalancer/trigger-bindings',
    queue: { batchSize: 1, batchWindowSeconds: 0, delaySeconds: 0, maxConcurrency: 2 },
  },
  {
    // Progress is told at most so often. Said in between, it is looked at when the next may be told: the last is never lost. Gathered for
    // longer than a large status takes to write, so that one delivery writes it and not two side by side.
    name: 'report-progress',
    hears: ['RebalanceProgressed'],
    function: 'workload-rebalancer/report-status',
    queue: { batchSize: 100, batchWindowSeconds: 5, delaySeconds: PROGRESS_SECONDS, maxConcurrency: 2 },
  },
  { name: 'report-finish', hears: ['RebalanceFinished'], function: 'workload-rebalancer/report-status', queue: prompt },
  {
    name: 'plan-expiry',
    hears: ['RebalanceReported'],
    function: 'workload-rebalancer/expire-rebalancer',
    queue: prompt,
  },
  { name: 'expire', hears: ['RebalancerExpiryDue'], function: 'workload-rebalancer/expire-rebalancer', queue: prompt },
  {
    name: 'await-rescheduling',
    hears: ['RebalanceReported'],
    function: 'workload-rebalancer/confirm-rescheduling',
    queue: prompt,
  },
  {
    name: 'confirm-rescheduling',
    hears: ['ReschedulingCheckDue'],
    function: 'workload-rebalancer/confirm-rescheduling',
    queue: prompt,
  },
  {
    name: 'resync',
    hears: ['ResyncDue'],
    function: 'resync/find-drift',
    queue: { ...prompt, batchSize: 1, maxConcurrency: 2 },
  },
  { name: 'schedule-binding', hears: ['BindingChanged'], function: 'scheduler/schedule-binding', queue: prompt },
  {
    name: 'find-unscheduled',
    hears: ['ResyncDue'],
    function: 'scheduler/find-unscheduled',
    queue: { ...prompt, batchSize: 1, maxConcurrency: 2 },
  },
  {
    name: 'find-candidates',
    hears: ['DeschedulingDue'],
    function: 'descheduler/find-candidates',
    queue: { ...prompt, batchSize: 1, maxConcurrency: 2 },
  },
  {
    name: 'deschedule-bindings',
    hears: ['DeschedulingChunkPlanned'],
    function: 'descheduler/deschedule-bindings',
    queue: { ...prompt, batchSize: 1, maxConcurrency: 2 },
  },
  {
    // A cluster that goes is tainted several times within seconds, and rarely alone: one look for all of it.
    name: 'evaluate-policies',
    hears: ['RebalancePolicyChanged', 'ClusterChanged', 'PoliciesDue', 'ResyncDue'],
    function: 'rebalance-policy/evaluate-policies',
    queue: { batchSize: 100, batchWindowSeconds: 1, delaySeconds: 1, maxConcurrency: 2 },
  },
  {
    name: 'advance-run',
    hears: ['PolicyRunDue'],
    function: 'rebalance-policy/advance-run',
    queue: { ...prompt, batchSize: 1 },
  },
  {
    // A binding whose pods get ready one after another is written as often: one look for all of it.
    name: 'release-reduction',
    hears: ['BindingChanged', 'BindingStatusChanged', 'ReductionDue'],
    function: 'graceful-reduction/release-reduction',
    queue: { batchSize: 100, batchWindowSeconds: 1, delaySeconds: 0, maxConcurrency: 4 },
  },
  {
    // Each time all bindings are read, however many policies were applied together.
    name: 'find-reductions',
    hears: ['PropagationPolicyChanged', 'ResyncDue'],
    function: 'graceful-reduction/find-reductions',
    queue: { batchSize: 100, batchWindowSeconds: 1, delaySeconds: 0, maxConcurrency: 2 },
  },
  {
    // Clusters report one after another when a workload is rolled out over all of them: one look for what a second brings.
    name: 'balance-replicas',
    hears: ['ElasticWorkloadChanged', 'ManifestWorkChanged', 'ElasticWorkloadDue'],
    function: 'elastic-workload/balance-replicas',
    queue: { batchSize: 100, batchWindowSeconds: 1, delaySeconds: 0, maxConcurrency: 4 },
  },
  {
    name: 'find-workloads',
    hears: ['PlacementDecisionChanged', 'ManagedClusterChanged', 'ResyncDue'],
    function: 'elastic-workload/find-workloads',
    queue: { batchSize: 100, batchWindowSeconds: 1, delaySeconds: 0, maxConcurrency: 2 },
  },
  {
    name: 'renew-token',
    hears: ['HubTokenCheckDue'],
    function: 'hub-connection/renew-token',
    queue: { ...prompt, batchSize: 1, maxConcurrency: 2 },
  },
] as const satisfies readonly Route[];

/** The EventBridge pattern of a route. Only exact matching on two fields is used, so that every matcher agrees on it. */
export function patternOf(route: Route): {
  readonly source: readonly string[];
  readonly 'detail-type': readonly string[];
} {
  return { source: [SOURCE], 'detail-type': route.hears };
}
