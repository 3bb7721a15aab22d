/** The measured clients: Karmada's own controller in two settings, Evenkeel, and the floor. Only one is active at a time. */
import { toTimestamp } from '../../shared/core/time.ts';
import { connectionFromKubeconfig } from '../../shared/kubernetes/client/kubeconfig.ts';
import { EVENKEEL, startEvenkeel } from '../../test/rig/parts/evenkeel.ts';
import { KARMADA_REBALANCER, startKarmadaRebalancer } from '../../test/rig/parts/karmada.ts';
import { askProcess, startProcess } from '../ask-process.ts';
import { trigger } from '../bindings.ts';
import { idle, pageOf } from '../idle.ts';
import {
  assertAllTriggered,
  type CreatedRebalancer,
  clear,
  createRebalancer,
  type RebalanceArena,
  whenFinished,
} from './arena.ts';
import type { FloorWork } from './floor-process.ts';

export const contestantNames = ['Evenkeel', 'floor', 'Karmada, unlimited', 'Karmada, defaults'] as const;
export type ContestantName = (typeof contestantNames)[number];

export interface Contestant {
  readonly name: ContestantName;
  /** Undefined while it is down. */
  pid(): number | undefined;
  /** Activates it, and warms it up. */
  enter(): Promise<void>;
  /** Deactivates it. */
  leave(): Promise<void>;
  rebalance(bindings: readonly string[]): Promise<Rebalance>;
  close(): Promise<void>;
}

export interface Rebalance {
  /** From create to finish. */
  readonly ms: number;
  /** Absent for the floor, which has no rebalancer. */
  readonly asked?: CreatedRebalancer;
}

const WARM_UP = 20;
export const IN_FLIGHT = 16;
/** For 3,000 workloads. */
const WITHIN_MS = 180_000;

let count = 0;

/** From creation to finish on the hub, with any controller. */
async function byRebalancer(arena: RebalanceArena, bindings: readonly string[]): Promise<Rebalance> {
  const name = `bench-${process.pid}-${(count += 1)}`;
  const finished = whenFinished(arena, name, WITHIN_MS);
  // The watch starts before the creation: a rejection must not stay unhandled until the await below.
  finished.catch(() => undefined);
  const asked = await createRebalancer(arena, name, bindings);
  const ms = (await finished) - asked.at;
  await assertAllTriggered(arena, asked, bindings.length);
  return { ms, asked };
}

async function warmUp(arena: RebalanceArena): Promise<void> {
  await byRebalancer(arena, arena.names.slice(0, WARM_UP));
  await clear(arena);
}

/** Its process ends with its turn: otherwise it would process the rebalancers of others. */
export function karmada(arena: RebalanceArena, name: ContestantName, flags: readonly string[]): Contestant {
  const { rig, hub } = arena;
  const leave = () => rig.processes.stop(KARMADA_REBALANCER);
  return {
    name,
    pid: () => rig.processes.pid(KARMADA_REBALANCER),
    enter: async () => {
      await startKarmadaRebalancer(rig, hub, flags);
      await warmUp(arena);
    },
    leave,
    rebalance: (bindings) => byRebalancer(arena, bindings),
    close: leave,
  };
}

/** No clock of its own strikes while others have their turn. */
export const QUIET = {
  resyncMinutes: 1440,
  deschedulingMinutes: 1440,
  rescheduleCheckSeconds: 300,
};

/** Stays up, and so warm, with the hub paused during the turns of others: it drops the events of that time. */
export async function evenkeel(arena: RebalanceArena): Promise<Contestant> {
  const { rig, hub } = arena;
  const order = async (what: 'pause' | 'resume') => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${pageOf(hub)}/api/hubs/karmada/${what}`, { method: 'POST', headers, body: '{}' });
    if (!answer.ok) throw new Error(`${what} was answered ${answer.status}`);
  };
  await startEvenkeel(rig, hub, QUIET);
  await idle(hub);
  await order('pause');
  return {
    name: 'Evenkeel',
    pid: () => rig.processes.pid(EVENKEEL),
    enter: async () => {
      await order('resume');
      // Resuming has the hub compared.
      await idle(hub);
      await warmUp(arena);
      await idle(hub);
    },
    leave: () => order('pause'),
    rebalance: (bindings) => byRebalancer(arena, bindings),
    close: () => rig.processes.stop(EVENKEEL),
  };
}

async function floor(arena: RebalanceArena): Promise<Contestant> {
  const connection = await connectionFromKubeconfig(arena.hub.adminKubeconfig);
  const child = startProcess(new URL('./floor-process.ts', import.meta.url));
  const patch = async (names: readonly string[]): Promise<Rebalance> => {
    const patches = [{ merge: trigger(toTimestamp(Date.now())) }];
    const work = { connection, namespace: arena.namespace, names, inFlight: IN_FLIGHT, patches } satisfies FloorWork;
    return { ms: await askProcess<number>(child, work, WITHIN_MS) };
  };
  return {
    name: 'floor',
    pid: () => child.pid,
    enter: async () => {
      await patch(arena.names.slice(0, WARM_UP));
      await clear(arena);
    },
    leave: async () => undefined,
    rebalance: patch,
    close: async () => void child.kill(),
  };
}

/** Flags of Karmada's components: no limit on their clients. */
export const UNLIMITED = ['--kube-api-qps=10000', '--kube-api-burst=10000'];

/** Those that are named in `only`. */
export async function contestantsIn(arena: RebalanceArena, only: string): Promise<readonly Contestant[]> {
  const open: Readonly<Record<ContestantName, () => Promise<Contestant>>> = {
    Evenkeel: () => evenkeel(arena),
    floor: () => floor(arena),
    'Karmada, unlimited': async () => karmada(arena, 'Karmada, unlimited', UNLIMITED),
    'Karmada, defaults': async () => karmada(arena, 'Karmada, defaults', []),
  };
  const opened: Contestant[] = [];
  for (const name of contestantNames.filter((each) => only.includes(each))) opened.push(await open[name]());
  return opened;
}
