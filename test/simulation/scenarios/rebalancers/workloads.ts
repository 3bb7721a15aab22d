/** The workloads of every history, by short names. */
import type { ObjectReference } from '../../../../shared/kubernetes/object-reference.ts';

const inShop = (name: string): ObjectReference => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace: 'shop',
  name,
});

export const workloads: Readonly<Record<string, ObjectReference>> = {
  api: inShop('api'),
  cart: inShop('cart'),
  mail: inShop('mail'),
  web: inShop('web'),
  zeta: { apiVersion: 'apps/v1', kind: 'StatefulSet', namespace: 'bank', name: 'zeta' },
  reader: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', namespace: '', name: 'system:Reader' },
};

export const workloadNames = Object.keys(workloads) as [string, ...string[]];

export function workload(name: string): ObjectReference {
  const found = workloads[name];
  if (found === undefined) throw new Error(`there is no workload ${name}`);
  return found;
}
