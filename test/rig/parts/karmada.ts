/** Karmada itself on a hub, with members joined in push mode. Its own rebalancer controller is off: Evenkeel replaces it. */
import { join } from 'node:path';
import { type Binary, binary } from '../cache/go-binaries.ts';
import type { Rig } from '../rig.ts';
import type { ApiServer } from './api-server.ts';
import { startHubControllers } from './hub-controllers.ts';
import { CLUSTER_NAMESPACE, join as joinMember } from './join.ts';
import { aggregatedApi, webhookConfigurations } from './karmada-manifests.ts';
import type { Member } from './member.ts';
import { answers } from './probes.ts';

/**
 * An unreachable member is detected in about 5 s instead of 30, its capacity is read every second, and the workloads
 * of a cluster are evicted at once instead of one per two seconds. A FederatedHPA decides every second instead of every 15.
 */
const QUICK = [
  '--horizontal-pod-autoscaler-sync-period=1s',
  '--cluster-status-update-frequency=1s',
  '--cluster-failure-threshold=4s',
  '--cluster-success-threshold=2s',
  '--cluster-monitor-period=1s',
  '--cluster-monitor-grace-period=20s',
  '--resource-eviction-rate=100',
];

/** If off, a cluster's capacity is the sum of its nodes' free resources; if on, nodes are counted in grades and the sums are rounded down. */
const EXACT_CAPACITY = 'CustomizedClusterResourceModeling=false';

/** The members must be up before: otherwise Karmada marks them as not ready. */
export async function startKarmada(rig: Rig, hub: ApiServer, members: readonly Member[]): Promise<void> {
  await rig.once('karmada namespaces', () => addNamespaces(hub));
  await startAggregatedApi(rig, hub);
  await startWebhook(rig, hub);
  await startHubControllers(rig, hub);
  await startControllers(rig, hub);
  await startScheduler(rig, hub);
  for (const member of members) await joinMember(rig, hub, member);
  await rig.once('members ready', async () => {
    await hub.kubectl.run('wait', '--for=condition=Ready', 'cluster', '--all', '--timeout=60s');
  });
}

/** Only the scheduler and the API that serves clusters: no controller changes the cluster status that a test wrote. */
export async function startSchedulerAlone(rig: Rig, hub: ApiServer): Promise<void> {
  await startClusterApi(rig, hub);
  await startScheduler(rig, hub);
}

/** The API that serves clusters, without the controllers that write their status. */
export async function startClusterApi(rig: Rig, hub: ApiServer): Promise<void> {
  await rig.once('karmada namespaces', () => addNamespaces(hub));
  await startAggregatedApi(rig, hub);
}

/** Its process. */
export const KARMADA_SCHEDULER = 'karmada-scheduler';

/** Only Karmada's scheduler, for suites that stopped it. `flags`: in addition to those that it needs here. */
export function startScheduler(rig: Rig, hub: ApiServer, flags: readonly string[] = []): Promise<void> {
  return startComponent(rig, hub, {
    program: KARMADA_SCHEDULER,
    flags: ['--enable-scheduler-estimator=false', `--feature-gates=${EXACT_CAPACITY}`, ...flags],
  });
}

export const KARMADA_REBALANCER = 'karmada-rebalancer';

/** Karmada's own rebalancer, for comparison; Evenkeel must not run at the same time. `flags`: in addition to those that it needs here. */
export function startKarmadaRebalancer(rig: Rig, hub: ApiServer, flags: readonly string[] = []): Promise<void> {
  return startComponent(rig, hub, {
    name: KARMADA_REBALANCER,
    program: 'karmada-controller-manager',
    // With the feature gate on, its controller would have to run too.
    flags: ['--controllers=workloadRebalancer', '--feature-gates=PropagateDeps=false', ...flags],
  });
}

function startControllers(rig: Rig, hub: ApiServer): Promise<void> {
  return startComponent(rig, hub, {
    program: 'karmada-controller-manager',
    flags: [
      '--controllers=*,-workloadRebalancer',
      `--feature-gates=Failover=true,${EXACT_CAPACITY}`,
      '--enable-no-execute-taint-eviction=true',
      ...QUICK,
    ],
  });
}

interface Component {
  readonly program: Binary;
  /** Default: its program's. */
  readonly name?: string;
  readonly flags: readonly string[];
}

async function startComponent(rig: Rig, hub: ApiServer, { program, name = program, flags }: Component): Promise<void> {
  const port = await rig.port(name);
  await rig.start({
    name,
    command: [
      await binary(program),
      `--kubeconfig=${hub.adminKubeconfig}`,
      '--leader-elect=false',
      '--metrics-bind-address=0',
      `--health-probe-bind-address=127.0.0.1:${port}`,
      ...flags,
    ],
    ready: async () => {
      const { status } = await fetch(`http://127.0.0.1:${port}/healthz`);
      if (status !== 200) throw new Error(`/healthz answers ${status}`);
    },
  });
}

async function startAggregatedApi(rig: Rig, hub: ApiServer): Promise<void> {
  const name = 'karmada-aggregated-apiserver';
  const port = await rig.port(name);
  await rig.once('karmada API', async () => void (await hub.kubectl.apply(await aggregatedApi(hub, port))));
  await rig.start({
    name,
    command: [
      await binary(name),
      `--kubeconfig=${hub.adminKubeconfig}`,
      `--authentication-kubeconfig=${hub.adminKubeconfig}`,
      `--authorization-kubeconfig=${hub.adminKubeconfig}`,
      `--etcd-servers=http://127.0.0.1:${hub.etcdPort}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--tls-cert-file=${join(hub.folder, 'server.crt')}`,
      `--tls-private-key-file=${join(hub.folder, 'server.key')}`,
    ],
    ready: () => answers(`${hub.url}/apis/cluster.karmada.io/v1alpha1/clusters`, hub.folder),
  });
}

async function startWebhook(rig: Rig, hub: ApiServer): Promise<void> {
  const name = 'karmada-webhook';
  const port = await rig.port(name);
  await rig.start({
    name,
    command: [
      await binary(name),
      `--kubeconfig=${hub.adminKubeconfig}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${hub.folder}`,
      '--tls-cert-file-name=server.crt',
      '--tls-private-key-file-name=server.key',
      '--metrics-bind-address=0',
      '--health-probe-bind-address=0',
      // A policy with a NoExecute taint is how workloads leave a cluster that failed.
      '--allow-no-execute-taint-policy=true',
    ],
    ready: () => answers(`https://127.0.0.1:${port}/readyz/`, hub.folder),
  });
  await rig.once('karmada webhooks', async () => {
    await hub.kubectl.apply(await webhookConfigurations(hub, port));
  });
}

async function addNamespaces({ kubectl }: ApiServer): Promise<void> {
  const names = ['karmada-system', CLUSTER_NAMESPACE];
  await kubectl.apply(names.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
}
