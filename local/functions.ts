/** The functions by their names in the route table: the same modules that Lambda runs. */
import { task as admitChange } from '../functions/cluster-hook/admit-change.lambda.ts';
import { task as reviewAdmission } from '../functions/cluster-hook/review-admission.lambda.ts';
import { task as descheduleBindings } from '../functions/descheduler/deschedule-bindings.lambda.ts';
import { task as findCandidates } from '../functions/descheduler/find-candidates.lambda.ts';
import { task as balanceReplicas } from '../functions/elastic-workload/balance-replicas.lambda.ts';
import { task as findWorkloads } from '../functions/elastic-workload/find-workloads.lambda.ts';
import { task as findReductions } from '../functions/graceful-reduction/find-reductions.lambda.ts';
import { task as releaseReduction } from '../functions/graceful-reduction/release-reduction.lambda.ts';
import { task as renewToken } from '../functions/hub-connection/renew-token.lambda.ts';
import { task as answerQuestion } from '../functions/operator/answer-question.lambda.ts';
import { task as carryOutOrder } from '../functions/operator/carry-out-order.lambda.ts';
import { task as advanceRun } from '../functions/rebalance-policy/advance-run.lambda.ts';
import { task as evaluatePolicies } from '../functions/rebalance-policy/evaluate-policies.lambda.ts';
import { task as findDrift } from '../functions/resync/find-drift.lambda.ts';
import { task as findUnscheduled } from '../functions/scheduler/find-unscheduled.lambda.ts';
import { task as scheduleBinding } from '../functions/scheduler/schedule-binding.lambda.ts';
import { task as confirmRescheduling } from '../functions/workload-rebalancer/confirm-rescheduling.lambda.ts';
import { task as expireRebalancer } from '../functions/workload-rebalancer/expire-rebalancer.lambda.ts';
import { task as planRebalance } from '../functions/workload-rebalancer/plan-rebalance.lambda.ts';
import { task as reportStatus } from '../functions/workload-rebalancer/report-status.lambda.ts';
import { task as triggerBindings } from '../functions/workload-rebalancer/trigger-bindings.lambda.ts';
import { type FunctionName, functions } from '../shared/bus/functions.ts';
import type { Answerers } from '../shared/console-api/operator-app.ts';
import { type OperatorHandler, onOperator } from '../shared/console-api/operator-task.ts';
import type { InvocationContext } from '../shared/core/invocation.ts';
import { type HttpHandler, onHttp } from '../shared/runtime/http-task.ts';
import type { PortFactories } from '../shared/runtime/moment.ts';
import { onQueue, type QueueHandler, type QueuePlatform } from '../shared/runtime/queue-task.ts';
import type { AllPorts } from './all-ports.ts';
import type { LocalBus } from './bus.ts';
import type { Clock } from './clock.ts';
import type { HookRoute } from './hook-server.ts';
import { invoke } from './invocation.ts';

type Factories = PortFactories<AllPorts>;

type InvokedBy<T extends string> = {
  readonly [N in FunctionName]: (typeof functions)[N]['invokedBy'] extends T ? N : never;
}[FunctionName];

/** A handler for each function behind a queue, on the given ports. */
export const queueFunctions: Readonly<
  Record<InvokedBy<'queue'>, (factories: Factories, platform: QueuePlatform) => QueueHandler>
> = {
  'workload-rebalancer/plan-rebalance': (factories, platform) => onQueue(planRebalance, factories, platform),
  'workload-rebalancer/trigger-bindings': (factories, platform) => onQueue(triggerBindings, factories, platform),
  'workload-rebalancer/report-status': (factories, platform) => onQueue(reportStatus, factories, platform),
  'workload-rebalancer/expire-rebalancer': (factories, platform) => onQueue(expireRebalancer, factories, platform),
  'workload-rebalancer/confirm-rescheduling': (factories, platform) =>
    onQueue(confirmRescheduling, factories, platform),
  'hub-connection/renew-token': (factories, platform) => onQueue(renewToken, factories, platform),
  'descheduler/find-candidates': (factories, platform) => onQueue(findCandidates, factories, platform),
  'descheduler/deschedule-bindings': (factories, platform) => onQueue(descheduleBindings, factories, platform),
  'rebalance-policy/evaluate-policies': (factories, platform) => onQueue(evaluatePolicies, factories, platform),
  'rebalance-policy/advance-run': (factories, platform) => onQueue(advanceRun, factories, platform),
  'graceful-reduction/release-reduction': (factories, platform) => onQueue(releaseReduction, factories, platform),
  'graceful-reduction/find-reductions': (factories, platform) => onQueue(findReductions, factories, platform),
  'elastic-workload/balance-replicas': (factories, platform) => onQueue(balanceReplicas, factories, platform),
  'elastic-workload/find-workloads': (factories, platform) => onQueue(findWorkloads, factories, platform),
  'resync/find-drift': (factories, platform) => onQueue(findDrift, factories, platform),
  'scheduler/schedule-binding': (factories, platform) => onQueue(scheduleBinding, factories, platform),
  'scheduler/find-unscheduled': (factories, platform) => onQueue(findUnscheduled, factories, platform),
};

/** Connects every function to its queues, on the same ports. */
export function consumeAll(bus: LocalBus, ports: AllPorts, context: InvocationContext): void {
  for (const [route, queue] of bus.queues) {
    if (!isBehindQueue(route.function)) continue;
    const platform = { context: () => context, sourceQueue: () => queue };
    queue.consume(queueFunctions[route.function](factoriesOf(ports), platform));
  }
}

function isBehindQueue(name: FunctionName): name is InvokedBy<'queue'> {
  return functions[name].invokedBy === 'queue';
}

/** Every path of the hook's URL with its function. */
export function hookRoutes(ports: AllPorts, context: InvocationContext, clock: Clock): readonly HookRoute[] {
  const platform = { context: () => context };
  const handlers: Readonly<Record<InvokedBy<'http'>, HttpHandler>> = {
    'cluster-hook/admit-change': onHttp(admitChange, factoriesOf(ports), platform),
    'cluster-hook/review-admission': onHttp(reviewAdmission, factoriesOf(ports), platform),
  };
  return Object.entries(handlers).flatMap(([key, handler]) => {
    const name = key as InvokedBy<'http'>;
    const invoked: HookRoute['handler'] = (event) => invoke(name, clock, (context) => handler(event, context));
    return functions[name].paths.map((path) => ({ path, handler: invoked }));
  });
}

/** The functions that users call through the API. */
export function answerersOf(ports: AllPorts, context: InvocationContext, clock: Clock): Answerers {
  const platform = { context: () => context };
  const called =
    (name: InvokedBy<'operator'>, handler: OperatorHandler): NonNullable<Answerers['order']> =>
    (call) =>
      invoke(name, clock, (context) => handler({ ...call, by: { source: 'local', name: 'user' } }, context));
  return {
    question: called('operator/answer-question', onOperator(answerQuestion, factoriesOf(ports), platform)),
    order: called('operator/carry-out-order', onOperator(carryOutOrder, factoriesOf(ports), platform)),
  };
}

function factoriesOf(ports: AllPorts): Factories {
  return {
    hubs: () => ports.hubs,
    hookAccess: () => ports.hookAccess,
    connections: () => ports.connections,
    tasks: () => ports.tasks,
    descheduling: () => ports.descheduling,
    policies: () => ports.policies,
    elastic: () => ports.elastic,
    estimators: () => ports.estimators,
    bus: () => ports.bus,
    schedule: () => ports.schedule,
    queues: () => ports.queues,
    logs: () => ports.logs,
  };
}
