/**
 * Measures a sweep of the descheduler on a real API server, Evenkeel's and karmada-descheduler in turn: every tenth binding has a replica
 * that is not ready, and the estimator that both query reports no unschedulable replica for each, or one.
 *
 *   node bench/descheduling.ts [--bindings 10000] [--rounds 3] [--rig bench-descheduling]
 *
 * Each sweep runs in a separate process with empty caches and is timed from the start of that process. Karmada's at its defaults writes 20 bindings a second: one round.
 * It starts and stops its own hub. The result is saved in results/descheduling.json.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { asShipped } from '../infra/bundling/bundle.ts';
import { karmadaVersion } from '../test/rig/cache/go-binaries.ts';
import { askProcess, startProcess } from './ask-process.ts';
import { send } from './bindings.ts';
import { type DeschedulingArena, openArena } from './descheduling/arena.ts';
import { karmadaSweep } from './descheduling/karmada-sweep.ts';
import type { OurSweep, OurTook } from './descheduling/our-sweep-process.ts';
import {
  type Course,
  figuresOf,
  ratiosOf,
  type Sweep,
  type SweepContestant,
  type SweepCost,
} from './descheduling/summary.ts';
import { useBetween } from './rebalance/api-metrics.ts';
import { UNLIMITED } from './rebalance/contestants.ts';
import { begin } from './results.ts';

const TIMEOUT_MS = 150_000;

/** Bundled like a shipped function: loading sources would add memory that is not the sweep's. */
async function bundled(folder: string): Promise<string> {
  const outfile = join(folder, 'our-sweep.mjs');
  const entry = join(import.meta.dirname, 'descheduling', 'our-sweep-process.ts');
  await build({ entryPoints: [entry], outfile, ...asShipped, logLevel: 'warning' });
  return outfile;
}

async function ourSweep(arena: DeschedulingArena, program: string, unschedulable: number): Promise<SweepCost> {
  const { connection, identity, estimator, short } = arena;
  const { address } = await estimator({ do: 'report' });
  const began = performance.now();
  const child = startProcess(program);
  const asked = { connection, address, identity } satisfies OurSweep;
  const { moved, peakMb, faults } = await askProcess<OurTook>(child, asked, TIMEOUT_MS).finally(() => child.kill());
  const ms = performance.now() - began;
  const { requests } = await estimator({ do: 'report' });
  const due = short * unschedulable;
  // An estimator request that was cut off is sent again.
  if (requests >= short && moved === due) return { ms, peakMb };
  const found = `ours sent ${requests} requests and took out ${moved} replicas, not ${short} and ${due}`;
  throw new Error([found, ...faults].join('\n'));
}

async function counted(arena: DeschedulingArena, sweep: () => Promise<SweepCost>): Promise<Sweep> {
  const before = await arena.metrics();
  const took = await sweep();
  return { ...took, requests: useBetween(before, await arena.metrics()).total };
}

async function runCourse(arena: DeschedulingArena, program: string, { unschedulable, sweeps }: Course): Promise<void> {
  const ways: Readonly<Record<SweepContestant, () => Promise<SweepCost>>> = {
    ours: () => ourSweep(arena, program, unschedulable),
    unlimited: () => karmadaSweep(arena, UNLIMITED),
    defaults: () => karmadaSweep(arena, []),
  };
  for (const [way, sweep] of Object.entries(ways) as [SweepContestant, () => Promise<SweepCost>][]) {
    if (way === 'defaults' && sweeps.defaults.length > 0) continue;
    await arena.estimator({ do: 'answer', unschedulable });
    sweeps[way].push(await counted(arena, sweep));
    if (unschedulable > 0) await arena.reset();
  }
}

const { values } = parseArgs({
  options: {
    bindings: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    rig: { type: 'string', default: 'bench-descheduling' },
  },
});
const bench = begin('descheduling');
const folder = await mkdtemp(join(tmpdir(), 'evenkeel-bench-'));
const arena = await openArena(values.rig, Number(values.bindings));
try {
  const program = await bundled(folder);
  const empty = () => ({ sweeps: { ours: [], unlimited: [], defaults: [] } });
  const courses: readonly Course[] = [
    { what: 'nothing to take out', unschedulable: 0, ...empty() },
    { what: `${arena.short.toLocaleString('en')} replicas taken out`, unschedulable: 1, ...empty() },
  ];
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const course of courses) await runCourse(arena, program, course);
  const { gitVersion } = (await send(arena.transport, { method: 'GET', path: '/version' })) as { gitVersion: string };
  const label = `a sweep of ${Number(values.bindings).toLocaleString('en')} bindings`;
  await bench.keep({
    versions: { 'kube-apiserver': gitVersion, karmada: karmadaVersion() },
    figures: courses.flatMap((course) => figuresOf(label, course)),
    ratios: courses.flatMap((course) => ratiosOf(label, course)),
  });
} finally {
  await arena.close();
  await rm(folder, { recursive: true, force: true });
}
