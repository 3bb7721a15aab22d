/** A process that runs one client of the transport benchmark: it executes the parent's commands and reports their duration. */
import { PerformanceObserver } from 'node:perf_hooks';
import type { BenchClient, Target } from './client.ts';
import { type ClientName, clients } from './clients.ts';

export type Command =
  | { readonly do: 'open'; readonly client: ClientName; readonly target: Target; readonly inFlight: readonly number[] }
  | ({ readonly do: 'patch' | 'count connections' } & Pass)
  | { readonly do: 'list'; readonly names: readonly string[] };

/** One patch per name, `inFlight` at a time. */
export interface Pass {
  readonly inFlight: number;
  readonly names: readonly string[];
  readonly triggeredAt: string;
}

export interface Answer {
  readonly ms: number;
  /** Processor time of this process, the billed part of a function, without the server's. */
  readonly cpuMs: number;
  readonly connections: number;
  readonly residentMb: number;
}

export type Reply = { readonly answer: Answer } | { readonly failed: string };

const open = new Map<number, BenchClient>();

async function run(command: Command): Promise<number> {
  switch (command.do) {
    case 'open': {
      const make = await clients[command.client]();
      for (const inFlight of command.inFlight) open.set(inFlight, make(command.target, inFlight));
      return 0;
    }
    case 'patch':
      await patchAll(command);
      return 0;
    case 'count connections':
      return countConnections(() => patchAll(command));
    case 'list': {
      const [client] = open.values();
      const count = await client?.list(command.names);
      if (count !== command.names.length) throw new Error(`listed ${count ?? 0} of ${command.names.length} bindings`);
      return 0;
    }
  }
}

async function patchAll({ inFlight, names, triggeredAt }: Pass): Promise<void> {
  const client = open.get(inFlight);
  if (!client) throw new Error(`no client was opened for ${inFlight} in flight`);
  const left = names.values();
  // The workers share one iterator, so that a slow response delays only its own worker.
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (const name of left) await client.patch(name, triggeredAt);
    }),
  );
}

/** Separate from the timed passes, because counting costs time. */
async function countConnections(pass: () => Promise<void>): Promise<number> {
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    count += list.getEntriesByName('connect').length;
  });
  observer.observe({ entryTypes: ['net'] });
  await pass();
  count += observer.takeRecords().filter(({ name }) => name === 'connect').length;
  observer.disconnect();
  return count;
}

async function timed(command: Command): Promise<Answer> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const connections = await run(command);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000, connections, residentMb: process.memoryUsage.rss() / 1e6 };
}

process.on('message', (command: Command) => {
  timed(command).then(
    (answer) => process.send?.({ answer } satisfies Reply),
    (thrown: unknown) => process.send?.({ failed: thrown instanceof Error ? thrown.message : String(thrown) }),
  );
});
