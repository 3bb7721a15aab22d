/**
 * Open Cluster Management on a hub: its kinds, its placement controller and its registration controller, which taints a
 * cluster whose lease is not renewed as unreachable.
 */
import { type Binary, binary, ocmFiles } from '../cache/go-binaries.ts';
import type { Rig } from '../rig.ts';
import type { ApiServer } from './api-server.ts';
import { applyCrds } from './crds.ts';
import { startHubControllers } from './hub-controllers.ts';
import { accepts } from './probes.ts';

const NAMESPACE = 'open-cluster-management-hub';

/** The kinds that only a managed cluster serves. */
const OF_MANAGED_CLUSTER = /_(appliedmanifestworks|clusterclaims)\.crd\.yaml$/;

/** The second versions of the add-on kinds, which would need a conversion webhook and are not applied. */
const CONVERTED = /^addon\/v1beta1\//;

export async function startOcm(rig: Rig, hub: ApiServer): Promise<void> {
  await rig.once('ocm CRDs', async () => {
    const isOfHub = (file: string) =>
      file.endsWith('.crd.yaml') && !OF_MANAGED_CLUSTER.test(file) && !CONVERTED.test(file);
    await applyCrds(hub, await ocmFiles(), isOfHub);
    await hub.kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  });
  await startHubControllers(rig, hub);
  await startOcmComponent(rig, hub, { name: 'ocm-placement', program: 'ocm-placement', args: ['controller'] });
  await startOcmComponent(rig, hub, {
    name: 'ocm-registration',
    program: 'ocm-registration',
    args: ['controller', `--namespace=${NAMESPACE}`],
  });
}

/** A Placement in the default namespace that selects all clusters with these labels. */
export async function place({ kubectl }: ApiServer, name: string, matchLabels: Labels = {}): Promise<void> {
  const predicates = [{ requiredClusterSelector: { labelSelector: { matchLabels } } }];
  await kubectl.apply([
    {
      apiVersion: 'cluster.open-cluster-management.io/v1beta2',
      kind: 'ManagedClusterSetBinding',
      metadata: { name: 'global', namespace: 'default' },
      spec: { clusterSet: 'global' },
    },
    {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      metadata: { name, namespace: 'default' },
      spec: { predicates },
    },
  ]);
}

type Labels = Readonly<Record<string, string>>;

/** The CRDs that the API server of a managed cluster needs before the work agent starts. */
export async function addManagedClusterKinds(managedCluster: ApiServer): Promise<void> {
  await applyCrds(managedCluster, await ocmFiles(), (file) => OF_MANAGED_CLUSTER.test(file));
}

interface Component {
  readonly name: string;
  readonly program: Extract<Binary, `ocm-${string}`>;
  /** The subcommand and its flags. */
  readonly args: readonly string[];
}

/** Runs as the administrator of its API server. */
export async function startOcmComponent(rig: Rig, { adminKubeconfig }: ApiServer, component: Component) {
  const { name, program, args } = component;
  const port = await rig.port(name);
  await rig.start({
    name,
    command: [
      await binary(program),
      ...args,
      `--kubeconfig=${adminKubeconfig}`,
      `--listen=127.0.0.1:${port}`,
      '--disable-leader-election',
    ],
    // The folder in which it creates a self-signed certificate.
    env: { TMPDIR: rig.folder },
    ready: () => accepts(port),
  });
}
