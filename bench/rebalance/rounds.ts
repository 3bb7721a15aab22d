/** Runs the contestants in turn, round by round, so that other load on the machine affects all equally. */
import { setTimeout as wait } from 'node:timers/promises';
import { openWatch } from '../bindings.ts';
import { type ApiUse, metricsOf, useBetween } from './api-metrics.ts';
import { clear, NAMESPACE, type RebalanceArena } from './arena.ts';
import { readLog } from './beside.ts';
import type { Contestant, ContestantName } from './contestants.ts';
import { cpuMs, forgetPeak, memory, type ProcessMemory } from './process-cost.ts';
import { type Stages, stagesOf } from './stages.ts';

export interface Turn {
  readonly name: ContestantName;
  readonly workloads: number;
  readonly round: number;
  /** From create to finish. */
  readonly ms: number;
  /** From create to the first trigger on a binding, if it was watched. */
  readonly firstMs?: number;
  /** Evenkeel only. */
  readonly stages?: Stages;
  readonly use: ApiUse;
  /** Of the contestant's own process. */
  readonly cpuMs: number;
  readonly memory: ProcessMemory;
  readonly serverCpuMs: number;
}

export interface RoundsPlan {
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Fewer rounds for Karmada's controller at its defaults, which takes more than a minute. */
  readonly roundsOfDefaults: number;
  /** Rounds of Evenkeel alone with the fewest workloads, for the time until its first trigger. */
  readonly roundsOfFirst: number;
  /** No turn begins later than this after the first. */
  readonly seconds: number;
  /** The first trigger is watched up to this many workloads: a watch of more would load the API server. */
  readonly watchUpTo: number;
}

/** The benchmark's own requests in a turn with a rebalancer. */
const OWN = { 'POST workloadrebalancers': 1, 'WATCH workloadrebalancers': 1, 'GET workloadrebalancers': 1 };
/** An API server counts a request after its end, and a process logs an action after it. */
const COUNTED_MS = 500;

export async function runRounds(
  arena: RebalanceArena,
  contestants: readonly Contestant[],
  plan: RoundsPlan,
): Promise<readonly Turn[]> {
  const end = performance.now() + plan.seconds * 1000;
  const turns: Turn[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const workloads of plan.sizes) {
      for (const contestant of inTurn(contestants, round)) {
        if (contestant.name === 'Karmada, defaults' && round >= plan.roundsOfDefaults) continue;
        if (performance.now() > end) return turns;
        const turn = await takeTurn(arena, contestant, { workloads, round, watch: workloads <= plan.watchUpTo });
        console.log(`round ${round + 1}: ${workloads} workloads, ${turn.name}: ${Math.round(turn.ms)} ms`);
        turns.push(turn);
      }
    }
  }
  const ours = contestants.filter(({ name }) => name === 'Evenkeel');
  const workloads = Math.min(...plan.sizes);
  for (let round = plan.rounds; round < plan.roundsOfFirst; round += 1) {
    for (const contestant of ours) {
      if (performance.now() > end) return turns;
      turns.push(await takeTurn(arena, contestant, { workloads, round, watch: workloads <= plan.watchUpTo }));
    }
  }
  return turns;
}

/** Rotates the order each round. */
export function inTurn<T>(all: readonly T[], round: number): readonly T[] {
  const first = round % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

async function takeTurn(
  arena: RebalanceArena,
  contestant: Contestant,
  { workloads, round, watch }: { readonly workloads: number; readonly round: number; readonly watch: boolean },
): Promise<Turn> {
  await contestant.enter();
  const pid = contestant.pid();
  const server = arena.rig.processes.pid('hub-apiserver');
  if (pid === undefined || server === undefined) throw new Error(`${contestant.name} or the API server is down`);
  forgetPeak(pid);
  const first = watch ? await watchFirstWrite(arena) : undefined;
  const before = { use: await metricsOf(arena.admin), own: cpuMs(pid), server: cpuMs(server) };
  const { ms, asked } = await contestant.rebalance(arena.names.slice(0, workloads));
  const after = { own: cpuMs(pid), server: cpuMs(server), memory: memory(pid) };
  const firstAt = await first?.at;
  await wait(COUNTED_MS);
  const use = useBetween(before.use, await metricsOf(arena.admin), asked === undefined ? {} : OWN);
  const stages = contestant.name === 'Evenkeel' && asked ? stagesOf(readLog(arena), asked.at) : undefined;
  await contestant.leave();
  await clear(arena);
  return {
    name: contestant.name,
    workloads,
    round,
    ms,
    ...(firstAt !== undefined && asked !== undefined && { firstMs: firstAt - asked.at }),
    ...(stages !== undefined && { stages }),
    use,
    cpuMs: after.own - before.own,
    memory: after.memory,
    serverCpuMs: after.server - before.server,
  };
}

/** Resolves when the watch is open; `at`: the moment of the first write of a binding after that. */
async function watchFirstWrite({ admin }: RebalanceArena): Promise<{ readonly at: Promise<number> }> {
  const text = await openWatch(admin, NAMESPACE, {
    accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    signal: AbortSignal.timeout(60_000),
    silentMs: 60_000,
  });
  const at = (async () => {
    for await (const _ of text) return performance.timeOrigin + performance.now();
    throw new Error('the watch of the bindings ended without a write');
  })();
  // It is awaited only after the rebalance, which may fail first.
  at.catch(() => undefined);
  return { at };
}
