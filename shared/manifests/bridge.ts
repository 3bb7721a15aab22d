/** The permissions of the bridge's account on a hub: watch the relevant kinds with metadata, and hold its Lease. */
import { kindsToReport, type WatchedKind } from '../bus/watched-kinds.ts';
import { type HubFeature, hubFeatureNames } from '../kubernetes/hub-features.ts';
import { binding, featureRole, grant } from './rbac.ts';
import type { ManifestTarget } from './target.ts';
import type { PrintedManifest } from './to-yaml.ts';

const NAME = 'evenkeel-bridge';

export function bridge({ account: { namespace }, ...features }: ManifestTarget): readonly PrintedManifest[] {
  const account = { namespace, name: NAME };
  const used = hubFeatureNames.filter((feature) => features[feature]);
  // RBAC cannot restrict create by name: the account may create any Lease here, and update only this one.
  const lease = () => ({ apiGroups: ['coordination.k8s.io'], resources: ['leases'] });
  const leases = [
    { ...lease(), verbs: ['create'] },
    { ...lease(), resourceNames: [NAME], verbs: ['get', 'update'] },
  ];
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: NAME, namespace } };
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: NAME, namespace } },
    ...used.flatMap((feature) => grant(featureRole(NAME, feature), watch(kindsOnlyFor(feature)), account)),
    ...grant(NAME, watch(kindsToReport()), account),
    { ...role, rules: leases },
    { ...role, kind: 'RoleBinding', ...binding('Role', NAME, account) },
  ];
  return objects.map((object) => ({ object }));
}

/** Without those that every hub reports. */
function kindsOnlyFor(feature: HubFeature): readonly WatchedKind[] {
  return kindsToReport({ [feature]: true }).filter(({ onlyFor }) => onlyFor !== undefined);
}

function watch(kinds: readonly WatchedKind[]) {
  return kinds.map(({ group, resource }) => ({
    apiGroups: [group],
    resources: [resource],
    verbs: ['list', 'watch'],
  }));
}
