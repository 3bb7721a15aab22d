/** The recommended labels of Kubernetes, on each object of the manifests. */
import type { ManifestTarget } from './target.ts';

/** Kinds that all parts and all accounts on a hub share: no part or account is their only owner. */
const shared: readonly string[] = ['Namespace', 'CustomResourceDefinition'];

interface LabelledObject {
  readonly kind?: string;
  readonly metadata?: object;
}

/** The object with labels that name its part of the manifests and its account. No version: each release would change every object. */
export function withLabels(object: LabelledObject, part: string, { account }: Pick<ManifestTarget, 'account'>): object {
  const labels = {
    'app.kubernetes.io/name': 'evenkeel',
    ...(!shared.includes(object.kind ?? '') && {
      'app.kubernetes.io/instance': account.name,
      'app.kubernetes.io/component': part,
    }),
    'app.kubernetes.io/part-of': 'evenkeel',
    'app.kubernetes.io/managed-by': 'evenkeel',
  };
  return { ...object, metadata: { ...object.metadata, labels } };
}
