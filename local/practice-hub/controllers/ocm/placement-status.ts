/** PlacementDecisions, the chunks of a Placement's clusters, and the Placement's status for them. Pure. */
import type { Key, KubeObject } from '../../store/objects.ts';
import { condition, conditionsIn, type OcmCondition, withConditions } from './conditions.ts';
import type { Selected } from './select-clusters.ts';

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
  const apiVersion = `${GROUP}/v1beta1`;
  const owner = { apiVersion, kind: 'Placement', name, uid, controller: true, blockOwnerDeletion: true };
  return { apiVersion, kind: 'PlacementDecision', metadata: { ...key, labels, ownerReferences: [owner] } };
}

export interface PlacementResult extends Selected {
  /** Number of clusters in the sets. */
  readonly candidates: number;
  /** Number of sets that are bound to the namespace. */
  readonly bound: number;
  /** The sets that the placement names; any set if empty. */
  readonly wanted: readonly string[];
  readonly sets: readonly string[];
}

const CONFIGURED = condition(
  'PlacementMisconfigured',
  'False',
  'Succeedconfigured',
  'Placement configurations check pass',
);

export function statusAfter({ metadata, status }: KubeObject, decided: PlacementResult, now: number): object {
  const { generation: observedGeneration, name } = metadata;
  const count = decided.names.length;
  const given = [satisfied(decided), CONFIGURED].map((one) => ({ ...one, observedGeneration }));
  return {
    // As with omitempty in Go, 0 is omitted unless the field was larger before.
    ...((count > 0 || status?.numberOfSelectedClusters !== undefined) && { numberOfSelectedClusters: count }),
    decisionGroups: [
      { decisionGroupIndex: 0, decisionGroupName: '', decisions: sliceNames(name, count), clusterCount: count },
    ],
    conditions: withConditions(conditionsIn(status), given, now),
  };
}

function satisfied({ names, missing, candidates, bound, wanted, sets }: PlacementResult): OcmCondition {
  const type = 'PlacementSatisfied';
  const unsatisfied = (reason: string, message: string) => condition(type, 'False', reason, message);
  if (bound === 0) {
    const message = 'No valid ManagedClusterSetBindings found in placement namespace';
    return unsatisfied('NoManagedClusterSetBindings', message);
  }
  if (sets.length === 0) {
    const message = `None of ManagedClusterSets [${wanted.join(',')}] is bound to placement namespace`;
    return unsatisfied('NoIntersection', message);
  }
  if (candidates === 0) {
    const message = `All ManagedClusterSets [${sets.join(',')}] have no member ManagedCluster`;
    return unsatisfied('AllManagedClusterSetsEmpty', message);
  }
  if (names.length === 0) {
    return unsatisfied('NoManagedClusterMatched', 'No ManagedCluster matches any of the cluster predicate');
  }
  if (missing > 0) return unsatisfied('NotAllDecisionsScheduled', `${missing} cluster decisions unscheduled`);
  return condition(type, 'True', 'AllDecisionsScheduled', 'All cluster decisions scheduled');
}
