/** How long new bindings take from create to assigned, all at once, by one scheduler after another. */
import { setTimeout as wait } from 'node:timers/promises';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import type { Transport } from '../../shared/kubernetes/client/transport.ts';
import { watchLines } from '../../shared/kubernetes/client/watch-lines.ts';
import { EVENKEEL, startEvenkeelWith } from '../../test/rig/parts/evenkeel.ts';
import type { Hub } from '../../test/rig/parts/hub.ts';
import { KARMADA_SCHEDULER, startScheduler } from '../../test/rig/parts/karmada.ts';
import type { Rig } from '../../test/rig/rig.ts';
import { bindingPath, openWatch, send } from '../bindings.ts';
import { percentile, rounded } from '../figures.ts';
import { idle } from '../idle.ts';
import { QUIET, UNLIMITED } from '../rebalance/contestants.ts';
import { bindingOf } from './fleet.ts';

const AT_ONCE = 100;
/** Until all of them are assigned, the scheduler has read the hub. */
const WARM_UP = 20;
const IN_FLIGHT = 16;
const WITHIN_MS = 600_000;
/** Longer than the API server waits before it sends a batch of audit events again. */
const BETWEEN_MS = 10_000;

export interface PlacementArena {
  readonly rig: Rig;
  readonly hub: Hub;
  readonly admin: Transport;
}

/** Milliseconds: of one binding at the median and the 90th percentile, and from the first create until the last is assigned. */
export interface PlacedTimes {
  readonly p50: number;
  readonly p90: number;
  readonly all: number;
}

interface MeasuredScheduler {
  readonly name: string;
  readonly schedulerName: string;
  readonly process: string;
  start(arena: PlacementArena): Promise<void>;
  /** Until it has read the hub, and the events of the time when it was not up. */
  settle?(arena: PlacementArena): Promise<void>;
}

export const schedulers: readonly MeasuredScheduler[] = [
  {
    ...{ name: 'Evenkeel', schedulerName: 'evenkeel', process: EVENKEEL },
    start: ({ rig, hub }) => startEvenkeelWith(rig, hub, { settings: QUIET, args: [] }),
    settle: ({ hub }) => idle(hub),
  },
  {
    ...{ name: 'karmada-scheduler, unlimited', schedulerName: 'default-scheduler', process: KARMADA_SCHEDULER },
    start: ({ rig, hub }) => startScheduler(rig, hub, UNLIMITED),
  },
  {
    ...{ name: 'karmada-scheduler, defaults', schedulerName: 'default-scheduler', process: KARMADA_SCHEDULER },
    start: ({ rig, hub }) => startScheduler(rig, hub),
  },
];

let turns = 0;

export async function placements(arena: PlacementArena, scheduler: MeasuredScheduler): Promise<PlacedTimes> {
  await scheduler.start(arena);
  try {
    await place(arena, scheduler, WARM_UP);
    await wait(BETWEEN_MS);
    await scheduler.settle?.(arena);
    return await place(arena, scheduler, AT_ONCE);
  } finally {
    await arena.rig.processes.stop(scheduler.process);
  }
}

interface NewBinding {
  readonly object: {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly clusters?: readonly object[] };
  };
}

async function place(
  { admin }: PlacementArena,
  { schedulerName }: MeasuredScheduler,
  count: number,
): Promise<PlacedTimes> {
  const namespace = `placed-${(turns += 1)}`;
  const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await send(admin, { method: 'POST', path: '/api/v1/namespaces', body: made });
  const text = await openWatch(admin, namespace, { signal: AbortSignal.timeout(WITHIN_MS), silentMs: WITHIN_MS });
  const assigned = assignedAt(text, count);
  assigned.catch(() => undefined);
  const created = new Map<string, number>();
  await eachAtOnce(
    Array.from({ length: count }, (_, index) => `new-${index}`),
    IN_FLIGHT,
    async (name) => {
      created.set(`${name}-deployment`, performance.now());
      const body = bindingOf(name, { namespace, schedulerName });
      await send(admin, { method: 'POST', path: bindingPath(namespace), body });
    },
  );
  const times = [...(await assigned)].map(([name, at]) => ({ ms: at - (created.get(name) ?? Number.NaN), at }));
  const each = times.map(({ ms }) => ms);
  const all = Math.max(...times.map(({ at }) => at)) - Math.min(...created.values());
  await send(admin, { method: 'DELETE', path: bindingPath(namespace) });
  return { p50: rounded(percentile(each, 50)), p90: rounded(percentile(each, 90)), all: rounded(all) };
}

/** When each binding is first seen with clusters. */
async function assignedAt(text: AsyncIterable<string>, count: number): Promise<ReadonlyMap<string, number>> {
  const seen = new Map<string, number>();
  for await (const lines of watchLines(text)) {
    for (const line of lines) {
      const { metadata, spec } = (line as NewBinding).object;
      if ((spec.clusters ?? []).length > 0 && !seen.has(metadata.name)) seen.set(metadata.name, performance.now());
      if (seen.size === count) return seen;
    }
  }
  throw new Error(`the watch ended with ${seen.size} of ${count} bindings assigned`);
}
