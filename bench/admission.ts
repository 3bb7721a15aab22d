/**
 * Measures the cost of holding reductions for a write of a binding: without a hold, with the API server's policy, with the webhook.
 *
 *   npm run rig -- up hub --name bench
 *   node bench/admission.ts --kubeconfig ~/.cache/evenkeel-rig/runs/bench/hub/admin.conf [--bindings 32] [--rounds 20]
 *
 * The server must be on loopback, serve Karmada's CRDs and MutatingAdmissionPolicy (v1beta1), and not have the shipped hold-policy, which
 * would act on all three: kubectl delete mutatingadmissionpolicybinding evenkeel-replica-reductions. The variants alternate for every
 * binding; each write is real. The result is saved in results/admission.json.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loopbackKeyPair } from '../local/hook-access.ts';
import { QUEUE, REDUCTION_STRATEGY } from '../shared/graceful-reduction/replica-reduction.ts';
import { userOfAccount } from '../shared/kubernetes/account-token.ts';
import { connectionFromKubeconfig } from '../shared/kubernetes/client/kubeconfig.ts';
import { createTransport, type Transport } from '../shared/kubernetes/client/transport.ts';
import { startReviewHook } from './admission/review-hook.ts';
import { type AdmissionMethod, setUp, ways } from './admission/ways.ts';
import { assertLoopback, bindingPath, MERGE_PATCH, send } from './bindings.ts';
import { median, percentile } from './figures.ts';
import { inTurn } from './rebalance/rounds.ts';
import { figure, type Result, ratio } from './result.ts';
import { begin } from './results.ts';

const HUB = 'bench';
const ACCOUNT = { namespace: 'evenkeel', name: 'evenkeel' };
const IN_FLIGHT = [1, 16] as const;
/** An API server applies a new policy or webhook within this time. */
const SETTLE_MS = 5000;

/** In this order: `shrinks` creates the hold, and the hold is released before the last. */
const writes = ['shrinks', 'label of a held one', 'label'] as const;
type What = (typeof writes)[number];

const apart = [
  { name: 'member1', replicas: 4 },
  { name: 'member2', replicas: 6 },
];
/** A move: without new replicas elsewhere nothing is held. */
const together = [{ name: 'member2', replicas: 10 }];

const requested = { annotations: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' } };

/** `back`: the reverse write is a move too, so the binding requests no holds until it is over. */
type Pass = What | 'back' | 'requests holds';

function body(what: Pass, turn: number): object {
  if (what === 'shrinks') return { spec: { clusters: together } };
  if (what === 'requests holds') return { metadata: requested };
  if (what !== 'back') return { metadata: { labels: { turn: `${turn}` } } };
  return {
    metadata: { annotations: { [`${QUEUE}member1`]: null, [REDUCTION_STRATEGY]: null } },
    spec: { clusters: apart, gracefulEvictionTasks: null, requiredBy: null, suspension: null },
  };
}

interface AdmissionBench {
  readonly transport: Transport;
  readonly names: readonly string[];
  readonly namespaceOf: (way: AdmissionMethod) => string;
}

/** Milliseconds of each binding's write, in the order of the names. */
type WriteTimes = Readonly<Record<AdmissionMethod, number[]>>;

const nothingYet = (): WriteTimes => ({ bare: [], policy: [], webhook: [] });

/** Writes that the API server admitted without an answer within its three seconds. */
const notHeld: Record<AdmissionMethod, number> = { bare: 0, policy: 0, webhook: 0 };

/** Each binding is written in all variants one after the other, in a rotating order, so that other load on the machine affects all of them. */
async function pass(
  { transport, names, namespaceOf }: AdmissionBench,
  what: Pass,
  inFlight: number,
): Promise<WriteTimes> {
  const took: WriteTimes = nothingYet();
  const left = names.flatMap((name, index) => inTurn(ways, index).map((way) => ({ name, index, way }))).values();
  const work = async () => {
    for (const { name, index, way } of left) {
      const path = bindingPath(namespaceOf(way), name);
      const began = performance.now();
      const request = { method: 'PATCH', path, body: body(what, began), contentType: MERGE_PATCH } as const;
      const answer = await send(transport, request);
      took[way][index] = performance.now() - began;
      if (what === 'shrinks' && !isAsItShouldBe(way, answer)) notHeld[way] += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  return took;
}

/** False if the webhook did not answer in time, as on an overloaded machine. Throws if another hold policy distorts the measurement. */
function isAsItShouldBe(way: AdmissionMethod, answer: unknown): boolean {
  const { annotations = {} } = (answer as { metadata: { annotations?: object } }).metadata;
  const isHeld = `${QUEUE}member1` in annotations;
  if (isHeld === (way !== 'bare')) return true;
  if (way === 'webhook') return false;
  throw new Error(`a reduction in the namespace ${way} was ${isHeld ? '' : 'not '}held; is another hold policy there?`);
}

async function makeBindings({ transport, names, namespaceOf }: AdmissionBench): Promise<void> {
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  for (const way of ways) {
    for (const name of names) {
      const metadata = { name, ...requested };
      const spec = { resource, replicas: 10, clusters: apart };
      const object = { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding', metadata, spec };
      await send(transport, { method: 'POST', path: bindingPath(namespaceOf(way)), body: object });
    }
  }
}

/** By write and number in flight. */
type MeasuredWrites = Map<string, WriteTimes>;
const keyOf = (what: What, inFlight: number) => `${what}, ${inFlight} in flight`;

async function measure(bench: AdmissionBench, rounds: number): Promise<MeasuredWrites> {
  const measured: MeasuredWrites = new Map();
  // The first warms up.
  for (let round = -1; round < rounds; round += 1) {
    for (const inFlight of IN_FLIGHT) {
      for (const what of writes) {
        const took = await pass(bench, what, inFlight);
        if (what === 'label of a held one') {
          await pass(bench, 'back', 16);
          await pass(bench, 'requests holds', 16);
        }
        const all = measured.get(keyOf(what, inFlight)) ?? nothingYet();
        if (round >= 0) for (const way of ways) all[way].push(...took[way]);
        measured.set(keyOf(what, inFlight), all);
      }
    }
  }
  return measured;
}

function summed(measured: MeasuredWrites, bindings: number): Pick<Result, 'figures' | 'ratios'> {
  const all = [...measured].flatMap(([write, took]) =>
    ways.map((way) => ({ name: `a write (${write}): ${way}`, way, took })),
  );
  return {
    figures: all.flatMap(({ name, way, took }) => [
      ...[50, 99].map((percent) => figure(`${name}, p${percent}`, 'ms', [percentile(took[way], percent)])),
      figure(`${name}, more than the bare one beside it`, 'ms', differences(took[way], took.bare)),
    ]),
    ratios: all.flatMap(({ name, way, took }) => {
      const values = pairRatios(took[way], took.bare, bindings);
      const published = name.includes('shrinks');
      const compared = { values, base: values.map(() => 1), kind: 'time', better: 'lower', published } as const;
      return way === 'bare' ? [] : [ratio(`${name}, to bare`, compared)];
    }),
  };
}

/** The median of the pairs of each round: single writes vary too much to detect a slower variant. */
function pairRatios(took: readonly number[], bare: readonly number[], bindings: number): readonly number[] {
  const pairs = took.map((ms, index) => ms / (bare[index] ?? Number.NaN));
  return Array.from({ length: pairs.length / bindings }, (_, round) =>
    median(pairs.slice(round * bindings, (round + 1) * bindings)),
  );
}

function differences(took: readonly number[], bare: readonly number[]): readonly number[] {
  return took.map((ms, index) => ms - (bare[index] ?? Number.NaN));
}

const { values } = parseArgs({
  options: {
    kubeconfig: { type: 'string' },
    bindings: { type: 'string', default: '32' },
    rounds: { type: 'string', default: '20' },
  },
});
if (values.kubeconfig === undefined) throw new Error('--kubeconfig FILE is missing');
const connection = await connectionFromKubeconfig(values.kubeconfig);
assertLoopback(connection.server);
const transport = createTransport(connection, { maxSockets: 16, timeoutMs: 60_000 });
const token = randomBytes(24).toString('base64url');
const tls = await loopbackKeyPair('evenkeel bench hook');
const hook = await startReviewHook({ hub: HUB, account: userOfAccount(ACCOUNT), token, port: 0, tls });
const target = { hub: HUB, account: ACCOUNT, url: hook.url, ca: tls.cert, hookToken: token };
const result = begin('admission');
const made = await setUp(transport, target, Date.now().toString(36));
try {
  await wait(SETTLE_MS);
  const names = Array.from({ length: Number(values.bindings) }, (_, i) => `web-${i}`);
  const bench = { transport, names, namespaceOf: made.namespaceOf };
  await makeBindings(bench);
  const measured = summed(await measure(bench, Number(values.rounds)), names.length);
  const { gitVersion } = (await send(transport, { method: 'GET', path: '/version' })) as { gitVersion: string };
  await result.keep({ ...measured, versions: { 'kube-apiserver': gitVersion }, details: { notHeld } });
} finally {
  await made.close();
  transport.close();
  await hook.close();
}
