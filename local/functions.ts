/** The functions by the names the route table uses: the very modules that Lambda runs. */
import { task as admitChange } from '../functions/cluster-hook/admit-change.lambda.ts';
import { task as findDrift } from '../functions/resync/find-drift.lambda.ts';
import { task as confirmRescheduling } from '../functions/workload-rebalancer/confirm-rescheduling.lambda.ts';
import { task as expireRebalancer } from '../functions/workload-rebalancer/expire-rebalancer.lambda.ts';
import { task as planRebalance } from '../functions/workload-rebalancer/plan-rebalance.lambda.ts';
import { task as reportStatus } from '../functions/workload-rebalancer/report-status.lambda.ts';
import { task as triggerBindings } from '../functions/workload-rebalancer/trigger-bindings.lambda.ts';
import { type HttpHandler, onHttp } from '../shared/edge/http-task.ts';
import type { PortFactories } from '../shared/edge/moment.ts';
import { onQueue, type QueueHandler, type QueuePlatform } from '../shared/edge/queue-task.ts';
import type { FunctionName } from '../shared/functions.ts';
import type { Ports, Surroundings } from '../shared/ports/ports.ts';
import type { LocalBus } from './bus.ts';

type Factories = PortFactories<keyof Ports>;

/** A handler for each function behind a queue, on the given ports. */
export const queueFunctions: Readonly<
  Record<
    Exclude<FunctionName, 'cluster-hook/admit-change'>,
    (factories: Factories, platform: QueuePlatform) => QueueHandler
  >
> = {
  'workload-rebalancer/plan-rebalance': (factories, platform) => onQueue(planRebalance, factories, platform),
  'workload-rebalancer/trigger-bindings': (factories, platform) => onQueue(triggerBindings, factories, platform),
  'workload-rebalancer/report-status': (factories, platform) => onQueue(reportStatus, factories, platform),
  'workload-rebalancer/expire-rebalancer': (factories, platform) => onQueue(expireRebalancer, factories, platform),
  'workload-rebalancer/confirm-rescheduling': (factories, platform) =>
    onQueue(confirmRescheduling, factories, platform),
  'resync/find-drift': (factories, platform) => onQueue(findDrift, factories, platform),
};

/** Puts every function behind its queues, on the same ports. */
export function consumeAll(bus: LocalBus, ports: Ports, surroundings: Surroundings): void {
  for (const [route, queue] of bus.queues) {
    if (route.function === 'cluster-hook/admit-change') continue;
    const platform = { surroundings: () => surroundings, sourceQueue: () => queue };
    queue.consume(queueFunctions[route.function](factoriesOf(ports), platform));
  }
}

export function hookFunction(ports: Ports, surroundings: Surroundings): HttpHandler {
  return onHttp(admitChange, factoriesOf(ports), { surroundings: () => surroundings });
}

function factoriesOf(ports: Ports): Factories {
  return { hubs: () => ports.hubs, tasks: () => ports.tasks, bus: () => ports.bus, schedule: () => ports.schedule };
}
