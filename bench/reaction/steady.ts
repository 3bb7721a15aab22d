/** Rebalancers at a steady rate: each is created on the hub, its event is posted to the hook at a known time, and the benchmark waits for its triggers. */
import { setTimeout as wait } from 'node:timers/promises';
import { EVENKEEL } from '../../test/rig/parts/evenkeel.ts';
import { clear, createRebalancer, NAMESPACE, type RebalanceArena } from '../rebalance/arena.ts';
import { cpuMs } from '../rebalance/process-cost.ts';
import type { Post } from './audit-post.ts';
import { watchTriggers } from './triggers-seen.ts';

export interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
  readonly workloads: number;
}

export interface Reactions {
  readonly perSecond: number;
  /** Processor time a rebalancer, from the first event until the last trigger was seen. */
  readonly cpuMs: { readonly server: number; readonly evenkeel: number };
  /** Of each binding: from its event at the hook to its trigger seen; by the order of the events. */
  readonly ms: readonly number[];
  /** Bindings whose trigger was not seen in time. */
  readonly missing: number;
  /** Rebalancers actually created per second: fewer if the API server is at its limit. */
  readonly createdPerSecond: number;
}

/** How long to wait for the last triggers, and the polling interval. */
const LATE_MS = 20_000;
const POLL_MS = 50;

export async function reactAt(arena: RebalanceArena, post: Post, rate: Rate): Promise<Reactions> {
  const seen = await watchTriggers(arena.admin, NAMESPACE);
  const before = cpu(arena);
  try {
    const events = await publishAll(arena, post, rate);
    const last = performance.now();
    const isSeen = ({ name }: Posted) => (seen.at.get(name)?.length ?? 0) >= rate.workloads;
    while (performance.now() - last < LATE_MS && !events.every(isSeen)) await wait(POLL_MS);
    const ms = events.flatMap(({ name, at }) =>
      (seen.at.get(name) ?? []).slice(0, rate.workloads).map((on) => on - at),
    );
    const first = events[0]?.at ?? last;
    const after = cpu(arena);
    const each = (name: 'server' | 'evenkeel') => (after[name] - before[name]) / Math.max(1, events.length);
    return {
      perSecond: rate.perSecond,
      cpuMs: { server: each('server'), evenkeel: each('evenkeel') },
      ms,
      missing: events.length * rate.workloads - ms.length,
      createdPerSecond: (events.length * 1000) / Math.max(1, last - first + 1000 / rate.perSecond),
    };
  } finally {
    seen.close();
    await clear(arena);
  }
}

function cpu({ rig }: RebalanceArena): { readonly server: number; readonly evenkeel: number } {
  const [server, evenkeel] = ['hub-apiserver', EVENKEEL].map((name) => rig.processes.pid(name));
  if (server === undefined || evenkeel === undefined) throw new Error('the API server or Evenkeel does not run');
  return { server: cpuMs(server), evenkeel: cpuMs(evenkeel) };
}

interface Posted {
  readonly name: string;
  /** When its event was sent to the hook. */
  readonly at: number;
}

/** Posts each at its time, independent of earlier ones; at most one second's worth in flight. */
async function publishAll(
  arena: RebalanceArena,
  post: Post,
  { perSecond, seconds, workloads }: Rate,
): Promise<readonly Posted[]> {
  const posted: Posted[] = [];
  const running = new Set<Promise<void>>();
  const began = performance.now();
  const end = began + seconds * 1000;
  for (let number = 0; number < perSecond * seconds && performance.now() < end; number += 1) {
    await wait(Math.max(0, began + (number * 1000) / perSecond - performance.now()));
    if (running.size >= Math.max(1, perSecond)) await Promise.race(running);
    const name = `react-${perSecond}-${number}`;
    const one = createRebalancer(arena, name, window(arena.names, number, workloads)).then(async () => {
      posted.push({ name, at: performance.now() });
      await post(name);
    });
    const tracked: Promise<void> = one.finally(() => running.delete(tracked));
    running.add(tracked);
  }
  await Promise.all(running);
  return posted;
}

/** Each takes the bindings after those of the one before, so that a binding is used again only much later. */
export function window(names: readonly string[], number: number, workloads: number): readonly string[] {
  return Array.from({ length: workloads }, (_, index) => names[(number * workloads + index) % names.length] ?? '');
}
