/**
 * Measures a hub of three sizes, up to 1,000 clusters and 100,000 workloads, on a real API server: what each function that reads a whole hub costs
 * (requests, bytes, seconds, memory), and how long 100 new bindings take from create to assigned, by Evenkeel's scheduler and by karmada-scheduler.
 *
 *   node bench/scale.ts [--share 100]
 *
 * `--share 10` measures a tenth of each size. It starts and stops its own rig; half takes ten minutes on two cores. The result is saved in results/scale.json.
 */
import { parseArgs } from 'node:util';
import { connectionFromKubeconfig } from '../shared/kubernetes/client/kubeconfig.ts';
import { createTransport } from '../shared/kubernetes/client/transport.ts';
import { startHub } from '../test/rig/parts/hub.ts';
import { startClusterApi } from '../test/rig/parts/karmada.ts';
import { Rig, rigExists } from '../test/rig/rig.ts';
import { askProcess, startProcess } from './ask-process.ts';
import { assertLoopback, send } from './bindings.ts';
import { startSink } from './reaction/sink.ts';
import { figure, ratio } from './result.ts';
import { begin } from './results.ts';
import { type FleetSize, GrowingFleet } from './scale/fleet.ts';
import { type FunctionCost, type FunctionWork, measuredFunctions } from './scale/function-process.ts';
import { type PlacedTimes, placements, schedulers } from './scale/placements.ts';

const SIZES: readonly FleetSize[] = [
  { clusters: 100, bindings: 10_000 },
  { clusters: 300, bindings: 30_000 },
  { clusters: 1000, bindings: 100_000 },
];
const RIG = 'bench-scale';
const WITHIN_MS = 900_000;

const { values } = parseArgs({ options: { share: { type: 'string', default: '100' } } });
const share = Number(values.share);
if (!(share >= 1 && share <= 100)) throw new Error(`--share must be 1 to 100 (percent), not ${values.share}`);
const sizes = SIZES.map(({ clusters, bindings }) => ({
  clusters: Math.ceil((clusters * share) / 100),
  bindings: Math.ceil((bindings * share) / 100),
}));

interface Measured extends FleetSize {
  readonly functions: Readonly<Record<string, FunctionCost>>;
  readonly placed: Readonly<Record<string, PlacedTimes>>;
}

const bench = begin('scale');
if (rigExists(RIG)) await new Rig(RIG).down();
const rig = new Rig(RIG);
try {
  const hub = await startHub(rig, { scheduler: true });
  await startClusterApi(rig, hub);
  const connection = await connectionFromKubeconfig(hub.adminKubeconfig);
  assertLoopback(connection.server);
  const admin = createTransport(connection, { maxSockets: 16, timeoutMs: 60_000 });
  const fleet = new GrowingFleet(admin);
  const measured: Measured[] = [];
  for (const size of sizes) {
    const began = performance.now();
    // Otherwise the API server keeps the audit events of all writes until a scheduler is up, which would then get them.
    const stopSink = await startSink(hub.hook);
    try {
      await fleet.grow(size);
    } finally {
      stopSink();
    }
    console.log(`${text(size)}: made in ${seconds(performance.now() - began)}`);
    const functions: Record<string, FunctionCost> = {};
    for (const name of measuredFunctions) functions[name] = await costOf({ connection, name });
    const placed: Record<string, PlacedTimes> = {};
    for (const scheduler of schedulers) {
      placed[scheduler.name] = await placements({ rig, hub, admin }, scheduler);
      console.log(`  100 at once, ${scheduler.name}: ${JSON.stringify(placed[scheduler.name])}`);
    }
    measured.push({ ...size, functions, placed });
  }
  const { gitVersion } = (await send(admin, { method: 'GET', path: '/version' })) as { gitVersion: string };
  await bench.keep({
    versions: { 'kube-apiserver': gitVersion },
    figures: measured.flatMap(({ functions, placed, ...size }) => [
      ...Object.entries(functions).flatMap(([name, { first, again, peakMb }]) => [
        figure(`${text(size)}, ${name}: time`, 'ms', [first.ms]),
        figure(`${text(size)}, ${name}: requests`, '', [first.requests]),
        figure(`${text(size)}, ${name}: read`, 'MB', [first.bytes / 1e6]),
        figure(`${text(size)}, ${name}: peak memory`, 'MB', [peakMb]),
        figure(`${text(size)}, ${name}: time with nothing changed`, 'ms', [again.ms]),
      ]),
      ...Object.entries(placed).flatMap(([name, times]) =>
        (['p50', 'p90', 'all'] as const).map((which) =>
          figure(`${text(size)}, 100 at once, ${name}: ${which}`, 'ms', [times[which]]),
        ),
      ),
    ]),
    ratios: measured.slice(1).flatMap(({ functions, ...size }) =>
      measuredFunctions.map((name) => {
        const base = measured[0];
        const perBinding = (cost: FunctionCost | undefined, bindings = 1) => (cost?.first.ms ?? Number.NaN) / bindings;
        return ratio(`${name}: a binding at ${text(size)}, to one at ${text(sizes[0] ?? size)}`, {
          values: [perBinding(functions[name], size.bindings)],
          base: [perBinding(base?.functions[name], base?.bindings)],
          ...{ kind: 'time', better: 'lower' },
        });
      }),
    ),
  });
  admin.close();
} finally {
  await rig.down();
}

async function costOf(work: FunctionWork): Promise<FunctionCost> {
  const child = startProcess(new URL('./scale/function-process.ts', import.meta.url));
  const cost = await askProcess<FunctionCost>(child, work, WITHIN_MS).finally(() => child.kill());
  const { ms, requests, bytes, reason } = cost.first;
  const read = `${requests} requests, ${(bytes / 1e6).toFixed(0)} MB, peak ${cost.peakMb.toFixed(0)} MB`;
  console.log(`  ${work.name}: ${seconds(ms)}, ${read}; again ${seconds(cost.again.ms)} (${reason})`);
  return cost;
}

function text({ clusters, bindings }: FleetSize): string {
  return `${clusters.toLocaleString('en')} clusters and ${bindings.toLocaleString('en')} bindings`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
