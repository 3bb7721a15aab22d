/**
 * Measures how fast each client patches bindings on a real API server, for docs/decisions/0007-own-transport.md.
 *
 *   node bench/transport.ts --kubeconfig F [--bindings 1000] [--requests 100] [--rounds 20] [--seconds 120]
 *
 * The server must be on loopback, serve Karmada's CRDs and accept cluster-admin; without Karmada's controllers, which would
 * act on the bindings. Every client runs in a separate process, in turn in every round.
 */
import { parseArgs } from 'node:util';
import { connectionFromKubeconfig } from '../shared/adapters/kubernetes/kubeconfig.ts';
import { createTransport, type Transport } from '../shared/adapters/kubernetes/transport.ts';
import { assertLoopback, deleteBindings, makeBindings } from './bindings.ts';
import { measureBundles } from './bundle-cost.ts';
import { begin } from './results.ts';
import type { Target } from './transport/client.ts';
import { runRounds } from './transport/rounds.ts';
import { summarize } from './transport/tables.ts';

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
  assertLoopback(connection.server);
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
    return { server, bytes, ...summarize(measured, limits.requests) };
  } finally {
    await deleteBindings(transport, namespace);
    transport.close();
  }
}

/** An interrupt still deletes the created objects: the clients' processes end, and that ends the rounds. */
process.once('SIGINT', () => console.error('interrupted; deleting the bindings'));

const options = readOptions();
const bench = begin('transport');
const bundles = await measureBundles();
const { server, bytes, figures, ratios } = await measure(options);
await bench.keep({
  versions: { 'kube-apiserver': server },
  figures: [...figures, ...bundles],
  ratios,
  details: { bindings: options.bindings, requestsPerPass: options.requests, bytesOfABinding: bytes },
});
