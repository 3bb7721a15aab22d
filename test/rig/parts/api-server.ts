/** etcd and a kube-apiserver on it: the hub's, and every member's. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { binary } from '../cache/go-binaries.ts';
import type { Rig } from '../rig.ts';
import { ADDRESS, makeCertificates } from './certificates.ts';
import { administrator, writeKubeconfig } from './kubeconfig.ts';
import { Kubectl } from './kubectl.ts';
import { answers } from './probes.ts';

export interface ApiServer {
  readonly name: string;
  /** Holds its certificates and kubeconfigs. */
  readonly folder: string;
  readonly port: number;
  readonly etcdPort: number;
  readonly url: string;
  readonly adminKubeconfig: string;
  readonly kubectl: Kubectl;
}

export async function startApiServer(rig: Rig, name: string, flags: readonly string[] = []): Promise<ApiServer> {
  const folder = rig.path(name);
  await rig.once(`${name} certificates`, () => makeCertificates(folder));
  const etcdPort = await startEtcd(rig, name);
  const port = await rig.port(`${name}-apiserver`);
  const url = `https://${ADDRESS}:${port}`;
  const adminKubeconfig = join(folder, 'admin.conf');
  writeKubeconfig(adminKubeconfig, {
    name,
    server: url,
    ca: readFileSync(join(folder, 'ca.crt'), 'utf8'),
    user: administrator(folder),
  });
  const file = (one: string) => join(folder, one);
  const command = [
    await binary('kube-apiserver'),
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--bind-address=${ADDRESS}`,
    `--advertise-address=${ADDRESS}`,
    `--secure-port=${port}`,
    `--tls-cert-file=${file('server.crt')}`,
    `--tls-private-key-file=${file('server.key')}`,
    `--client-ca-file=${file('ca.crt')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('sa.key')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    `--proxy-client-cert-file=${file('proxy.crt')}`,
    `--proxy-client-key-file=${file('proxy.key')}`,
    `--requestheader-client-ca-file=${file('ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-username-headers=X-Remote-User',
    '--authorization-mode=Node,RBAC',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--endpoint-reconciler-type=none',
    '--disable-admission-plugins=ServiceAccount,StorageObjectInUseProtection',
    ...flags,
  ] as const;
  // Garbage collection was a fifth of its CPU time; with this it takes 17 % less, and twice the memory.
  const env = { GOGC: '300' };
  await rig.start({ name: `${name}-apiserver`, command, env, ready: () => answers(`${url}/readyz`, folder) });
  return { name, folder, port, etcdPort, url, adminKubeconfig, kubectl: new Kubectl(adminKubeconfig) };
}

async function startEtcd(rig: Rig, name: string): Promise<number> {
  const [port, peerPort] = [await rig.port(`${name}-etcd`), await rig.port(`${name}-etcd-peer`)];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  await rig.start({
    name: `${name}-etcd`,
    command: [
      await binary('etcd'),
      `--name=${name}`,
      `--data-dir=${rig.path(name, 'etcd')}`,
      // A rig's data need not survive a power failure.
      '--unsafe-no-fsync',
      '--log-level=warn',
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=${name}=${peer}`,
    ],
    ready: async () => {
      const { health } = (await (await fetch(`${client}/health`)).json()) as { health: string };
      if (health !== 'true') throw new Error(`health is ${health}`);
    },
  });
  return port;
}
