/** The deployed stack's shape in one process: table, bus with a queue a route, one-time schedules, the hook's URL, and the functions between them. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkloadRebalancerChanged } from '../shared/events/catalogue/workload-rebalancer-changed.ts';
import { deschedulingClock, type HubClock, resyncClock } from '../shared/events/clocks.ts';
import type { DeschedulingStore } from '../shared/ports/descheduling-store.ts';
import type { Estimators } from '../shared/ports/estimator.ts';
import type { Hubs } from '../shared/ports/hub.ts';
import type { PolicyStore } from '../shared/ports/policy-store.ts';
import type { Ports, Surroundings } from '../shared/ports/ports.ts';
import type { TaskStore } from '../shared/ports/task-store.ts';
import type { Settings } from '../shared/settings.ts';
import { LocalBus } from './bus.ts';
import type { Clock } from './clock.ts';
import { consumeAll, hookRoutes } from './functions.ts';
import type { KeyPair } from './hook-access.ts';
import { type HookServer, startHookServer } from './hook-server.ts';
import { localConnections } from './local-connections.ts';
import type { DeadLetter } from './queue.ts';
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
    const { tasks, descheduling, policies } = parts.adopt(await startTable(inFolder('table')), (table) =>
      table.close(),
    );
    const telemetry = new LocalTelemetry(clock, inFolder('evenkeel.log'));
    const { deadLetters, onDeadLetter } = collectDeadLetters(inFolder('dead-letters.jsonl'));
    const bus = new LocalBus({ clock, newId, maxReceives: settings.maxReceives, onDeadLetter });
    parts.defer(() => bus.close());
    const schedule = parts.adopt(new LocalSchedule(bus, clock, inFolder('schedules.json')), (started) =>
      started.close(),
    );
    const surroundings: Surroundings = { settings, telemetry, now: () => clock.now(), newId };
    const { hubs, estimators } = options;
    const ports: Ports = {
      hubs,
      connections: localConnections,
      tasks,
      descheduling,
      policies,
      estimators,
      bus,
      schedule,
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
    return { hook, tasks, descheduling, policies, telemetry, deadLetters, resume, resync, deschedule, close };
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

function collectDeadLetters(file: string) {
  const deadLetters: DeadLetter[] = [];
  const onDeadLetter = (letter: DeadLetter) => {
    deadLetters.push(letter);
    appendFileSync(file, `${JSON.stringify(letter)}\n`);
  };
  return { deadLetters, onDeadLetter };
}
