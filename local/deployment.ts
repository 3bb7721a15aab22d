/** The deployment in one process: the bus, a queue per route, one-time schedules, and the functions on their ports. */
import type { EventBus } from '../shared/bus/event-bus.ts';
import type { FunctionName } from '../shared/bus/functions.ts';
import type { Route } from '../shared/bus/routes.ts';
import type { Answerers } from '../shared/console-api/operations-app.ts';
import type { InvocationContext } from '../shared/core/invocation.ts';
import type { LogReader } from '../shared/core/log-reader.ts';
import type { Settings } from '../shared/core/settings.ts';
import type { SpanExporter } from '../shared/core/span.ts';
import type { Telemetry } from '../shared/core/telemetry.ts';
import { onHttp } from '../shared/runtime/http-task.ts';
import { timeLeft } from '../shared/runtime/moment.ts';
import type { QueueHandler } from '../shared/runtime/queue-task.ts';
import type { AllPorts } from './all-ports.ts';
import { LocalBus } from './bus.ts';
import type { Clock } from './clock.ts';
import type { DeadLetters } from './dead-letters.ts';
import { eventPath, receiveEvents } from './event-route.ts';
import { answerersOf, hookRoutesOf, isBehindQueue, type QueueStart, queueFunctions } from './functions.ts';
import type { HookRoute } from './hook-server.ts';
import { LocalQueues } from './local-queues.ts';
import type { Consumer, LocalQueue } from './queue.ts';
import { LocalSchedule } from './schedule.ts';

export interface DeploymentParts {
  readonly clock: Clock;
  /** The clock of schedules and functions, if it differs from `clock`. */
  readonly ownClock?: Clock;
  readonly newId: () => string;
  readonly settings: Settings;
  readonly telemetry: Telemetry & LogReader;
  readonly deadLetters: DeadLetters;
  /** Stores the schedules; in memory only without a file. */
  readonly schedulesFile?: string;
  /** The bus in front of the queues, if there is one; it delivers to `LocalDeployment.bus`. */
  readonly bus?: EventBus;
  readonly exportSpans?: SpanExporter;
}

/** Ports that the deployment has, and those that it must be given. */
type OwnPorts = Pick<AllPorts, 'bus' | 'schedule' | 'queues' | 'logs'>;
export type GivenPorts = Omit<AllPorts, keyof OwnPorts> & Partial<OwnPorts>;

/** The functions that are not behind a queue. */
export interface CalledFunctions {
  readonly answerers: Answerers;
  readonly hookRoutes: readonly HookRoute[];
}

export class LocalDeployment {
  readonly bus: LocalBus;
  readonly schedule: LocalSchedule;
  readonly context: InvocationContext;
  readonly #ports: OwnPorts;
  readonly #clock: Clock;

  constructor({ clock, ownClock = clock, newId, settings, telemetry, deadLetters, ...parts }: DeploymentParts) {
    const { maxReceives } = settings;
    this.#clock = clock;
    this.bus = new LocalBus({ clock, newId, maxReceives, onDeadLetter: (deadLetter) => deadLetters.add(deadLetter) });
    const { bus = this.bus, exportSpans } = parts;
    this.schedule = new LocalSchedule(bus, ownClock, parts.schedulesFile);
    this.context = {
      settings,
      telemetry,
      now: () => ownClock.now(),
      newId,
      timeLeft,
      ...(exportSpans && { exportSpans }),
    };
    const queues = new LocalQueues(this.bus, deadLetters);
    this.#ports = { bus, schedule: this.schedule, queues, logs: telemetry };
  }

  /** Runs every function on these ports. `around` wraps the handlers of queues. */
  run(
    given: GivenPorts,
    around: (name: FunctionName, handler: QueueHandler) => Consumer = (_, handler) => handler,
  ): CalledFunctions {
    const instance = { ports: { ...this.#ports, ...given }, context: this.context };
    this.consume((route, queue, start) => around(route.function, start(instance, queue)));
    const { hookAccess } = given;
    const receive = (event: object) => this.bus.receive(event);
    const ofEvents = { hookAccess: () => hookAccess, receive: () => receive };
    const events = { path: eventPath, handler: onHttp(receiveEvents, ofEvents, { context: () => this.context }) };
    const hookRoutes = [...hookRoutesOf(instance, this.#clock), events];
    return { answerers: answerersOf(instance, this.#clock), hookRoutes };
  }

  /** Connects each function behind a queue to its queues; `consumerOf` starts its instances. */
  consume(consumerOf: (route: Route, queue: LocalQueue, start: QueueStart) => Consumer): void {
    for (const [route, queue] of this.bus.queues)
      if (isBehindQueue(route.function)) queue.consume(consumerOf(route, queue, queueFunctions[route.function]));
  }

  async close(): Promise<void> {
    this.schedule.close();
    await this.bus.close();
  }
}
