/** The deployed stack's shape in one process: table, bus with a queue a route, one-time schedules, the hook's URL, and the functions between them. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { ResyncDue } from '../shared/events/catalogue/resync-due.ts';
import type { Hubs } from '../shared/ports/hub.ts';
import type { Ports, Surroundings } from '../shared/ports/ports.ts';
import type { TaskStore } from '../shared/ports/task-store.ts';
import type { Settings } from '../shared/settings.ts';
import { LocalBus } from './bus.ts';
import type { Clock } from './clock.ts';
import { hookFunction, queueFunctions } from './functions.ts';
import { type HookServer, startHookServer } from './hook-server.ts';
import type { DeadLetter } from './queue.ts';
import { LocalSchedule } from './schedule.ts';
import { startTable } from './table.ts';
import { LocalTelemetry } from './telemetry.ts';

export interface StackOptions {
  /** Folder for table, schedules, log and dead letters; all in memory where absent. */
  readonly folder?: string;
  readonly hooksPort: number;
  readonly hubs: Hubs;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly newId: () => string;
}

export interface Stack {
  readonly hook: HookServer;
  readonly tasks: TaskStore;
  readonly telemetry: LocalTelemetry;
  readonly deadLetters: readonly DeadLetter[];
  /** Messages that no function has handled yet. */
  depth(): number;
  /** Has the hub compared with its tasks now, and every resyncMinutes from then on. */
  resync(hub: string): Promise<void>;
  close(): Promise<void>;
}

export async function startStack(options: StackOptions): Promise<Stack> {
  const { clock, newId, settings, folder } = options;
  const inFolder = (name: string) => (folder === undefined ? undefined : join(folder, name));
  const table = await startTable(inFolder('table'));
  const telemetry = new LocalTelemetry(clock, inFolder('evenkeel.log'));
  const deadLetters: DeadLetter[] = [];
  const onDeadLetter = (letter: DeadLetter) => {
    deadLetters.push(letter);
    const file = inFolder('dead-letters.jsonl');
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(letter)}\n`);
  };
  const bus = new LocalBus({ clock, newId, maxReceives: settings.maxReceives, onDeadLetter });
  const schedule = new LocalSchedule(bus, clock, inFolder('schedules.json'));
  const surroundings: Surroundings = { settings, telemetry, now: () => clock.now(), newId };
  const ports: Ports = { hubs: options.hubs, tasks: table.tasks, bus, schedule };
  const hook = await startHook(ports, surroundings, options.hooksPort);
  consume(bus, ports, surroundings);

  let cancelResync: (() => void) | undefined;
  const resync = async (hub: string): Promise<void> => {
    cancelResync?.();
    cancelResync = clock.after(settings.resyncMinutes * 60_000, () => void resync(hub));
    await bus.publish([ResyncDue.of({ hub })]);
  };
  const close = async () => {
    cancelResync?.();
    schedule.close();
    bus.close();
    await hook.close();
    await table.close();
  };
  return { hook, tasks: table.tasks, telemetry, deadLetters, depth: () => bus.depth, resync, close };
}

function factoriesOf(ports: Ports) {
  return { hubs: () => ports.hubs, tasks: () => ports.tasks, bus: () => ports.bus, schedule: () => ports.schedule };
}

function startHook(ports: Ports, surroundings: Surroundings, port: number): Promise<HookServer> {
  return startHookServer(
    hookFunction(factoriesOf(ports), { surroundings: () => surroundings, sourceQueue: unused }),
    port,
  );
}

function consume(bus: LocalBus, ports: Ports, surroundings: Surroundings): void {
  for (const [route, queue] of bus.queues) {
    if (route.function === 'cluster-hook/admit-change') continue;
    const platform = { surroundings: () => surroundings, sourceQueue: () => queue };
    queue.consume(queueFunctions[route.function](factoriesOf(ports), platform));
  }
}

function unused(): never {
  throw new Error('the hook reads no queue');
}
