/**
 * Karmada's own scheduler-estimator beside a member. Its gRPC port listens on every address, and no flag changes that,
 * so it runs in a network namespace with only a loopback interface. Two forwarders connect the namespace with the host through
 * unix sockets: the estimator to the member's API server, and a loopback port of the rig to the estimator's port.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { GrpcEstimator } from '../../../shared/estimator/grpc-estimator.ts';
import type { SchedulerEstimator } from '../../../shared/kubernetes/client/connection.ts';
import { binary } from '../cache/go-binaries.ts';
import { run } from '../command.ts';
import { RigFailure } from '../failure.ts';
import type { Rig } from '../rig.ts';
import { ADDRESS, pem } from './certificates.ts';
import type { Member } from './member.ts';
import { accepts } from './probes.ts';

const FORWARDER = join(import.meta.dirname, 'forwarder-process.ts');
const PORT = 10352;
const ASK_MS = 3000;

/** Its address and credentials. The certificates are issued by the member's own CA. */
export async function startEstimator(rig: Rig, member: Member): Promise<SchedulerEstimator> {
  const name = `${member.name}-estimator`;
  const hostPort = await rig.port(name);
  await startNetworkNamespace(rig, member, hostPort);
  const namespacePid = rig.processes.pid(`${name}-netns`) ?? 0;
  const estimator = {
    address: `127.0.0.1:${hostPort}`,
    caData: pem(member.folder, 'ca.crt'),
    certificateData: pem(member.folder, 'admin.crt'),
    keyData: pem(member.folder, 'admin.key'),
  };
  const file = (one: string) => join(member.folder, one);
  await rig.start({
    name,
    command: [
      'nsenter',
      ...['--user', '--net', '--preserve-credentials', '--target', String(namespacePid)],
      await binary('karmada-scheduler-estimator'),
      `--kubeconfig=${member.adminKubeconfig}`,
      `--cluster-name=${member.name}`,
      `--server-port=${PORT}`,
      `--grpc-auth-cert-file=${file('server.crt')}`,
      `--grpc-auth-key-file=${file('server.key')}`,
      `--grpc-client-ca-file=${file('ca.crt')}`,
      '--metrics-bind-address=0',
      '--health-probe-bind-address=0',
    ],
    ready: () => answersFor(member.name, estimator),
  });
  return estimator;
}

/** With its network namespace. */
export async function stopEstimator(rig: Rig, member: string): Promise<void> {
  for (const part of ['', '-netns', '-forwarder']) await rig.processes.stop(`${member}-estimator${part}`);
}

/** The network namespace with its forwarders. Inside it, the member's API server has the same address as outside. */
async function startNetworkNamespace(rig: Rig, { name: member, port }: Member, hostPort: number): Promise<void> {
  await rig.once('network namespaces can be created', assertNetworkNamespaces);
  const name = `${member}-estimator`;
  const folder = rig.path(name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [api, grpc] = [`unix:${join(folder, 'api')}`, `unix:${join(folder, 'grpc')}`];
  const apiServer = `tcp:${ADDRESS}:${port}`;
  await rig.start({
    name: `${name}-forwarder`,
    command: [process.execPath, FORWARDER, `${api}=${apiServer}`, `tcp:127.0.0.1:${hostPort}=${grpc}`],
    ready: () => accepts(hostPort),
  });
  const inside = [process.execPath, FORWARDER, `${apiServer}=${api}`, `${grpc}=tcp:127.0.0.1:${PORT}`];
  await rig.start({
    name: `${name}-netns`,
    command: ['unshare', ...NEW_NAMESPACE, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...inside],
    ready: async () => void (await run('test', ['-S', join(folder, 'grpc')])),
  });
}

const NEW_NAMESPACE = ['--map-root-user', '--net'];

/** Fails with the required settings if the machine does not allow network namespaces. */
async function assertNetworkNamespaces(): Promise<void> {
  try {
    await run('unshare', [...NEW_NAMESPACE, 'ip', 'link', 'set', 'lo', 'up']);
  } catch (thrown) {
    const why = thrown instanceof Error ? (thrown.message.trim().split('\n').at(-1) ?? '') : '';
    throw new RigFailure(
      `a network namespace is needed to keep the estimator's port to ourselves, and none can be made here (${why}); ` +
        'allow user namespaces (sysctl kernel.unprivileged_userns_clone=1) or run as root, with util-linux and iproute2',
    );
  }
}

async function answersFor(cluster: string, estimator: SchedulerEstimator): Promise<void> {
  const client = new GrpcEstimator(estimator, ASK_MS);
  try {
    await client.maxAvailableReplicas(cluster, {});
  } finally {
    client.close();
  }
}
