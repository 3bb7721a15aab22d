/**
 * Karmada's own scheduler-estimator beside a member. Its gRPC port listens on every address and no flag says otherwise,
 * so it stands in a room of its own: a network namespace with nothing but loopback. Bytes go in and out of it through
 * unix sockets: the member's API server to the estimator, and the estimator's port to a loopback port of the rig.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SchedulerEstimator } from '../../../shared/adapters/kubernetes/connection.ts';
import { GrpcEstimator } from '../../../shared/adapters/scheduler-estimator/grpc-estimator.ts';
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

/** How it is reached. The certificates are those of the member's own authority. */
export async function startEstimator(rig: Rig, member: Member): Promise<SchedulerEstimator> {
  const name = `${member.name}-estimator`;
  const door = await rig.port(name);
  await startCapacity(rig, member, door);
  const capacity = rig.processes.pid(`${name}-room`) ?? 0;
  const estimator = {
    address: `127.0.0.1:${door}`,
    caData: pem(member.folder, 'ca.crt'),
    certificateData: pem(member.folder, 'admin.crt'),
    keyData: pem(member.folder, 'admin.key'),
  };
  const file = (one: string) => join(member.folder, one);
  await rig.start({
    name,
    command: [
      'nsenter',
      ...['--user', '--net', '--preserve-credentials', '--target', String(capacity)],
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

/** With its room. */
export async function stopEstimator(rig: Rig, member: string): Promise<void> {
  for (const part of ['', '-room', '-door']) await rig.processes.stop(`${member}-estimator${part}`);
}

/** The room with its door; whoever is in the room finds the member's API server where it is outside. */
async function startCapacity(rig: Rig, { name: member, port }: Member, door: number): Promise<void> {
  await rig.once('rooms can be made', assertCapacities);
  const name = `${member}-estimator`;
  const folder = rig.path(name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [api, grpc] = [`unix:${join(folder, 'api')}`, `unix:${join(folder, 'grpc')}`];
  const apiServer = `tcp:${ADDRESS}:${port}`;
  await rig.start({
    name: `${name}-door`,
    command: [process.execPath, FORWARDER, `${api}=${apiServer}`, `tcp:127.0.0.1:${door}=${grpc}`],
    ready: () => accepts(door),
  });
  const inside = [process.execPath, FORWARDER, `${apiServer}=${api}`, `${grpc}=tcp:127.0.0.1:${PORT}`];
  await rig.start({
    name: `${name}-room`,
    command: ['unshare', ...ROOM, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...inside],
    ready: async () => void (await run('test', ['-S', join(folder, 'grpc')])),
  });
}

const ROOM = ['--map-root-user', '--net'];

/** A machine may forbid it; then there is nothing to be shown there. */
async function assertCapacities(): Promise<void> {
  try {
    await run('unshare', [...ROOM, 'ip', 'link', 'set', 'lo', 'up']);
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
