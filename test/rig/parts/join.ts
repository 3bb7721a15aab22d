/** Joins a member to a hub in push mode: Karmada's controllers use a ServiceAccount in the member. */
import type { Rig } from '../rig.ts';
import type { ApiServer } from './api-server.ts';
import { pem } from './certificates.ts';
import type { Member } from './member.ts';

/** On both sides: the namespace of the ServiceAccount in the member, and of its token on the hub. */
export const CLUSTER_NAMESPACE = 'karmada-cluster';

const ACCOUNT = 'karmada';

export async function join(rig: Rig, hub: ApiServer, member: Member): Promise<void> {
  await rig.once(`${member.name} joined`, async () => {
    const token = await accountOf(member);
    await hub.kubectl.apply(await clusterOf(member, token));
  });
}

async function accountOf({ kubectl }: Member): Promise<string> {
  await kubectl.apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: CLUSTER_NAMESPACE } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace: CLUSTER_NAMESPACE } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: ACCOUNT },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace: CLUSTER_NAMESPACE }],
    },
  ]);
  const token = await kubectl.run('create', 'token', '-n', CLUSTER_NAMESPACE, ACCOUNT, '--duration', '8760h');
  return token.trim();
}

async function clusterOf({ name, url, folder, kubectl }: Member, token: string): Promise<readonly object[]> {
  const { metadata } = await kubectl.get<{ metadata: { uid: string } }>('namespace', 'kube-system');
  const secret = { namespace: CLUSTER_NAMESPACE, name };
  return [
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: secret,
      stringData: { caBundle: pem(folder, 'ca.crt'), token },
    },
    {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name },
      spec: {
        id: metadata.uid,
        apiEndpoint: url,
        syncMode: 'Push',
        secretRef: secret,
        impersonatorSecretRef: secret,
      },
    },
  ];
}
