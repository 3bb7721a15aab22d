/**
 * Measures a RebalancePolicy that brings workloads back to a cluster in ordered waves, with bounded memory. The hub is a practice hub in a process of
 * its own. All functions, their queues and their table are in one process, whose heap may have `--heap` MB: beyond it the process ends.
 *
 *   node bench/waves.ts [--workloads 100000] [--wave 500] [--heap 256]
 *
 * The result is saved in results/waves.json.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { hookKeyPair, hookToken } from '../local/hook-access.ts';
import { REAL_HUB } from '../local/run.ts';
import { routes } from '../shared/bus/routes.ts';
import { environmentOf } from '../shared/core/settings.ts';
import { MAIN } from '../test/rig/parts/evenkeel.ts';
import { askProcess, startProcess } from './ask-process.ts';
import { QUIET } from './rebalance/contestants.ts';
import { mibOf } from './rebalance/process-cost.ts';
import { figure, ratio } from './result.ts';
import { begin } from './results.ts';
import type { HubProgress, WavesRequest } from './waves/hub-process.ts';

const { values } = parseArgs({
  options: {
    workloads: { type: 'string', default: '100000' },
    wave: { type: 'string', default: '500' },
    heap: { type: 'string', default: '256' },
  },
});
const sizes = values.workloads.split(',').map(Number);
const wave = Number(values.wave);
/** Of a function with 512 MB: Node without any code takes 80 MB, and the new space of a heap up to 96 MB. */
const HEAP_LIMIT_MB = 320;
const PORT = 17_443;
const WITHIN_MS = 3_600_000;
const LOOK_MS = 5000;
/** How many functions a resync has. */
const RESYNCED_BY = routes.filter(({ consumes }) => (consumes as readonly string[]).includes('ResyncDue')).length;
const LOG = 'evenkeel.log';
const UP = 'The functions are up on the hub';
/** No clock of its own but that of waves. */
const settings = environmentOf({ ...QUIET, policyLookSeconds: 1 });

const bench = begin('waves');
const measured: Awaited<ReturnType<typeof measure>>[] = [];
for (const workloads of sizes) measured.push(await measure(workloads));
await bench.keep({
  figures: measured.flatMap(({ workloads, seconds, peakMb }) => [
    figure(`${workloads} workloads in waves of ${wave}: until the last is ready`, 's', [seconds]),
    figure(`${workloads} workloads in waves of ${wave}: memory of the process, the table in it`, 'MB', [peakMb]),
  ]),
  ratios: measured.map(({ workloads }) =>
    ratio(
      `heap of all functions that ${workloads} workloads in ordered waves need, to that of a function with 512 MB`,
      {
        ...{ values: [Number(values.heap)], base: [HEAP_LIMIT_MB], kind: 'memory', better: 'lower', goal: 1 },
        published: true,
      },
    ),
  ),
  details: measured.map(({ workloads, progress }) => ({ workloads, ...progress })),
});

async function measure(workloads: number) {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-waves-'));
  const certificate = join(folder, 'hook.pem');
  writeFileSync(certificate, (await hookKeyPair(folder)).cert);
  process.env['NODE_EXTRA_CA_CERTS'] = certificate;
  const hub = startProcess(new URL('./waves/hub-process.ts', import.meta.url));
  const ask = (request: WavesRequest) => askProcess<HubProgress>(hub, request, WITHIN_MS);
  const kubeconfig = join(folder, 'kubeconfig');
  const hookUrl = `https://127.0.0.1:${PORT + 1}/hubs/${REAL_HUB}/audit`;
  let functions: ChildProcess | undefined;
  try {
    await ask({ do: 'start', kubeconfig, hookUrl, hookToken: hookToken(folder) });
    await ask({ do: 'place', workloads });
    console.log(`${workloads} workloads are placed`);
    functions = await startFunctions(folder, kubeconfig);
    await firstResync(folder, functions);
    const from = performance.now();
    await ask({ do: 'recover', waveSize: wave });
    const progress = await whenFinished(ask, functions);
    const seconds = (performance.now() - from) / 1000;
    const peakMb = Math.round(mibOf(functions.pid ?? 0, 'VmHWM'));
    console.log(`${workloads} workloads: ${seconds.toFixed(0)} s, ${peakMb} MB`, JSON.stringify(progress));
    assertOrdered(progress, workloads);
    return { workloads, seconds, peakMb, progress };
  } finally {
    functions?.kill();
    hub.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startFunctions(folder: string, kubeconfig: string): Promise<ChildProcess> {
  const heap = `--max-old-space-size=${values.heap}`;
  const args = [heap, MAIN, '--kubeconfig', kubeconfig, '--data', folder, '--port', String(PORT)];
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for (let printed = ''; !printed.includes(UP); ) {
    const [part] = (await Promise.race([once(child.stdout, 'data'), ended(child)])) as [Buffer];
    printed += part.toString();
  }
  child.stdout.resume();
  return child;
}

/** On AWS each function has a heap of its own; here a run that is planned during the first resync is planned beside it, or twice at once. */
async function firstResync(folder: string, functions: ChildProcess): Promise<void> {
  const over = ended(functions);
  over.catch(() => undefined);
  const handled = () =>
    readFileSync(join(folder, LOG), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"event":"ResyncDue"')).length;
  while (handled() < RESYNCED_BY) await Promise.race([wait(LOOK_MS), over]);
}

async function ended(child: ChildProcess): Promise<never> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  throw new Error(`the functions ended with ${code ?? signal}: --heap ${values.heap} is too little, or see above`);
}

async function whenFinished(ask: (request: WavesRequest) => Promise<HubProgress>, functions: ChildProcess) {
  const over = ended(functions);
  over.catch(() => undefined);
  for (;;) {
    await Promise.race([wait(LOOK_MS), over]);
    const progress = await ask({ do: 'progress' });
    if (progress.run !== '' && progress.run !== 'Running') return progress;
  }
}

function assertOrdered(progress: HubProgress, workloads: number): void {
  const { triggered, triggeredAgain, mostInFlight, outOfOrder, run } = progress;
  const isSo = triggered === workloads && triggeredAgain === 0 && mostInFlight <= wave && outOfOrder === 0;
  if (!isSo || run !== 'Finished') throw new Error(`the waves are not as ordered: ${JSON.stringify(progress)}`);
}
