/** A real hub with two clusters, an estimator that both deschedulers query, and bindings, every tenth with a replica that is not ready. */
import type { ChildProcess } from 'node:child_process';
import { loopbackKeyPair } from '../../local/hook-access.ts';
import { eachAtOnce } from '../../shared/core/each-at-once.ts';
import { APPLIED_PLACEMENT } from '../../shared/karmada/placed-binding.ts';
import { RESCHEDULING_POLICY } from '../../shared/karmada/rescheduling-policy.ts';
import type { Connection } from '../../shared/kubernetes/client/connection.ts';
import { connectionFromKubeconfig } from '../../shared/kubernetes/client/kubeconfig.ts';
import { createTransport, type Transport } from '../../shared/kubernetes/client/transport.ts';
import { type Hub, startHub } from '../../test/rig/parts/hub.ts';
import { startClusterApi } from '../../test/rig/parts/karmada.ts';
import { Rig } from '../../test/rig/rig.ts';
import { askProcess, startProcess } from '../ask-process.ts';
import { bindingPath, byCapacity, MERGE_PATCH, send } from '../bindings.ts';
import { type Metrics, metricsOf } from '../rebalance/api-metrics.ts';
import type { EstimatorCommand, EstimatorStatus, TlsIdentity } from './estimator-process.ts';
import { FULL } from './members.ts';

const CLUSTERS = '/apis/cluster.karmada.io/v1alpha1/clusters';
const NAMESPACE = 'shop';
const IN_FLIGHT = 16;
const TIMEOUT_MS = 30_000;
/** Every tenth binding lacks one ready replica. */
const EVERY = 10;
const names = [FULL, 'member2'] as const;
const placement = { replicaScheduling: byCapacity.replicaScheduling };
const clusters = [
  { name: FULL, replicas: 5 },
  { name: 'member2', replicas: 3 },
];

export interface DeschedulingArena {
  readonly rig: Rig;
  readonly hub: Hub;
  readonly connection: Connection;
  readonly transport: Transport;
  readonly identity: TlsIdentity;
  /** Number of bindings with a replica that is not ready. */
  readonly short: number;
  readonly estimator: (command: EstimatorCommand) => Promise<EstimatorStatus>;
  /** The API server's own metrics. */
  metrics(): Promise<Metrics>;
  /** Restores the initial state. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openArena(rigName: string, bindings: number): Promise<DeschedulingArena> {
  const rig = new Rig(rigName);
  const child = startProcess(new URL('./estimator-process.ts', import.meta.url));
  const estimator = (command: EstimatorCommand) => askProcess<EstimatorStatus>(child, command, TIMEOUT_MS);
  try {
    const identity = await loopbackKeyPair('evenkeel bench estimator');
    const { address } = await estimator({ do: 'start', identity });
    const hub = await startHub(rig);
    await startClusterApi(rig, hub);
    await hub.kubectl.run(
      'delete',
      'mutatingadmissionpolicybinding',
      '--ignore-not-found',
      'evenkeel-replica-reductions',
    );
    const connection = await connectionFromKubeconfig(hub.adminKubeconfig);
    const transport = createTransport(connection, { maxSockets: IN_FLIGHT, timeoutMs: 60_000 });
    await hub.kubectl.apply([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
      ...names.map((name) => estimatorService(name, Number(address.split(':')[1]))),
    ]);
    for (const name of names) await makeCluster(transport, name);
    const all = Array.from({ length: bindings }, (_, index) => index);
    await eachAtOnce(all, IN_FLIGHT, (index) => makeBinding(transport, index));
    const short = all.filter(isShort);
    const reset = async () => void (await eachAtOnce(short, IN_FLIGHT, (index) => resetBinding(transport, index)));
    const close = () => end({ rig, child, transport });
    return {
      rig,
      hub,
      connection,
      transport,
      identity,
      short: short.length,
      estimator,
      metrics: () => metricsOf(transport),
      reset,
      close,
    };
  } catch (thrown) {
    await end({ rig, child });
    throw thrown;
  }
}

interface Open {
  readonly rig: Rig;
  readonly child: ChildProcess;
  readonly transport?: Transport;
}

async function end({ rig, child, transport }: Open): Promise<void> {
  transport?.close();
  child.kill();
  await rig.down();
}

/** As Karmada finds the estimator of a member. */
function estimatorService(cluster: string, targetPort: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `karmada-scheduler-estimator-${cluster}`, namespace: 'karmada-system' },
    spec: {
      type: 'ExternalName',
      externalName: 'localhost',
      ports: [{ name: 'server', port: 10352, protocol: 'TCP', targetPort }],
    },
  };
}

async function makeCluster(transport: Transport, name: string): Promise<void> {
  const kind = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster' };
  await send(transport, {
    method: 'POST',
    path: CLUSTERS,
    body: { ...kind, metadata: { name }, spec: { syncMode: 'Pull' } },
  });
  const allocatable = { pods: '1000000', cpu: '1000000' };
  const allocated = name === FULL ? allocatable : {};
  const apiEnablements = [{ groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] }];
  const body = { status: { resourceSummary: { allocatable, allocated }, apiEnablements } };
  await send(transport, { method: 'PATCH', path: `${CLUSTERS}/${name}/status`, body, contentType: MERGE_PATCH });
}

function isShort(index: number): boolean {
  return index % EVERY === 0;
}

function nameOf(index: number): string {
  return `web-${String(index).padStart(5, '0')}`;
}

async function makeBinding(transport: Transport, index: number): Promise<void> {
  const name = nameOf(index);
  const annotations = { [APPLIED_PLACEMENT]: JSON.stringify(placement), [RESCHEDULING_POLICY]: 'OnUnschedulable' };
  const object = {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: `${name}-deployment`, namespace: NAMESPACE, annotations },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: NAMESPACE, name },
      ...{ replicas: 8, clusters, placement },
      replicaRequirements: { resourceRequest: { cpu: '1' } },
      schedulerName: 'evenkeel-bench',
    },
  };
  await send(transport, { method: 'POST', path: bindingPath(NAMESPACE), body: object });
  await patchStatus(transport, index, 1);
}

async function patchStatus(transport: Transport, index: number, generation: number): Promise<void> {
  const aggregatedStatus = clusters.map(({ name, replicas }) => ({
    clusterName: name,
    applied: true,
    status: { replicas, readyReplicas: isShort(index) && name === FULL ? replicas - 1 : replicas },
  }));
  const status = {
    lastScheduledTime: '2026-11-21T09:00:00Z',
    schedulerObservedGeneration: generation,
    aggregatedStatus,
  };
  const path = `${bindingPath(NAMESPACE, `${nameOf(index)}-deployment`)}/status`;
  await send(transport, { method: 'PATCH', path, body: { status }, contentType: MERGE_PATCH });
}

async function resetBinding(transport: Transport, index: number): Promise<void> {
  const path = bindingPath(NAMESPACE, `${nameOf(index)}-deployment`);
  const answer = await send(transport, {
    method: 'PATCH',
    path,
    body: { spec: { clusters } },
    contentType: MERGE_PATCH,
  });
  await patchStatus(transport, index, (answer as { metadata: { generation: number } }).metadata.generation);
}
