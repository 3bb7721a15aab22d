/** The permissions of Evenkeel's account on a hub: each verb that a function uses, and no other. */
import { type FunctionDefinition, functionNames, functions, type HubAccess } from '../bus/functions.ts';
import { type Account, userOfAccount } from '../kubernetes/account-token.ts';
import { type HubFeature, type HubFeatures, hubFeatureNames, hubFeatures } from '../kubernetes/hub-features.ts';
import type { ManifestTarget } from './target.ts';
import type { PrintedManifest } from './to-yaml.ts';

interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

const RBAC = 'rbac.authorization.k8s.io';

/** All permissions of the functions on a hub with these features. */
export function accessesOf(features: HubFeatures): readonly HubAccess[] {
  return functionNames
    .flatMap((each): readonly HubAccess[] => (functions[each] as FunctionDefinition).hub)
    .filter(({ onlyWhere }) => onlyWhere === undefined || features[onlyWhere]);
}

export function rbac({ account, ...features }: ManifestTarget): readonly PrintedManifest[] {
  const { namespace, name } = account;
  const accesses = accessesOf(features);
  const own = rulesOf(accesses.filter(({ ofOwnAccount }) => ofOwnAccount)).map((rule) => ({
    ...rule,
    resourceNames: [name],
  }));
  const accessFor = (feature?: HubFeature) =>
    rulesOf(accesses.filter(({ ofOwnAccount, onlyWhere }) => !ofOwnAccount && onlyWhere === feature));
  const role = { apiVersion: `${RBAC}/v1`, kind: 'Role', metadata: { name, namespace } };
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    // First: on a hub with the single role of earlier versions, no right is missing between two writes.
    ...hubFeatureNames.flatMap((feature) => grant(featureRole(name, feature), accessFor(feature), account)),
    ...grant(name, accessFor(), account),
    { ...role, rules: own },
    { ...role, kind: 'RoleBinding', ...binding('Role', name, account) },
  ];
  return objects.map((object) => ({ object }));
}

/** The ClusterRole of a feature, apart from the others, so that applying one feature takes no rights from another. */
export function featureRole(account: string, feature: HubFeature): string {
  return `${account}:${hubFeatures[feature].flag.slice(2)}`;
}

/** A ClusterRole with its binding; none without rules. */
export function grant(role: string, rules: readonly PolicyRule[], account: Account): readonly object[] {
  if (rules.length === 0) return [];
  const object = { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: role } };
  return [
    { ...object, rules },
    { ...object, kind: 'ClusterRoleBinding', ...binding('ClusterRole', role, account) },
  ];
}

/** For each member whose pods are counted: the hub's proxy impersonates Evenkeel's account there. */
export function memberRbac({ account }: ManifestTarget): readonly PrintedManifest[] {
  const metadata = { name: `${account.name}-count-pods` };
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
  const subjects = [{ apiGroup: RBAC, kind: 'User', name: userOfAccount(account) }];
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: metadata.name };
  return [
    { object: { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata, rules } },
    { object: { apiVersion: `${RBAC}/v1`, kind: 'ClusterRoleBinding', metadata, roleRef, subjects } },
  ];
}

/** One rule per resource, with all its verbs. */
function rulesOf(accesses: readonly HubAccess[]): readonly PolicyRule[] {
  const verbs = new Map<string, Set<string>>();
  for (const access of accesses) {
    const key = `${access.group} ${access.resource}`;
    verbs.set(key, new Set([...(verbs.get(key) ?? []), ...access.verbs]));
  }
  return [...verbs].map(([key, all]) => {
    const [group = '', resource = ''] = key.split(' ');
    return { apiGroups: [group], resources: [resource], verbs: [...all].sort() };
  });
}

/** The role, and the ServiceAccount that it is bound to. */
export function binding(kind: 'ClusterRole' | 'Role', role: string, { namespace, name }: Account): object {
  return {
    roleRef: { apiGroup: RBAC, kind, name: role },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  };
}
