/** The deployed stack's shape in one process: table, bus with a queue a route, one-time schedules, the hook's URL, and the functions between them. */
import { join } from 'node:path';
import type { Answerers } from '../shared/edge/operator-app.ts';
import { WorkloadRebalancerChanged } from '../shared/events/catalogue/workload-rebalancer-changed.ts';
import { deschedulingClock, type HubClock, resyncClock } from '../shared/events/clocks.ts';
import type { DeschedulingStore } from '../shared/ports/descheduling-store.ts';
import type { Estimators } from '../shared/ports/estimator.ts';
import type { Hubs } from '../shared/ports/hub.ts';
import type { HubConnections } from '../shared/ports/hub-connections.ts';
import type { PolicyStore } from '../shared/ports/policy-store.ts';
import type { Ports, Surroundings } from '../shared/ports/ports.ts';
import type { DeadLetter } from '../shared/ports/queues.ts';
import type { TaskStore } from '../shared/ports/task-store.ts';
import type { Settings } from '../shared/settings.ts';
import { LocalBus } from './bus.ts';
import type { Clock } from './clock.ts';
import { DeadLetters } from './dead-letters.ts';
import { answerersOf, consumeAll, hookRoutes } from './functions.ts';
import type { KeyPair } from './hook-access.ts';
import { type HookServer, startHookServer } from './hook-server.ts';
import { LocalQueues } from './local-queues.ts';
import { LocalSchedule } from './schedule.ts';
import { startTable } from './table.ts';
import { LocalTelemetry } from './telemetry.ts';

export interface StackOptions {
  /** For table, schedules, log and dead letters. */
  readonly folder: string;
  readonly hooksPort: number;
  /** Has the hook speak TLS. */
  readonly hookTls?: KeyPair;
  readonly hubs: Hubs;
  readonly connections: HubConnections;
  readonly estimators: Estimators;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly newId: () => string;
}

export interface Stack {
  readonly hook: HookServer;
  readonly tasks: TaskStore;
  readonly descheduling: DeschedulingStore;
  readonly policies: PolicyStore;
  readonly telemetry: LocalTelemetry;
  readonly deadLetters: readonly DeadLetter[];
  /** Who answers people's questions, and carries out their orders. */
  readonly answerers: Answerers;
  /**
   * Has these rebalancers looked at as if they had just changed. For a start: the queues of the process before went with
   * it, so nothing is under way that a resync had better wait for.
   */
  resume(hub: string, rebalancers: readonly string[]): Promise<void>;
  /** Has the hub compared with its tasks and descheduled now, and by their clocks from then on. */
  resync(hub: string): Promise<void>;
  /** Has the hub looked through for unschedulable replicas now. */
  deschedule(hub: string): Promise<void>;
  close(): Promise<void>;
}

/** Where a part cannot start, those before it are ended again. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { clock, newId, settings, folder } = options;
  const parts = new AsyncDisposableStack();
  try {
    const inFolder = (name: string) => join(folder, name);
    const { tasks, descheduling, policies, elastic } = parts.adopt(await startTable(inFolder('table')), (table) =>
      table.close(),
    );
    const telemetry = new LocalTelemetry(clock, inFolder('evenkeel.log'));
    const letters = new DeadLetters({ clock, newId, file: inFolder('dead-letters.jsonl') });
    const { maxReceives } = settings;
    const bus = new LocalBus({ clock, newId, maxReceives, onDeadLetter: (letter) => letters.add(letter) });
    parts.defer(() => bus.close());
    const schedule = parts.adopt(new LocalSchedule(bus, clock, inFolder('schedules.json')), (started) =>
      started.close(),
    );
    const surroundings: Surroundings = { settings, telemetry, now: () => clock.now(), newId };
    const { hubs, connections, estimators } = options;
    const ports: Ports = {
      hubs,
      connections,
      tasks,
      descheduling,
      policies,
      elastic,
      estimators,
      bus,
      schedule,
      queues: new LocalQueues(bus, letters),
      journal: telemetry,
    };
    const hook = parts.adopt(
      await startHookServer(hookRoutes(ports, surroundings), options.hooksPort, options.hookTls),
      (server) => server.close(),
    );
    consumeAll(bus, ports, surroundings);
    const clockwork = ({ event, minutes }: HubClock) => {
      const ticks = new Ticks(bus, clock, { event, minutes: minutes(settings) });
      return parts.adopt(ticks, (running) => running.close());
    };
    const comparing = clockwork(resyncClock);
    const sweeping = clockwork(deschedulingClock);
    const resync = async (hub: string) => {
      await comparing.now(hub);
      await sweeping.now(hub);
    };
    const deschedule = (hub: string) => sweeping.now(hub);
    const resume = (hub: string, names: readonly string[]) =>
      bus.publish(names.map((name) => WorkloadRebalancerChanged.of({ hub, name })));
    const close = () => parts.disposeAsync();
    const deadLetters = letters.all;
    const answerers = answerersOf(ports, surroundings);
    const state = { tasks, descheduling, policies, telemetry, deadLetters };
    return { hook, ...state, answerers, resume, resync, deschedule, close };
  } catch (thrown) {
    await parts.disposeAsync();
    throw thrown;
  }
}

type Tick = Pick<HubClock, 'event'> & { readonly minutes: number };

/** Says an event of a hub when asked, and by the clock from then on. */
class Ticks {
  readonly #bus: LocalBus;
  readonly #clock: Clock;
  readonly #tick: Tick;
  #cancel: (() => void) | undefined;

  constructor(bus: LocalBus, clock: Clock, tick: Tick) {
    this.#bus = bus;
    this.#clock = clock;
    this.#tick = tick;
  }

  async now(hub: string): Promise<void> {
    this.close();
    this.#cancel = this.#clock.after(this.#tick.minutes * 60_000, () => void this.now(hub));
    await this.#bus.publish([this.#tick.event(hub)]);
  }

  close(): void {
    this.#cancel?.();
  }
}
