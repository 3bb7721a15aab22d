/** A spoke of Open Cluster Management: a member cluster with the work agent in it, joined to a hub by hand. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rig } from '../rig.ts';
import type { ApiServer } from './api-server.ts';
import { type Member, type MemberSize, startMember } from './member.ts';
import { addManagedClusterKinds, startOcmComponent } from './ocm.ts';

const NAMESPACE = 'open-cluster-management-agent';
const KEEPER = join(import.meta.dirname, 'lease-keeper-process.ts');

/** A spoke that is silent for five of them is unreachable. */
const LEASE_SECONDS = 2;

/** The keeper's word to its log, once a life. */
const SAID = 'the lease is kept';

/** What runs of a spoke besides its etcd, in the order in which it is started. */
const PARTS = ['apiserver', 'controller-manager', 'scheduler', 'kwok', 'work-agent', 'lease-keeper'] as const;

export interface ManagedClusterSpec {
  readonly name: string;
  readonly size: MemberSize;
  /** Of its ManagedCluster. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Started again after it failed, it is the same cluster as before. */
export async function startManagedCluster(rig: Rig, hub: ApiServer, spec: ManagedClusterSpec): Promise<Member> {
  const { name, size, labels = {} } = spec;
  const managedCluster = await startMember(rig, name, size);
  await rig.once(`${name} spoke kinds`, async () => {
    await addManagedClusterKinds(managedCluster);
    await managedCluster.kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  });
  await hub.kubectl.apply(managedClusterObject(name, labels));
  await startWorkAgent(rig, hub, managedCluster);
  await startLeaseKeeper(rig, hub, managedCluster);
  return managedCluster;
}

/** By itself, for those who stopped it. */
export async function startWorkAgent(rig: Rig, hub: ApiServer, managedCluster: Member): Promise<void> {
  await startOcmComponent(rig, managedCluster, {
    name: `${managedCluster.name}-work-agent`,
    program: 'ocm-work',
    args: [
      'agent',
      `--namespace=${NAMESPACE}`,
      `--spoke-cluster-name=${managedCluster.name}`,
      '--workload-source-driver=kube',
      `--workload-source-config=${hub.adminKubeconfig}`,
      '--status-sync-interval=1s',
    ],
  });
}

export function stopWorkAgent(rig: Rig, managedCluster: string): Promise<void> {
  return rig.processes.stop(`${managedCluster}-work-agent`);
}

/** As a cluster that lost its power: nothing of it answers, and nobody renews its lease. */
export async function failManagedCluster(rig: Rig, managedCluster: string): Promise<void> {
  for (const part of PARTS.toReversed()) await rig.processes.stop(`${managedCluster}-${part}`, 'SIGKILL');
}

async function startLeaseKeeper(rig: Rig, hub: ApiServer, managedCluster: Member): Promise<void> {
  const name = `${managedCluster.name}-lease-keeper`;
  const config = join(managedCluster.folder, 'lease-keeper.json');
  const { adminKubeconfig: hubKubeconfig } = hub;
  writeFileSync(
    config,
    JSON.stringify({ cluster: managedCluster.name, hubKubeconfig, kubeconfig: managedCluster.adminKubeconfig }),
  );
  const timesSaid = () => rig.processes.log(name).split(SAID).length - 1;
  const before = rig.processes.pid(name) === undefined ? timesSaid() : 0;
  await rig.start({
    name,
    command: [process.execPath, KEEPER, config],
    ready: async () => {
      if (timesSaid() <= before) throw new Error('the spoke is not available yet');
    },
  });
}

/** The registration controller does the rest: the namespace, the roles in it and the lease. */
function managedClusterObject(name: string, labels: Readonly<Record<string, string>>): object {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, labels },
    spec: { hubAcceptsClient: true, leaseDurationSeconds: LEASE_SECONDS },
  };
}
