/** The deployed stack in one process: table, bus with a queue per route, one-time schedules, the hook's URL, and the functions. */
import { join } from 'node:path';
import { otlpExporter } from '../shared/aws/otlp-exporter.ts';
import { WorkloadRebalancerChanged } from '../shared/bus/catalogue.ts';
import type { DeadLetter } from '../shared/bus/queues.ts';
import { deschedulingSchedule, type HubSchedule, resyncSchedule } from '../shared/bus/schedules.ts';
import type { Answerers } from '../shared/console-api/operations-app.ts';
import type { Settings } from '../shared/core/settings.ts';
import type { DeschedulingStore } from '../shared/descheduling/descheduling-store.ts';
import type { Estimators } from '../shared/estimator/estimator.ts';
import type { HookAccess } from '../shared/kubernetes/hook-access.ts';
import type { Hubs } from '../shared/kubernetes/hub.ts';
import type { HubConnections } from '../shared/kubernetes/hub-connections.ts';
import type { HubRegistry } from '../shared/kubernetes/hub-registry.ts';
import type { PolicyStore } from '../shared/rebalance-policy/policy-store.ts';
import type { TaskStore } from '../shared/workload-rebalancer/task-store.ts';
import type { LocalBus } from './bus.ts';
import { Cleanup } from './cleanup.ts';
import type { Clock } from './clock.ts';
import { DeadLetters } from './dead-letters.ts';
import { LocalDeployment } from './deployment.ts';
import type { KeyPair } from './hook-access.ts';
import { type HookServer, startHookServer } from './hook-server.ts';
import { startTable } from './table.ts';
import { LocalTelemetry } from './telemetry.ts';

export interface StackOptions {
  /** For table, schedules, log and dead-letter messages. */
  readonly folder: string;
  readonly hooksPort: number;
  /** Serves the hook over TLS. */
  readonly hookTls?: KeyPair;
  readonly hubs: Hubs & HookAccess;
  readonly connections: HubConnections;
  readonly registry: HubRegistry;
  readonly estimators: Estimators;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The URL of an OTLP/HTTP collector. */
  readonly tracesTo?: string | undefined;
}

export interface LocalStack {
  readonly hook: HookServer;
  readonly tasks: TaskStore;
  readonly descheduling: DeschedulingStore;
  readonly policies: PolicyStore;
  readonly telemetry: LocalTelemetry;
  readonly deadLetters: readonly DeadLetter[];
  /** Handlers of users' queries and commands. */
  readonly answerers: Answerers;
  /**
   * Publishes changes of these rebalancers. For a start: the queues of the previous process are gone, so there are no
   * messages in flight that a resync would have to wait for.
   */
  resume(hub: string, rebalancers: readonly string[]): Promise<void>;
  /** An event of AWS or of a user, as it arrives on a bus. */
  receive(event: object): void;
  /** The clusters of EC2 instances, which AWS knows by their tags. */
  readonly instances: Map<string, string>;
  /** Starts a resync and a descheduling run of the hub now, and by their schedules from then on. */
  resync(hub: string): Promise<void>;
  /** Starts a descheduling run of the hub now. */
  deschedule(hub: string): Promise<void>;
  /** Messages that are being handled, or will be without a delay: 0 when all decisions are made and logged. */
  due(): number;
  close(): Promise<void>;
}

/** If a part cannot start, those before it are ended. */
export async function startStack(options: StackOptions): Promise<LocalStack> {
  const { clock, newId, settings, folder, tracesTo } = options;
  const cleanup = new Cleanup();
  try {
    const inFolder = (name: string) => join(folder, name);
    const table = cleanup.adopt(await startTable(inFolder('table')), (started) => started.close());
    const { endpoint: _, close: __, ...stores } = table;
    const telemetry = new LocalTelemetry(clock, inFolder('evenkeel.log'));
    const deadLetters = new DeadLetters({ clock, newId, file: inFolder('dead-letters.jsonl') });
    const schedulesFile = inFolder('schedules.json');
    const traces = tracesTo && {
      exportSpans: otlpExporter({ to: tracesTo, service: 'evenkeel', telemetry, environment: {} }),
    };
    const deployment = cleanup.adopt(
      new LocalDeployment({ clock, newId, settings, telemetry, deadLetters, schedulesFile, ...traces }),
      (started) => started.close(),
    );
    const { hubs, connections, registry, estimators } = options;
    // A local run has no AWS account.
    const instances = new Map<string, string>();
    const ports = {
      hubs,
      hookAccess: hubs,
      connections,
      registry,
      ...stores,
      instances: { clustersOf: async () => instances },
      estimators,
    };
    const { answerers, hookRoutes } = deployment.run(ports);
    const hook = cleanup.adopt(await startHookServer(hookRoutes, options.hooksPort, options.hookTls), (server) =>
      server.close(),
    );
    const { bus } = deployment;
    const clockwork = ({ event, minutes }: HubSchedule) => {
      const publisher = new PeriodicPublisher(bus, clock, { event, minutes: minutes(settings) });
      return cleanup.adopt(publisher, (running) => running.close());
    };
    const comparing = clockwork(resyncSchedule);
    const sweeping = clockwork(deschedulingSchedule);
    const resync = async (hub: string) => {
      await comparing.now(hub);
      await sweeping.now(hub);
    };
    const deschedule = (hub: string) => sweeping.now(hub);
    const resume = (hub: string, names: readonly string[]) =>
      bus.publish(names.map((name) => WorkloadRebalancerChanged.of({ hub, name })));
    const receive = (event: object) => bus.receive(event);
    const close = () => cleanup.run();
    const { tasks, descheduling, policies } = stores;
    const state = { tasks, descheduling, policies, telemetry, deadLetters: deadLetters.all };
    return { hook, ...state, answerers, resume, resync, deschedule, due: () => bus.due, close, instances, receive };
  } catch (thrown) {
    await cleanup.run();
    throw thrown;
  }
}

type PeriodicEvent = Pick<HubSchedule, 'event'> & { readonly minutes: number };

/**
 * Publishes an event of a hub on request, and by its schedule from then on. Not by resync/publish-due, which spreads many hubs over the interval:
 * the one hub of a local run is compared at the start, and a story then waits for whole intervals.
 */
class PeriodicPublisher {
  readonly #bus: LocalBus;
  readonly #clock: Clock;
  readonly #schedule: PeriodicEvent;
  #cancel: (() => void) | undefined;

  constructor(bus: LocalBus, clock: Clock, schedule: PeriodicEvent) {
    this.#bus = bus;
    this.#clock = clock;
    this.#schedule = schedule;
  }

  async now(hub: string): Promise<void> {
    this.close();
    this.#cancel = this.#clock.after(this.#schedule.minutes * 60_000, () => void this.now(hub));
    await this.#bus.publish([this.#schedule.event(hub)]);
  }

  close(): void {
    this.#cancel?.();
  }
}
