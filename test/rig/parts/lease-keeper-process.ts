/**
 * Replaces the registration agent of one managed cluster, whose registration (certificate requests and approval) the rig
 * does not need: while the API server of the managed cluster answers, it reports that on the ManagedCluster, and renews the lease.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { connectionFromKubeconfig } from '../../../shared/kubernetes/client/kubeconfig.ts';
import { createTransport, type Transport } from '../../../shared/kubernetes/client/transport.ts';

const EVERY_MS = 1000;

interface Config {
  readonly cluster: string;
  readonly hubKubeconfig: string;
  readonly kubeconfig: string;
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

const { cluster, hubKubeconfig, kubeconfig } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Config;
const hub = await transportTo(hubKubeconfig);
const managedCluster = await transportTo(kubeconfig);
const CLUSTER = `/apis/cluster.open-cluster-management.io/v1/managedclusters/${cluster}`;
const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${cluster}/leases/managed-cluster-lease`;

for (let isReady = false; ; ) {
  try {
    const isUp = await keep();
    if (isUp && !isReady) console.log('the lease is kept');
    isReady ||= isUp;
  } catch (thrown) {
    console.error(thrown instanceof Error ? thrown.message : thrown);
  }
  await wait(EVERY_MS);
}

/** Whether the managed cluster is up. */
async function keep(): Promise<boolean> {
  const isUp = await managedCluster.send({ method: 'GET', path: '/version' }).then(
    ({ status }) => status === 200,
    () => false,
  );
  await merge(LEASE, { spec: { renewTime: new Date().toISOString().replace('Z', '000Z') } });
  await report({ ManagedClusterJoined: 'True', ManagedClusterConditionAvailable: isUp ? 'True' : 'False' });
  return isUp;
}

/** Written only if the hub has other conditions. */
async function report(wanted: Readonly<Record<string, 'True' | 'False'>>): Promise<void> {
  const { body } = await hub.send({ method: 'GET', path: CLUSTER });
  const { metadata, status } = body as { metadata: { resourceVersion: string }; status?: { conditions?: Condition[] } };
  const conditions = status?.conditions ?? [];
  const isReported = ([type, is]: readonly string[]) =>
    conditions.some((one) => one.type === type && one.status === is);
  if (Object.entries(wanted).every(isReported)) return;
  const own = Object.entries(wanted).map(([type, is]) => ({
    type,
    status: is,
    reason: 'ApiServerProbed',
    message: 'the API server of the managed cluster was probed',
    lastTransitionTime: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  }));
  const others = conditions.filter(({ type }) => !(type in wanted));
  // With the resourceVersion that was read: other controllers write conditions too.
  const { resourceVersion } = metadata;
  await merge(`${CLUSTER}/status`, { metadata: { resourceVersion }, status: { conditions: [...others, ...own] } });
  console.log(JSON.stringify(wanted));
}

async function merge(path: string, body: object): Promise<void> {
  const { status } = await hub.send({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
  if (status !== 200) throw new Error(`PATCH ${path} is answered ${status}`);
}

async function transportTo(file: string): Promise<Transport> {
  return createTransport(await connectionFromKubeconfig(file), { maxSockets: 2, timeoutMs: 5000 });
}
