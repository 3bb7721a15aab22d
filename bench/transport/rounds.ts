/** Runs every client in every round of the transport benchmark, in turn, so that load changes of the machine affect all equally. */
import { toTimestamp } from '../../shared/model/time.ts';
import type { Target } from './client.ts';
import { type ClientProcess, startClient } from './client-process.ts';
import { type ClientName, clientNames } from './clients.ts';

export const IN_FLIGHT = [1, 16] as const;
export type InFlight = (typeof IN_FLIGHT)[number];

/** The warm-up opens connections and lets Node compile; in it the connections are counted. */
const WARM_UP = 100;

export interface Limits {
  readonly rounds: number;
  /** Patches in a pass: few, so that the clients' turns follow each other within seconds. */
  readonly requests: number;
  /** No round begins later than this after the first. */
  readonly seconds: number;
}

export interface Pass {
  readonly ms: number;
  readonly cpuMs: number;
}

export interface ClientRounds {
  readonly name: ClientName;
  /** One pass per round. */
  readonly patches: Record<InFlight, Pass[]>;
  readonly lists: Pass[];
  /** Opened for the warm-up's requests, by how many were in flight. */
  readonly connections: Record<InFlight, number>;
  residentMb: number;
}

export async function runRounds(
  target: Target,
  names: readonly string[],
  limits: Limits,
): Promise<readonly ClientRounds[]> {
  const processes = clientNames.map(startClient);
  const seen = new Map<ClientProcess, ClientRounds>();
  const nextTrigger = triggers();
  try {
    for (const client of processes) seen.set(client, await warmUp(client, target, { names, nextTrigger }));
    const end = performance.now() + limits.seconds * 1000;
    for (let round = 0; round < limits.rounds && performance.now() < end; round++) {
      await runRound(order([...seen], round), { names, patched: window(names, round, limits.requests), nextTrigger });
    }
    return [...seen.values()];
  } finally {
    for (const client of processes) client.kill();
  }
}

interface Work {
  readonly names: readonly string[];
  readonly nextTrigger: () => string;
}

interface RoundWork extends Work {
  readonly patched: readonly string[];
}

async function warmUp(client: ClientProcess, target: Target, { names, nextTrigger }: Work): Promise<ClientRounds> {
  await client.ask({ do: 'open', client: client.name, target, inFlight: IN_FLIGHT });
  const connections = { 1: 0, 16: 0 };
  for (const inFlight of IN_FLIGHT) {
    const pass = { inFlight, names: names.slice(0, WARM_UP), triggeredAt: nextTrigger() };
    connections[inFlight] = (await client.ask({ do: 'count connections', ...pass })).connections;
  }
  await client.ask({ do: 'list', names });
  return { name: client.name, patches: { 1: [], 16: [] }, lists: [], connections, residentMb: 0 };
}

/** Compared clients run as close together in time as possible. */
async function runRound(
  turns: readonly [ClientProcess, ClientRounds][],
  { names, patched, nextTrigger }: RoundWork,
): Promise<void> {
  for (const inFlight of IN_FLIGHT) {
    for (const [client, seen] of turns) {
      const { ms, cpuMs } = await client.ask({ do: 'patch', inFlight, names: patched, triggeredAt: nextTrigger() });
      seen.patches[inFlight].push({ ms, cpuMs });
    }
  }
  for (const [client, seen] of turns) {
    const { ms, cpuMs, residentMb } = await client.ask({ do: 'list', names });
    seen.lists.push({ ms, cpuMs });
    seen.residentMb = residentMb;
  }
}

/**
 * Another order each round, so that no client always follows the same one: a client that leaves the server with
 * hundreds of connections to close slows down the next one. With five clients, in 20 rounds each has each position four times
 * and follows each other one four times. The number of clients must be prime: otherwise a step could return to its start early.
 */
export function order<T>(turns: readonly T[], round: number): readonly T[] {
  const step = 1 + (round % (turns.length - 1));
  return turns.flatMap((_, place) => turns.slice((round + place * step) % turns.length).slice(0, 1));
}

/** Each round uses the bindings after those of the round before, and starts over at the end. */
function window(names: readonly string[], round: number, requests: number): readonly string[] {
  return Array.from({ length: requests }, (_, index) => names[(round * requests + index) % names.length] ?? '');
}

/** Never the same value twice: the API server does not write a patch without changes. */
function triggers(): () => string {
  let at = Date.UTC(2026, 0, 1);
  return () => toTimestamp((at += 60_000));
}
