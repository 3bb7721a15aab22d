/** What a Placement's status says of a decision. Pure. */
import type { KubeObject } from '../../store/objects.ts';
import { type Condition, conditionsIn, withConditions } from './conditions.ts';
import { sliceNames } from './decision-slices.ts';
import type { Selected } from './select-clusters.ts';

export interface Decided extends Selected {
  /** How many clusters are in the sets. */
  readonly candidates: number;
  /** How many sets the namespace may use. */
  readonly bound: number;
  /** Those that the placement names; any, where none. */
  readonly wanted: readonly string[];
  readonly sets: readonly string[];
}

const CONFIGURED: Condition = {
  type: 'PlacementMisconfigured',
  status: 'False',
  reason: 'Succeedconfigured',
  message: 'Placement configurations check pass',
};

export function statusAfter({ metadata, status }: KubeObject, decided: Decided, now: number): object {
  const { generation: observedGeneration, name } = metadata;
  const count = decided.names.length;
  const given = [satisfied(decided), CONFIGURED].map((one) => ({ ...one, observedGeneration }));
  return {
    // 0 is not written by whoever writes only what changes, until it has been more.
    ...((count > 0 || status?.numberOfSelectedClusters !== undefined) && { numberOfSelectedClusters: count }),
    decisionGroups: [
      { decisionGroupIndex: 0, decisionGroupName: '', decisions: sliceNames(name, count), clusterCount: count },
    ],
    conditions: withConditions(conditionsIn(status), given, now),
  };
}

function satisfied({ names, missing, candidates, bound, wanted, sets }: Decided): Condition {
  const type = 'PlacementSatisfied';
  const refuse = (reason: string, message: string): Condition => ({ type, status: 'False', reason, message });
  if (bound === 0) {
    return refuse('NoManagedClusterSetBindings', 'No valid ManagedClusterSetBindings found in placement namespace');
  }
  if (sets.length === 0) {
    const message = `None of ManagedClusterSets [${wanted.join(',')}] is bound to placement namespace`;
    return refuse('NoIntersection', message);
  }
  if (candidates === 0) {
    return refuse(
      'AllManagedClusterSetsEmpty',
      `All ManagedClusterSets [${sets.join(',')}] have no member ManagedCluster`,
    );
  }
  if (names.length === 0) {
    return refuse('NoManagedClusterMatched', 'No ManagedCluster matches any of the cluster predicate');
  }
  if (missing > 0) return refuse('NotAllDecisionsScheduled', `${missing} cluster decisions unscheduled`);
  return { type, status: 'True', reason: 'AllDecisionsScheduled', message: 'All cluster decisions scheduled' };
}
