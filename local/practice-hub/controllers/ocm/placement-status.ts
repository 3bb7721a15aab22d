/** The status of a Placement for its decisions. Pure. */
import type { KubeObject } from '../../store/objects.ts';
import { conditionsIn, type OcmCondition, withConditions } from './conditions.ts';
import { sliceNames } from './decision-slices.ts';
import type { Selected } from './select-clusters.ts';

export interface PlacementResult extends Selected {
  /** Number of clusters in the sets. */
  readonly candidates: number;
  /** Number of sets that are bound to the namespace. */
  readonly bound: number;
  /** The sets that the placement names; any set if empty. */
  readonly wanted: readonly string[];
  readonly sets: readonly string[];
}

const CONFIGURED: OcmCondition = {
  type: 'PlacementMisconfigured',
  status: 'False',
  reason: 'Succeedconfigured',
  message: 'Placement configurations check pass',
};

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
  const unsatisfied = (reason: string, message: string): OcmCondition => ({ type, status: 'False', reason, message });
  if (bound === 0) {
    return unsatisfied(
      'NoManagedClusterSetBindings',
      'No valid ManagedClusterSetBindings found in placement namespace',
    );
  }
  if (sets.length === 0) {
    const message = `None of ManagedClusterSets [${wanted.join(',')}] is bound to placement namespace`;
    return unsatisfied('NoIntersection', message);
  }
  if (candidates === 0) {
    return unsatisfied(
      'AllManagedClusterSetsEmpty',
      `All ManagedClusterSets [${sets.join(',')}] have no member ManagedCluster`,
    );
  }
  if (names.length === 0) {
    return unsatisfied('NoManagedClusterMatched', 'No ManagedCluster matches any of the cluster predicate');
  }
  if (missing > 0) return unsatisfied('NotAllDecisionsScheduled', `${missing} cluster decisions unscheduled`);
  return { type, status: 'True', reason: 'AllDecisionsScheduled', message: 'All cluster decisions scheduled' };
}
