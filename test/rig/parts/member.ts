/** A member cluster: a complete control plane, whose nodes and pods are simulated by kwok. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Binary, binary } from '../cache/go-binaries.ts';
import type { Rig } from '../rig.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { stages } from './kwok-stages.ts';
import { answers } from './probes.ts';

export type Member = ApiServer;

export interface MemberSize {
  readonly nodes: number;
  /** Cores of each node. */
  readonly cpu: number;
  /** Of each node; default 16. */
  readonly memoryGi?: number;
}

const PODS_A_NODE = 110;

/** Starts it, also after some of its processes were stopped: it continues the same cluster, because etcd keeps the objects. */
export async function startMember(rig: Rig, name: string, size: MemberSize): Promise<Member> {
  const member = await startApiServer(rig, name);
  await startKubernetes(rig, member, 'kube-controller-manager', [
    `--root-ca-file=${join(member.folder, 'ca.crt')}`,
    `--service-account-private-key-file=${join(member.folder, 'sa.key')}`,
  ]);
  await startKubernetes(rig, member, 'kube-scheduler');
  await startKwok(rig, member);
  await rig.once(`${name} nodes`, () => addNodes(member, size));
  return member;
}

/** The Kubernetes controllers or scheduler, for any API server of the rig. */
export async function startKubernetes(
  rig: Rig,
  server: ApiServer,
  component: Extract<Binary, 'kube-controller-manager' | 'kube-scheduler'>,
  flags: readonly string[] = [],
): Promise<void> {
  const name = `${server.name}-${component.slice('kube-'.length)}`;
  const port = await rig.port(name);
  await rig.start({
    name,
    command: [
      await binary(component),
      `--kubeconfig=${server.adminKubeconfig}`,
      `--authentication-kubeconfig=${server.adminKubeconfig}`,
      `--authorization-kubeconfig=${server.adminKubeconfig}`,
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--tls-cert-file=${join(server.folder, 'server.crt')}`,
      `--tls-private-key-file=${join(server.folder, 'server.key')}`,
      ...flags,
    ],
    ready: () => answers(`https://127.0.0.1:${port}/healthz`, server.folder),
  });
}

async function startKwok(rig: Rig, { name, folder, adminKubeconfig }: Member): Promise<void> {
  const config = join(folder, 'kwok-stages.yaml');
  writeFileSync(config, await stages());
  const port = await rig.port(`${name}-kwok`);
  await rig.start({
    name: `${name}-kwok`,
    command: [
      await binary('kwok'),
      `--kubeconfig=${adminKubeconfig}`,
      `--config=${config}`,
      '--manage-all-nodes',
      '--node-lease-duration-seconds=40',
      `--server-address=127.0.0.1:${port}`,
    ],
    ready: async () => {
      const { status } = await fetch(`http://127.0.0.1:${port}/healthz`);
      if (status !== 200) throw new Error(`/healthz answers ${status}`);
    },
  });
}

async function addNodes(member: Member, { nodes, ...size }: MemberSize): Promise<void> {
  await addNamedNodes(
    member,
    Array.from({ length: nodes }, (_, index) => `${member.name}-node${index + 1}`),
    size,
  );
}

/** Adds nodes and waits until they are Ready. */
export async function addNamedNodes(
  { kubectl }: Member,
  names: readonly string[],
  { cpu, memoryGi = 16 }: Omit<MemberSize, 'nodes'>,
): Promise<void> {
  const capacity = { cpu: String(cpu), memory: `${memoryGi}Gi`, pods: String(PODS_A_NODE) };
  await kubectl.apply(
    names.map((node) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: node, labels: { 'kubernetes.io/hostname': node } },
      status: { allocatable: capacity, capacity },
    })),
  );
  await kubectl.run('wait', '--for=condition=Ready', 'node', '--all', '--timeout=60s');
}
