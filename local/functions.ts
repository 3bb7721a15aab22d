/** The functions by their names in the route table: the same modules that Lambda runs. */
import { task as admitChange } from '../functions/cluster-hook/admit-change.lambda.ts';
import { task as reviewAdmission } from '../functions/cluster-hook/review-admission.lambda.ts';
import { task as runCommand } from '../functions/console-api/run-command.lambda.ts';
import { task as runQuery } from '../functions/console-api/run-query.lambda.ts';
import { task as descheduleBindings } from '../functions/descheduler/deschedule-bindings.lambda.ts';
import { task as findCandidates } from '../functions/descheduler/find-candidates.lambda.ts';
import { task as balanceReplicas } from '../functions/elastic-workload/balance-replicas.lambda.ts';
import { task as findWorkloads } from '../functions/elastic-workload/find-workloads.lambda.ts';
import { task as receiveAlerts } from '../functions/external-events/receive-alerts.lambda.ts';
import { task as receiveEvent } from '../functions/external-events/receive-event.lambda.ts';
import { task as findReductions } from '../functions/graceful-reduction/find-reductions.lambda.ts';
import { task as releaseReduction } from '../functions/graceful-reduction/release-reduction.lambda.ts';
import { task as renewToken } from '../functions/hub-connection/renew-token.lambda.ts';
import { task as recordPlacements } from '../functions/placement-history/record-placements.lambda.ts';
import { task as advanceRun } from '../functions/rebalance-policy/advance-run.lambda.ts';
import { task as evaluatePolicies } from '../functions/rebalance-policy/evaluate-policies.lambda.ts';
import { task as findDrift } from '../functions/resync/find-drift.lambda.ts';
import { task as publishDue } from '../functions/resync/publish-due.lambda.ts';
import { task as findUnscheduled } from '../functions/scheduler/find-unscheduled.lambda.ts';
import { task as scheduleBinding } from '../functions/scheduler/schedule-binding.lambda.ts';
import { task as confirmRescheduling } from '../functions/workload-rebalancer/confirm-rescheduling.lambda.ts';
import { task as expireRebalancer } from '../functions/workload-rebalancer/expire-rebalancer.lambda.ts';
import { task as planRebalance } from '../functions/workload-rebalancer/plan-rebalance.lambda.ts';
import { task as reportStatus } from '../functions/workload-rebalancer/report-status.lambda.ts';
import { task as triggerBindings } from '../functions/workload-rebalancer/trigger-bindings.lambda.ts';
import { type FunctionName, functions } from '../shared/bus/functions.ts';
import type { SourceQueue } from '../shared/bus/source-queue.ts';
import { type OperationHandler, onOperation } from '../shared/console-api/operation-task.ts';
import type { Answerers } from '../shared/console-api/operations-app.ts';
import type { InvocationContext } from '../shared/core/invocation.ts';
import { type HttpHandler, onHttp } from '../shared/runtime/http-task.ts';
import type { PortFactories } from '../shared/runtime/moment.ts';
import {
  type BatchTask,
  type EventDetail,
  onQueue,
  type QueueHandler,
  type QueueTask,
} from '../shared/runtime/queue-task.ts';
import type { AllPorts } from './all-ports.ts';
import type { Clock } from './clock.ts';
import type { HookRoute } from './hook-server.ts';
import { invoke } from './invocation.ts';

/** The ports and the context of an instance of a function that asks for the ports P. */
export interface FunctionInstance<P extends object = AllPorts> {
  readonly ports: Pick<P, Exclude<keyof P, keyof InvocationContext>>;
  readonly context: InvocationContext;
}

/** Starts an instance of a function behind a queue. */
export type QueueStart = (instance: FunctionInstance, queue: SourceQueue) => QueueHandler;

type InvokedBy<T extends string> = {
  readonly [N in FunctionName]: (typeof functions)[N]['invokedBy'] extends T ? N : never;
}[FunctionName];

export const queueFunctions: Readonly<Record<InvokedBy<'queue'>, QueueStart>> = {
  'workload-rebalancer/plan-rebalance': starting(planRebalance),
  'workload-rebalancer/trigger-bindings': starting(triggerBindings),
  'workload-rebalancer/report-status': starting(reportStatus),
  'workload-rebalancer/expire-rebalancer': starting(expireRebalancer),
  'workload-rebalancer/confirm-rescheduling': starting(confirmRescheduling),
  'external-events/receive-event': starting(receiveEvent),
  'hub-connection/renew-token': starting(renewToken),
  'descheduler/find-candidates': starting(findCandidates),
  'descheduler/deschedule-bindings': starting(descheduleBindings),
  'rebalance-policy/evaluate-policies': starting(evaluatePolicies),
  'rebalance-policy/advance-run': starting(advanceRun),
  'graceful-reduction/release-reduction': starting(releaseReduction),
  'graceful-reduction/find-reductions': starting(findReductions),
  'elastic-workload/balance-replicas': starting(balanceReplicas),
  'elastic-workload/find-workloads': starting(findWorkloads),
  'placement-history/record-placements': starting(recordPlacements),
  'resync/find-drift': starting(findDrift),
  'resync/publish-due': starting(publishDue),
  'scheduler/schedule-binding': starting(scheduleBinding),
  'scheduler/find-unscheduled': starting(findUnscheduled),
};

export function isBehindQueue(name: FunctionName): name is InvokedBy<'queue'> {
  return functions[name].invokedBy === 'queue';
}

/** Every path of the hook's URL with its function. */
export function hookRoutesOf(instance: FunctionInstance, clock: Clock): readonly HookRoute[] {
  const [factories, platform] = lambdaOf(instance);
  const handlers: Readonly<Record<InvokedBy<'http'>, HttpHandler>> = {
    'cluster-hook/admit-change': onHttp(admitChange, factories, platform),
    'cluster-hook/review-admission': onHttp(reviewAdmission, factories, platform),
    'external-events/receive-alerts': onHttp(receiveAlerts, factories, platform),
  };
  return Object.entries(handlers).flatMap(([key, handler]) => {
    const name = key as InvokedBy<'http'>;
    const invoked: HookRoute['handler'] = (event) => invoke(name, clock, (context) => handler(event, context));
    return functions[name].paths.map((path) => ({ path, handler: invoked }));
  });
}

/** The functions that users call through the API. */
export function answerersOf(instance: FunctionInstance, clock: Clock): Answerers {
  const [factories, platform] = lambdaOf(instance);
  const called =
    (name: InvokedBy<'console-api'>, handler: OperationHandler): NonNullable<Answerers['command']> =>
    (call) =>
      invoke(name, clock, (context) => handler({ ...call, by: { source: 'local', name: 'user' } }, context));
  return {
    query: called('console-api/run-query', onOperation(runQuery, factories, platform)),
    command: called('console-api/run-command', onOperation(runCommand, factories, platform)),
  };
}

function starting<D extends EventDetail, P extends object>(task: QueueTask<D, P> | BatchTask<D, P>) {
  return (instance: FunctionInstance<P>, queue: SourceQueue): QueueHandler => {
    const [factories, platform] = lambdaOf(instance);
    return onQueue(task, factories, { ...platform, sourceQueue: () => queue });
  };
}

/** The ports and the context as handlers take them on Lambda. */
function lambdaOf<P extends object>({ ports, context }: FunctionInstance<P>) {
  const factories = Object.entries<unknown>(ports).map(([name, port]) => [name, () => port]);
  return [Object.fromEntries(factories) as PortFactories<P>, { context: () => context }] as const;
}
