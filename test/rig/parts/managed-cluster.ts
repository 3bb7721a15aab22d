/** A managed cluster of Open Cluster Management: a member cluster with the work agent, joined to a hub manually. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rig } from '../rig.ts';
import type { ApiServer } from './api-server.ts';
import { type Member, type MemberSize, startMember } from './member.ts';
import { addManagedClusterKinds, startOcmComponent } from './ocm.ts';

const NAMESPACE = 'open-cluster-management-agent';
const KEEPER = join(import.meta.dirname, 'lease-keeper-process.ts');

/** A managed cluster that does not renew its lease for five times as long is unreachable. */
const LEASE_SECONDS = 2;

/** The lease keeper logs this once per start. */
const KEPT_LOG = 'the lease is kept';

/** The processes of a managed cluster besides its etcd, in the order of their start. */
const PARTS = ['apiserver', 'controller-manager', 'scheduler', 'kwok', 'work-agent', 'lease-keeper'] as const;

export interface ManagedClusterSpec {
  readonly name: string;
  readonly size: MemberSize;
  /** Of its ManagedCluster. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** After a failure, another start continues the same cluster. */
export async function startManagedCluster(rig: Rig, hub: ApiServer, spec: ManagedClusterSpec): Promise<Member> {
  const { name, size, labels = {} } = spec;
  const managedCluster = await startMember(rig, name, size);
  await rig.once(`${name} managed cluster kinds`, async () => {
    await addManagedClusterKinds(managedCluster);
    await managedCluster.kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  });
  await hub.kubectl.apply(managedClusterObject(name, labels));
  await startWorkAgent(rig, hub, managedCluster);
  await startLeaseKeeper(rig, hub, managedCluster);
  return managedCluster;
}

/** Only the work agent, for suites that stopped it. */
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

/** As after a power failure: no component answers, and the lease is not renewed. */
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
  const timesKept = () => rig.processes.log(name).split(KEPT_LOG).length - 1;
  const before = rig.processes.pid(name) === undefined ? timesKept() : 0;
  await rig.start({
    name,
    command: [process.execPath, KEEPER, config],
    ready: async () => {
      if (timesKept() <= before) throw new Error('the managed cluster is not available yet');
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
