/** PlacementDecisions: the chunks of a Placement's clusters. */
import type { Key, KubeObject } from '../../store/objects.ts';

const GROUP = 'cluster.open-cluster-management.io';
export const PLACEMENT_LABEL = `${GROUP}/placement`;
/** Maximum clusters in one. */
export const SLICE = 100;

/** At least one: without selected clusters the first stays, empty. */
export function sliceNames(placement: string, clusters: number): readonly string[] {
  return Array.from({ length: Math.max(1, Math.ceil(clusters / SLICE)) }, (_, i) => `${placement}-decision-${i + 1}`);
}

export function clustersIn({ status }: KubeObject): readonly string[] {
  const decisions = (status?.decisions ?? []) as readonly { readonly clusterName: string }[];
  return decisions.map(({ clusterName }) => clusterName);
}

export function sliceFor({ metadata: { name, uid } }: KubeObject, key: Key): object {
  const labels = {
    [PLACEMENT_LABEL]: name,
    [`${GROUP}/decision-group-index`]: '0',
    [`${GROUP}/decision-group-name`]: '',
  };
  const owner = {
    apiVersion: `${GROUP}/v1beta1`,
    kind: 'Placement',
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  return {
    apiVersion: `${GROUP}/v1beta1`,
    kind: 'PlacementDecision',
    metadata: { ...key, labels, ownerReferences: [owner] },
  };
}
