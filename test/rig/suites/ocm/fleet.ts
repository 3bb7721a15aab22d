/** The fleet of the Open Cluster Management suites: a hub with its controllers, and managed clusters that join one by one. */
import { type Hub, startHub } from '../../parts/hub.ts';
import { failManagedCluster, type ManagedClusterSpec, startManagedCluster } from '../../parts/managed-cluster.ts';
import type { Member } from '../../parts/member.ts';
import { startOcm } from '../../parts/ocm.ts';
import type { Rig } from '../../rig.ts';
import { Api } from '../api.ts';

/** The label of each ManagedCluster with a control plane. */
export const FLEET = { fleet: 'managed-clusters' };

/** Capacity for 20 pods of one core on each of two, and for 4 on the third. */
const MANAGED_CLUSTERS = {
  spoke1: { size: { nodes: 2, cpu: 10 }, labels: { ...FLEET, size: 'large' } },
  spoke2: { size: { nodes: 2, cpu: 10 }, labels: { ...FLEET, size: 'large' } },
  spoke3: { size: { nodes: 1, cpu: 4 }, labels: { ...FLEET, size: 'small' } },
} satisfies Record<string, Omit<ManagedClusterSpec, 'name'>>;

export type ManagedClusterName = keyof typeof MANAGED_CLUSTERS;

export interface ManagedClusterFixture extends Member {
  readonly api: Api;
}

export interface OcmFleet {
  readonly rig: Rig;
  readonly hub: Hub;
  readonly api: Api;
  /** The managed clusters that joined. */
  readonly managedClusters: Map<ManagedClusterName, ManagedClusterFixture>;
  close(): void;
}

export async function startOcmFleet(rig: Rig): Promise<OcmFleet> {
  const hub = await startHub(rig, { karmada: false });
  await startOcm(rig, hub);
  const api = await Api.of(hub.adminKubeconfig);
  const managedClusters = new Map<ManagedClusterName, ManagedClusterFixture>();
  const close = () => {
    for (const one of [api, ...Array.from(managedClusters.values(), (managedCluster) => managedCluster.api)])
      one.close();
  };
  return { rig, hub, api, managedClusters, close };
}

/** Starts and joins it: for the first time, or again after it failed or left. */
export async function addManagedCluster(
  { rig, hub, managedClusters }: OcmFleet,
  name: ManagedClusterName,
): Promise<ManagedClusterFixture> {
  const started = await startManagedCluster(rig, hub, { name, ...MANAGED_CLUSTERS[name] });
  managedClusters.get(name)?.api.close();
  const managedCluster = { ...started, api: await Api.of(started.adminKubeconfig) };
  managedClusters.set(name, managedCluster);
  return managedCluster;
}

export async function fail(fleet: OcmFleet, name: ManagedClusterName): Promise<void> {
  await failManagedCluster(fleet.rig, name);
  forget(fleet, name);
}

/** Deletes the ManagedCluster, which disappears after the agent has removed the workloads of the hub. */
export async function leave(fleet: OcmFleet, name: ManagedClusterName): Promise<void> {
  await fleet.hub.kubectl.run('delete', 'managedcluster', name, '--ignore-not-found', '--timeout=60s');
}

export async function isKnown({ api }: OcmFleet, name: ManagedClusterName): Promise<boolean> {
  return (await api.send({ method: 'GET', path: `${paths.clusters}/${name}` })).status === 200;
}

function forget({ managedClusters }: OcmFleet, name: ManagedClusterName): void {
  managedClusters.get(name)?.api.close();
  managedClusters.delete(name);
}

export const paths = {
  clusters: '/apis/cluster.open-cluster-management.io/v1/managedclusters',
  placements: '/apis/cluster.open-cluster-management.io/v1beta1/namespaces/default/placements',
  decisions: '/apis/cluster.open-cluster-management.io/v1beta1/namespaces/default/placementdecisions',
  deployments: '/apis/apps/v1/namespaces/default/deployments',
  pods: '/api/v1/namespaces/default/pods',
};

export function worksPath(cluster: string): string {
  return `/apis/work.open-cluster-management.io/v1/namespaces/${cluster}/manifestworks`;
}
