/**
 * Measures how fast each client patches bindings on a real API server, for docs/decisions/0007-own-transport.md.
 *
 *   node bench/transport.ts --kubeconfig F [--bindings 1000] [--requests 100] [--rounds 20] [--seconds 120]
 *
 * The server must be on loopback, serve Karmada's CRDs and take cluster-admin; without Karmada's controllers, which would
 * look after the bindings. Every client has a process of its own, and takes its turn in every round.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { connectionFromKubeconfig } from '../shared/adapters/kubernetes/kubeconfig.ts';
import { createTransport, type Transport } from '../shared/adapters/kubernetes/transport.ts';
import { toTimestamp } from '../shared/model/time.ts';
import { deleteBindings, makeBindings } from './bindings.ts';
import { type BundleCost, measureBundles } from './bundle-cost.ts';
import { rounded } from './figures.ts';
import type { Target } from './transport/client.ts';
import { runRounds } from './transport/rounds.ts';
import { bundleTable, roundsTable, summarize } from './transport/tables.ts';

const RESULTS = new URL('./results/', import.meta.url);
const SETUP = { maxSockets: 16, timeoutMs: 60_000 };

interface Options {
  readonly kubeconfig: string;
  readonly bindings: number;
  readonly requests: number;
  readonly rounds: number;
  readonly seconds: number;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      kubeconfig: { type: 'string' },
      bindings: { type: 'string', default: '1000' },
      requests: { type: 'string', default: '100' },
      rounds: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '120' },
    },
  });
  if (values.kubeconfig === undefined) throw new Error('--kubeconfig FILE is missing');
  return {
    kubeconfig: values.kubeconfig,
    bindings: within('bindings', values.bindings, 10_000),
    requests: within('requests', values.requests, 10_000),
    rounds: within('rounds', values.rounds, 50),
    seconds: within('seconds', values.seconds, 600),
  };
}

function within(name: string, text: string, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`--${name} must be a whole number from 1 to ${max}, not ${JSON.stringify(text)}`);
}

async function connect(kubeconfig: string): Promise<Pick<Target, 'connection'> & { readonly transport: Transport }> {
  const connection = await connectionFromKubeconfig(kubeconfig);
  const { hostname } = new URL(connection.server);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) {
    throw new Error(`the bench puts load on a server of its own on loopback only, not on ${hostname}`);
  }
  return { connection, transport: createTransport(connection, SETUP) };
}

async function serverVersion(transport: Transport): Promise<string> {
  const { status, body } = await transport.send({ method: 'GET', path: '/version' });
  if (status !== 200) throw new Error(`GET /version was answered ${status}`);
  return (body as { gitVersion: string }).gitVersion;
}

async function measure({ kubeconfig, bindings, ...limits }: Options) {
  const { connection, transport } = await connect(kubeconfig);
  const namespace = `evenkeel-bench-${process.pid}-${Date.now().toString(36)}`;
  try {
    const server = await serverVersion(transport);
    const { names, bytes } = await makeBindings(transport, namespace, bindings);
    const target = { kubeconfig, connection, namespace };
    const measured = await runRounds(target, names, limits);
    return { server, bindingBytes: bytes, ...summarize(measured, limits.requests) };
  } finally {
    await deleteBindings(transport, namespace);
    transport.close();
  }
}

/** Interrupted, it still deletes what it made: the clients' processes end, and that ends the rounds. */
process.once('SIGINT', () => console.error('interrupted; deleting the bindings'));

const options = readOptions();
/** What else the machine did in the minute before. */
const [loadBefore = Number.NaN] = loadavg();
const bundles: readonly BundleCost[] = await measureBundles();
const figures = await measure(options);
const { bindings, requests, rounds } = options;
const result = {
  command: `node bench/transport.ts --kubeconfig F --bindings ${bindings} --requests ${requests} --rounds ${rounds}`,
  measuredAt: toTimestamp(Date.now()),
  machine: {
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    node: process.version,
    loadBefore: rounded(loadBefore),
  },
  bindings,
  requestsPerPass: requests,
  ...figures,
  bundles,
};
await mkdir(RESULTS, { recursive: true });
await writeFile(new URL('transport.json', RESULTS), `${JSON.stringify(result, null, 2)}\n`);
console.log(
  `kube-apiserver ${figures.server}, ${bindings} bindings of ${figures.bindingBytes} bytes, ${figures.rounds} rounds of ${requests} patches, ${result.machine.cores} cores, Node ${process.version}\n`,
);
console.log(`${roundsTable(figures.clients)}\n\n${bundleTable(bundles)}`);
