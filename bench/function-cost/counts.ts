/** The billed units of a deployment, counted while the functions run. */
import { z } from 'zod';
import { type FunctionName, functions } from '../../shared/bus/functions.ts';
import { sum } from '../../shared/core/sum.ts';

export const countsSchema = z.object({
  /** By function; the milliseconds are the sum of all invocations. */
  invocations: z.record(z.string(), z.object({ count: z.number(), ms: z.number() })),
  /** Requests of the hub's audit webhook, through the HTTP API. */
  hookRequests: z.number(),
  events: z.number(),
  /** Of queues: each message sent, each batch received and each batch deleted. */
  queueRequests: z.number(),
  schedules: z.number(),
  writeUnits: z.number(),
  readUnits: z.number(),
  logBytes: z.number(),
  /** Requests to the hub, which AWS does not bill. */
  hubRequests: z.number(),
});

export type InvocationCounts = z.infer<typeof countsSchema>;

export class Counter {
  readonly invocations = new Map<string, { count: number; ms: number }>();
  hookRequests = 0;
  events = 0;
  queueRequests = 0;
  schedules = 0;
  writeUnits = 0;
  readUnits = 0;
  logBytes = 0;
  hubRequests = 0;

  async timed<T>(name: string, act: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await act();
    } finally {
      const own = this.invocations.get(name) ?? { count: 0, ms: 0 };
      // Billed by whole milliseconds.
      this.invocations.set(name, { count: own.count + 1, ms: own.ms + Math.ceil(performance.now() - began) });
    }
  }

  counts(): InvocationCounts {
    const { invocations, ...numbers } = this;
    return { ...numbers, invocations: Object.fromEntries([...invocations].sort(([a], [b]) => (a < b ? -1 : 1))) };
  }
}

export function invocationsOf({ invocations }: InvocationCounts): number {
  return sum(Object.values(invocations).map(({ count }) => count));
}

/** By the memory setting of each function. */
export function gbSecondsOf({ invocations }: InvocationCounts, memoryMb: (name: string) => number): number {
  return sum(Object.entries(invocations).map(([name, { ms }]) => (ms / 1000) * (memoryMb(name) / 1024)));
}

/** As configured. */
export function memoryMb(name: string): number {
  return functions[name as FunctionName].memoryMb;
}
