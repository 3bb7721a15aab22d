/** Rebalancers at a steady rate: each is created on the hub, its event is at the hook at a known moment, and its triggers are waited for. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Arena, clear, createRebalancer, NAMESPACE } from '../rebalance/arena.ts';
import type { Post } from './audit-post.ts';
import { watchTriggers } from './triggers-seen.ts';

export interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
  readonly workloads: number;
}

export interface Reactions {
  readonly perSecond: number;
  /** Of each binding: from its event at the hook to its trigger seen; by the order of the events. */
  readonly ms: readonly number[];
  /** Bindings whose trigger was not seen in time. */
  readonly missing: number;
  /** Rebalancers that were really created in a second: fewer where the API server could not take more. */
  readonly createdPerSecond: number;
}

/** How long the last triggers are waited for, and how often it is looked. */
const LATE_MS = 20_000;
const LOOK_MS = 50;

export async function reactAt(arena: Arena, post: Post, rate: Rate): Promise<Reactions> {
  const seen = await watchTriggers(arena.admin, NAMESPACE);
  try {
    const events = await sayAll(arena, post, rate);
    const last = performance.now();
    const isSeen = ({ name }: Said) => (seen.at.get(name)?.length ?? 0) >= rate.workloads;
    while (performance.now() - last < LATE_MS && !events.every(isSeen)) await wait(LOOK_MS);
    const ms = events.flatMap(({ name, at }) =>
      (seen.at.get(name) ?? []).slice(0, rate.workloads).map((on) => on - at),
    );
    const first = events[0]?.at ?? last;
    return {
      perSecond: rate.perSecond,
      ms,
      missing: events.length * rate.workloads - ms.length,
      createdPerSecond: (events.length * 1000) / Math.max(1, last - first + 1000 / rate.perSecond),
    };
  } finally {
    seen.close();
    await clear(arena);
  }
}

interface Said {
  readonly name: string;
  /** When its event was sent to the hook. */
  readonly at: number;
}

/** Each at its time, whatever became of those before; never more than a second's worth under way. */
async function sayAll(arena: Arena, post: Post, { perSecond, seconds, workloads }: Rate): Promise<readonly Said[]> {
  const said: Said[] = [];
  const underWay = new Set<Promise<void>>();
  const began = performance.now();
  const end = began + seconds * 1000;
  for (let number = 0; number < perSecond * seconds && performance.now() < end; number += 1) {
    await wait(Math.max(0, began + (number * 1000) / perSecond - performance.now()));
    if (underWay.size >= Math.max(1, perSecond)) await Promise.race(underWay);
    const name = `react-${perSecond}-${number}`;
    const one = createRebalancer(arena, name, window(arena.names, number, workloads)).then(async () => {
      said.push({ name, at: performance.now() });
      await post(name);
    });
    const tracked: Promise<void> = one.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }
  await Promise.all(underWay);
  return said;
}

/** Each takes those behind the ones before it, so that a binding's next turn is long after its last one. */
export function window(names: readonly string[], number: number, workloads: number): readonly string[] {
  return Array.from({ length: workloads }, (_, index) => names[(number * workloads + index) % names.length] ?? '');
}
