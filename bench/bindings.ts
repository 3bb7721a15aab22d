/** ResourceBindings for a benchmark, in a separate namespace on an API server with Karmada's CRDs. */
import { eachAtOnce } from '../shared/core/each-at-once.ts';
import type { ApiRequest, Transport } from '../shared/kubernetes/client/transport.ts';

const IN_FLIGHT = 16;
const GROUP = 'work.karmada.io';
const VERSION = 'v1alpha2';
export const MERGE_PATCH = 'application/merge-patch+json';

export function bindingPath(namespace: string, name?: string): string {
  const collection = `/apis/${GROUP}/${VERSION}/namespaces/${namespace}/resourcebindings`;
  return name === undefined ? collection : `${collection}/${name}`;
}

export function trigger(triggeredAt: string): object {
  return { spec: { rescheduleTriggeredAt: triggeredAt } };
}

/** A benchmark writes as fast as possible: use it only on a server without other users. */
export function assertLoopback(server: string): void {
  const { hostname } = new URL(server);
  if (/^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(hostname)) return;
  throw new Error(`the bench puts load on a server of its own on loopback only, not on ${hostname}`);
}

export interface MadeBindings {
  readonly names: readonly string[];
  /** Of one binding in the server's response. */
  readonly bytes: number;
}

/** No scheduler has this name, so schedulers on the hub skip the bindings. */
const NO_SCHEDULER = 'evenkeel-bench';

export async function makeBindings(
  transport: Transport,
  namespace: string,
  count: number,
  schedulerName = NO_SCHEDULER,
): Promise<MadeBindings> {
  const made = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await send(transport, { method: 'POST', path: '/api/v1/namespaces', body: made });
  const names = Array.from({ length: count }, (_, index) => `web-${String(index).padStart(5, '0')}-deployment`);
  await eachAtOnce(names, IN_FLIGHT, (name) =>
    send(transport, { method: 'POST', path: bindingPath(namespace), body: binding(namespace, name, schedulerName) }),
  );
  const first = await send(transport, { method: 'GET', path: bindingPath(namespace, names[0]) });
  return { names, bytes: Buffer.byteLength(JSON.stringify(first)) };
}

export interface StreamOptions {
  readonly accept?: string;
  readonly signal: AbortSignal;
  readonly silentMs: number;
}

/** The text of a watch of the namespace's bindings, open from now on. */
export async function openWatch(
  transport: Transport,
  namespace: string,
  { accept, signal, silentMs }: StreamOptions,
): Promise<AsyncIterable<string>> {
  const collection = bindingPath(namespace);
  const { metadata } = (await send(transport, { method: 'GET', path: `${collection}?limit=1` })) as {
    metadata: { resourceVersion: string };
  };
  const path = `${collection}?watch=true&resourceVersion=${metadata.resourceVersion}`;
  const request = { method: 'GET', path, ...(accept !== undefined && { accept }) } as const;
  const { status, text } = await transport.stream(request, { signal, silentMs });
  if (status !== 200) throw new Error(`the watch of the bindings was answered ${status}`);
  return text;
}

export async function send(transport: Transport, request: ApiRequest): Promise<unknown> {
  const { status, body } = await transport.send(request);
  if (status < 200 || status > 299) {
    throw new Error(`${request.method} ${request.path} was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  }
  return body;
}

/** A placement by available capacity, as a PropagationPolicy has it. */
export const byCapacity = {
  clusterTolerations: ['not-ready', 'unreachable'].map((taint) => ({
    key: `cluster.karmada.io/${taint}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  })),
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  },
};

function binding(namespace: string, name: string, schedulerName: string): object {
  const placement = { clusterAffinity: { clusterNames: ['member1', 'member2', 'member3'] }, ...byCapacity };
  const workload = { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: name.replace(/-deployment$/, '') };
  return {
    apiVersion: `${GROUP}/${VERSION}`,
    kind: 'ResourceBinding',
    metadata: {
      name,
      namespace,
      labels: { 'propagationpolicy.karmada.io/permanent-id': '6f1d2c7e-5a0b-4d53-9a3e-0c1a7e3b9d42' },
      annotations: {
        'policy.karmada.io/applied-placement': JSON.stringify(placement),
        'propagationpolicy.karmada.io/name': 'web',
        'propagationpolicy.karmada.io/namespace': namespace,
      },
    },
    spec: {
      resource: workload,
      replicas: 10,
      clusters: [
        { name: 'member1', replicas: 5 },
        { name: 'member2', replicas: 3 },
        { name: 'member3', replicas: 2 },
      ],
      replicaRequirements: { resourceRequest: { cpu: '500m', memory: '256Mi' } },
      placement,
      conflictResolution: 'Abort',
      schedulerName,
    },
  };
}
