/** The permissions of the bridge's account on a hub: watch the relevant kinds with metadata, and hold its Lease. */
import { kindsToReport } from '../bus/watched-kinds.ts';
import type { ManifestTarget } from './target.ts';
import type { PrintedManifest } from './to-yaml.ts';

const RBAC = 'rbac.authorization.k8s.io';
const NAME = 'evenkeel-bridge';

export function bridge({ account: { namespace }, ...features }: ManifestTarget): readonly PrintedManifest[] {
  const role = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: NAME } };
  const watched = kindsToReport(features).map(({ group, resource }) => ({
    apiGroups: [group],
    resources: [resource],
    verbs: ['list', 'watch'],
  }));
  // RBAC cannot restrict create by name: the account may create any Lease here, and update only this one.
  const lease = () => ({ apiGroups: ['coordination.k8s.io'], resources: ['leases'] });
  const leases = [
    { ...lease(), verbs: ['create'] },
    { ...lease(), resourceNames: [NAME], verbs: ['get', 'update'] },
  ];
  const subjects = [{ kind: 'ServiceAccount', name: NAME, namespace }];
  const bound = (kind: string) => ({ roleRef: { apiGroup: RBAC, kind, name: NAME }, subjects });
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: NAME, namespace } },
    { ...role, rules: watched },
    { ...role, kind: 'ClusterRoleBinding', ...bound('ClusterRole') },
    { ...role, kind: 'Role', metadata: { name: NAME, namespace }, rules: leases },
    { ...role, kind: 'RoleBinding', metadata: { name: NAME, namespace }, ...bound('Role') },
  ];
  return objects.map((object) => ({ object }));
}
