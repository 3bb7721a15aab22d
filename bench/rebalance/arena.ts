/** Where rebalances are measured: one real API server with bindings that only the contestant whose turn it is writes. */
import { setTimeout as wait } from 'node:timers/promises';
import { connectionFromKubeconfig } from '../../shared/kubernetes/client/kubeconfig.ts';
import { createTransport, type Transport } from '../../shared/kubernetes/client/transport.ts';
import { karmadaVersion } from '../../test/rig/cache/go-binaries.ts';
import type { Hub } from '../../test/rig/parts/hub.ts';
import { startHub } from '../../test/rig/parts/hub.ts';
import { Rig, rigExists } from '../../test/rig/rig.ts';
import { makeBindings, send } from '../bindings.ts';

export const REBALANCERS = '/apis/apps.karmada.io/v1alpha1/workloadrebalancers';
/** Of the bindings, unless a benchmark has others. */
export const NAMESPACE = 'evenkeel-bench';
/** A trigger has whole seconds: the next rebalancer's must be another one. */
const APART_MS = 1500;

export interface RebalanceArena {
  readonly rig: Rig;
  readonly hub: Hub;
  /** As the hub's administrator, whose requests the API server does not queue. */
  readonly admin: Transport;
  readonly namespace: string;
  /** Of its bindings, in order. */
  readonly names: readonly string[];
  readonly bindingBytes: number;
  /** Aborting it ends all waits for a finish. */
  readonly interruption: AbortController;
  /** Versions. */
  readonly server: string;
  readonly karmada: string;
}

/** A separate rig that ends with the benchmark; the rig of an aborted run is stopped first. */
export async function openArena(rigName: string, bindings: number, schedulerName?: string): Promise<RebalanceArena> {
  if (rigExists(rigName)) await new Rig(rigName).down();
  const rig = new Rig(rigName);
  try {
    return await arenaOn(rig, bindings, schedulerName);
  } catch (thrown) {
    await rig.down();
    throw thrown;
  }
}

async function arenaOn(rig: Rig, bindings: number, schedulerName: string | undefined): Promise<RebalanceArena> {
  const hub = await startHub(rig, { rebalancersOnly: true });
  const connection = await connectionFromKubeconfig(hub.adminKubeconfig);
  const admin = createTransport(connection, { maxSockets: 16, timeoutMs: 60_000 });
  const { names, bytes } = await makeBindings(admin, NAMESPACE, bindings, schedulerName);
  const { gitVersion } = (await send(admin, { method: 'GET', path: '/version' })) as { gitVersion: string };
  return {
    rig,
    hub,
    admin,
    namespace: NAMESPACE,
    interruption: new AbortController(),
    names,
    bindingBytes: bytes,
    server: gitVersion,
    karmada: karmadaVersion(),
  };
}

export async function closeArena({ rig, admin }: RebalanceArena): Promise<void> {
  admin.close();
  await rig.down();
}

export interface CreatedRebalancer {
  readonly name: string;
  /** By this machine's clock, before the request was sent. */
  readonly at: number;
}

export async function createRebalancer(
  { admin, namespace }: RebalanceArena,
  name: string,
  bindings: readonly string[],
): Promise<CreatedRebalancer> {
  const workloads = bindings.map((binding) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace,
    name: binding.replace(/-deployment$/, ''),
  }));
  const metadata = { name };
  const body = { apiVersion: 'apps.karmada.io/v1alpha1', kind: 'WorkloadRebalancer', metadata, spec: { workloads } };
  const at = performance.timeOrigin + performance.now();
  await send(admin, { method: 'POST', path: REBALANCERS, body });
  return { name, at };
}

/** Deletes all rebalancers and waits until their second is over, for the next contestant. */
export async function clear({ admin }: RebalanceArena): Promise<void> {
  await send(admin, { method: 'DELETE', path: REBALANCERS });
  await wait(APART_MS);
}

/** When the object first has its finishTime, by this machine's clock. The watch events are searched, not parsed: the object has a megabyte. */
export async function whenFinished(
  { admin, interruption }: RebalanceArena,
  name: string,
  withinMs: number,
): Promise<number> {
  const signal = AbortSignal.any([interruption.signal, AbortSignal.timeout(withinMs)]);
  const path = `${REBALANCERS}?watch=true&fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`;
  const { status, text } = await admin.stream({ method: 'GET', path }, { signal, silentMs: withinMs });
  if (status !== 200) throw new Error(`the watch of ${name} was answered ${status}`);
  let end = '';
  for await (const part of text) {
    if (`${end}${part}`.includes('"finishTime":"')) return performance.timeOrigin + performance.now();
    end = part.slice(-20);
  }
  throw new Error(`the watch of ${name} ended before it was finished`);
}

/** Throws unless every workload has a result and none is Failed. */
export async function assertAllTriggered(
  { admin }: RebalanceArena,
  { name }: CreatedRebalancer,
  workloads: number,
): Promise<void> {
  const object = (await send(admin, { method: 'GET', path: `${REBALANCERS}/${name}` })) as {
    metadata: { creationTimestamp: string };
    status: { observedWorkloads: readonly { result?: string }[] };
  };
  const successful = object.status.observedWorkloads.filter(({ result }) => result === 'Successful').length;
  if (successful !== workloads) throw new Error(`${name}: ${successful} of ${workloads} workloads are Successful`);
}
