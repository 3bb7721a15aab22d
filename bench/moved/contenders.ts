/** The measured schedulers and the floor. Only one is active at a time. */
import { setTimeout as wait } from 'node:timers/promises';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { connectionFromKubeconfig } from '../../shared/kubernetes/client/kubeconfig.ts';
import { KARMADA_SCHEDULER, startScheduler } from '../../test/rig/parts/karmada.ts';
import { askProcess, startProcess } from '../ask-process.ts';
import { bindingPath, MERGE_PATCH, send } from '../bindings.ts';
import type { RebalanceArena } from '../rebalance/arena.ts';
import { clear } from '../rebalance/arena.ts';
import { type Contestant, evenkeel, IN_FLIGHT, karmada, UNLIMITED } from '../rebalance/contestants.ts';
import type { BarePatch, FloorWork } from '../rebalance/floor-process.ts';
import { watchRescheduled } from './watch-rescheduled.ts';

export const contenderNames = ['Evenkeel', 'floor', 'Karmada, unlimited', 'Karmada, defaults'] as const;

export interface Contender {
  readonly name: (typeof contenderNames)[number];
  enter(): Promise<void>;
  leave(): Promise<void>;
  /** Milliseconds from create until all are rescheduled. */
  reschedule(bindings: readonly string[]): Promise<number>;
  close(): Promise<void>;
}

/** karmada-scheduler at its defaults takes more than five minutes for 3,000 bindings. */
const WITHIN_MS = 600_000;

/** Seconds: the bindings' last scheduling must be an earlier one. */
const APART_MS = 1500;

export interface Field {
  /** Its bindings name our scheduler. */
  readonly arena: RebalanceArena;
  /** Its bindings name Karmada's. */
  readonly ofKarmada: RebalanceArena;
  readonly only: string;
}

export async function contendersIn({ arena, ofKarmada, only }: Field): Promise<readonly Contender[]> {
  const open: Readonly<Record<Contender['name'], () => Promise<Contender>>> = {
    Evenkeel: async () => rescheduling('Evenkeel', arena, await evenkeel(arena)),
    floor: () => floor(arena),
    'Karmada, unlimited': async () =>
      withScheduler('Karmada, unlimited', ofKarmada, karmada(ofKarmada, 'Karmada, unlimited', UNLIMITED), UNLIMITED),
    'Karmada, defaults': async () =>
      withScheduler('Karmada, defaults', ofKarmada, karmada(ofKarmada, 'Karmada, defaults', []), []),
  };
  const opened: Contender[] = [];
  for (const name of contenderNames.filter((each) => only.includes(each))) opened.push(await open[name]());
  return opened;
}

function rescheduling(name: Contender['name'], arena: RebalanceArena, contestant: Contestant): Contender {
  return {
    name,
    enter: () => contestant.enter(),
    leave: async () => {
      await contestant.leave();
      await clear(arena);
    },
    reschedule: async (bindings) => {
      await wait(APART_MS);
      const rescheduled = await watchRescheduled(arena, bindings.length, WITHIN_MS);
      const { asked } = await contestant.rebalance(bindings);
      return (await rescheduled.at) - (asked?.at ?? Number.NaN);
    },
    close: () => contestant.close(),
  };
}

function withScheduler(
  name: Contender['name'],
  arena: RebalanceArena,
  contestant: Contestant,
  flags: readonly string[],
): Contender {
  const { rig, hub } = arena;
  const inner = rescheduling(name, arena, contestant);
  const stop = () => rig.processes.stop(KARMADA_SCHEDULER);
  return {
    ...inner,
    enter: async () => {
      await startScheduler(rig, hub, flags);
      await inner.enter();
    },
    leave: async () => {
      await inner.leave();
      await stop();
    },
    close: async () => {
      await inner.close();
      await stop();
    },
  };
}

async function floor(arena: RebalanceArena): Promise<Contender> {
  const connection = await connectionFromKubeconfig(arena.hub.adminKubeconfig);
  const child = startProcess(new URL('../rebalance/floor-process.ts', import.meta.url));
  const patch = (names: readonly string[], patches: readonly BarePatch[]) => {
    const work = { connection, namespace: arena.namespace, names, inFlight: IN_FLIGHT, patches } satisfies FloorWork;
    return askProcess<number>(child, work, WITHIN_MS);
  };
  let turns = 0;
  return {
    name: 'floor',
    enter: async () => void (await patch(arena.names.slice(0, 20), patchesOf(turns))),
    leave: () => clear(arena),
    reschedule: (names) => patch(names, patchesOf((turns += 1))),
    close: async () => void child.kill(),
  };
}

/** Bindings as a scheduler leaves them: otherwise it would assign each before the first turn. */
export async function markScheduled({ admin, names, namespace }: RebalanceArena): Promise<void> {
  const [, { merge }] = patchesOf(1);
  await eachAtOnce(names, IN_FLIGHT, (name) =>
    send(admin, {
      method: 'PATCH',
      path: `${bindingPath(namespace, name)}/status`,
      body: merge,
      contentType: MERGE_PATCH,
    }),
  );
}

/** What our scheduler writes: the trigger with the assignment, then the status. */
function patchesOf(turn: number): readonly [BarePatch, BarePatch] {
  const time = toTimestamp(Date.now());
  const clusters = [5, 3, 2].map((replicas, place, all) => ({
    name: `member${place + 1}`,
    replicas: all[(place + turn) % all.length] ?? replicas,
  }));
  const condition = {
    type: 'Scheduled',
    status: 'True',
    reason: 'Success',
    message: 'Binding has been scheduled successfully.',
    lastTransitionTime: time,
  };
  return [
    {
      merge: {
        metadata: { annotations: { 'evenkeel.dev/triggered-by': `floor/${turn}`, 'evenkeel.dev/triggered-at': time } },
        spec: { rescheduleTriggeredAt: time, clusters },
      },
    },
    {
      subresource: 'status',
      merge: { status: { conditions: [condition], schedulerObservedGeneration: turn, lastScheduledTime: time } },
    },
  ];
}
