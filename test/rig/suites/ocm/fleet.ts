/** What the suites of Open Cluster Management are played on: a hub with its controllers, and spokes that join one by one. */
import { type Hub, startHub } from '../../parts/hub.ts';
import type { Member } from '../../parts/member.ts';
import { startOcm } from '../../parts/ocm.ts';
import { failSpoke, type SpokeSpec, startSpoke } from '../../parts/spoke.ts';
import type { Rig } from '../../rig.ts';
import { Api } from '../api.ts';

/** On each ManagedCluster that is a real one. */
export const FLEET = { fleet: 'spokes' };

/** In pods of one core: 20 places on each of two, and 4 on the third. */
const SPOKES = {
  spoke1: { size: { nodes: 2, cpu: 10 }, labels: { ...FLEET, size: 'large' } },
  spoke2: { size: { nodes: 2, cpu: 10 }, labels: { ...FLEET, size: 'large' } },
  spoke3: { size: { nodes: 1, cpu: 4 }, labels: { ...FLEET, size: 'small' } },
} satisfies Record<string, Omit<SpokeSpec, 'name'>>;

export type SpokeName = keyof typeof SPOKES;

export interface Spoke extends Member {
  readonly api: Api;
}

export interface OcmFleet {
  readonly rig: Rig;
  readonly hub: Hub;
  readonly api: Api;
  /** Those that joined. */
  readonly spokes: Map<SpokeName, Spoke>;
  close(): void;
}

export async function startOcmFleet(rig: Rig): Promise<OcmFleet> {
  const hub = await startHub(rig, { karmada: false });
  await startOcm(rig, hub);
  const api = await Api.of(hub.adminKubeconfig);
  const spokes = new Map<SpokeName, Spoke>();
  const close = () => {
    for (const one of [api, ...Array.from(spokes.values(), (spoke) => spoke.api)]) one.close();
  };
  return { rig, hub, api, spokes, close };
}

/** For the first time, or again after it failed or left. */
export async function addSpoke({ rig, hub, spokes }: OcmFleet, name: SpokeName): Promise<Spoke> {
  const started = await startSpoke(rig, hub, { name, ...SPOKES[name] });
  spokes.get(name)?.api.close();
  const spoke = { ...started, api: await Api.of(started.adminKubeconfig) };
  spokes.set(name, spoke);
  return spoke;
}

export async function fail(fleet: OcmFleet, name: SpokeName): Promise<void> {
  await failSpoke(fleet.rig, name);
  forget(fleet, name);
}

/** The hub lets go of it for good: it is known no more once the agent has taken away what came from the hub. */
export async function leave(fleet: OcmFleet, name: SpokeName): Promise<void> {
  await fleet.hub.kubectl.run('delete', 'managedcluster', name, '--ignore-not-found', '--timeout=60s');
}

export async function isKnown({ api }: OcmFleet, name: SpokeName): Promise<boolean> {
  return (await api.send({ method: 'GET', path: `${paths.clusters}/${name}` })).status === 200;
}

function forget({ spokes }: OcmFleet, name: SpokeName): void {
  spokes.get(name)?.api.close();
  spokes.delete(name);
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
