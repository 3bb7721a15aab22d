/** The status of an ElasticWorkload: its conditions, and the reason for each cluster's replicas. */

import { count, listed } from '../core/count.ts';
import { ownValue } from '../core/own-value.ts';
import { sum } from '../core/sum.ts';
import { toTimestamp } from '../core/time.ts';
import type { Condition } from '../kubernetes/condition.ts';
import type { ElasticWorkloadIdentity } from './elastic-workload.ts';
import type { ElasticSpec, ElasticStatus } from './elastic-workload-schema.ts';
import { limitsOf } from './limits.ts';
import type { View } from './observe-placement.ts';
import type { Balance } from './replica-balance.ts';
import type { WorkloadScores } from './scores-in-use.ts';
import { takenText } from './target-rejection.ts';

export interface ConditionInput {
  readonly spec: ElasticSpec;
  readonly views: readonly View[];
  readonly weights: ReadonlyMap<string, number>;
  readonly balance: Balance;
  /** Clusters that an earlier ElasticWorkload of the same target owns. */
  readonly taken: ReadonlyMap<string, ElasticWorkloadIdentity>;
  /** Undefined if the weights are not scores. */
  readonly scores?: WorkloadScores | undefined;
}

/** Only if the weights are scores. */
export const SCORES_MISSING = 'ScoresMissing';

/** Conditions of an accepted ElasticWorkload. */
export function conditionsOf(reported: ConditionInput): readonly Condition[] {
  return [
    accepted(reported),
    balanced(reported),
    progressing(reported),
    overcommitted(reported),
    unplaced(reported),
    weights(reported),
    clusters(reported),
    ...scores(reported),
  ];
}

function condition(
  type: string,
  isTrue: boolean,
  [reason, message]: readonly [reason: string, message: string],
): Condition {
  return { type, status: isTrue ? 'True' : 'False', reason, message };
}

function accepted({ taken }: ConditionInput): Condition {
  if (taken.size > 0) return condition('Accepted', true, ['PartlyTaken', takenText(taken)]);
  return condition('Accepted', true, ['Accepted', 'target, placement and strategies can be carried out']);
}

function balanced(reported: ConditionInput): Condition {
  const { balance } = reported;
  const moved = [...balance.share].filter(([cluster, share]) => balance.replicas.get(cluster) !== share);
  if (moved.length > 0) {
    const others = moved.map(([cluster, share]) => `${cluster} ${balance.replicas.get(cluster)} instead of ${share}`);
    return condition('Balanced', false, ['Borrowed', `not every cluster has its share: ${listed(others)}`]);
  }
  const why = stirring(reported);
  if (why !== undefined) return condition('Balanced', false, why);
  // Every cluster may have its share while replicas are missing: 0 of 5 are ready if no cluster is selected, or none can run any.
  const missing = [clusters(reported), unplaced(reported)].find(({ status }) => status === 'True');
  if (missing !== undefined && reported.spec.distributionStrategy.totalReplicas > 0)
    return condition('Balanced', false, [missing.reason, missing.message]);
  const unready = reported.views.filter(({ cluster, ready }) => ready < (balance.next.get(cluster) ?? 0));
  if (unready.length > 0) {
    const numbers = unready.map(({ cluster, ready }) => `${cluster} ${ready}/${balance.next.get(cluster)}`);
    return condition('Balanced', false, ['NotReady', `not every cluster manages its share: ${listed(numbers)}`]);
  }
  return condition('Balanced', true, ['Balanced', 'every cluster has its share, and it is ready']);
}

function progressing(reported: ConditionInput): Condition {
  const why = stirring(reported);
  return condition('Progressing', why !== undefined, why ?? ['Settled', 'nothing is on its way']);
}

/** Replicas in transition, if any. */
function stirring({ balance, views }: ConditionInput): readonly [string, string] | undefined {
  if (balance.waiting > 0)
    return ['Moving', `${count(balance.waiting, 'replica')} still to move, once others are ready or gone`];
  const starting = views.filter(({ cluster, ready, reachable, replicasOnCluster }) => {
    const next = balance.next.get(cluster) ?? 0;
    const isElsewhere = reachable && replicasOnCluster !== undefined && replicasOnCluster !== next;
    return isElsewhere || (balance.observations.get(cluster)?.cap === undefined && ready < next);
  });
  if (starting.length === 0) return undefined;
  const text = starting.map(({ cluster, ready }) => `${cluster} ${ready}/${balance.next.get(cluster)}`);
  return ['Starting', `not ready yet: ${listed(text)}`];
}

function overcommitted({ spec, balance }: ConditionInput): Condition {
  const { totalReplicas } = spec.distributionStrategy;
  const { floor } = limitsOf(spec.balanceStrategy);
  const floors = floor * balance.share.size;
  const text = `the least of ${count(balance.share.size, 'cluster')} is ${floors} together, and totalReplicas ${totalReplicas}`;
  if (floors > totalReplicas)
    return condition('Overcommitted', true, [
      'FloorsAboveTotal',
      `${text}; raise totalReplicas, lower ${floorField(spec)}, or select fewer clusters`,
    ]);
  return condition('Overcommitted', false, ['WithinTotal', text]);
}

function floorField({ balanceStrategy }: ElasticSpec): string {
  return balanceStrategy.type === 'Classful' ? 'assured' : 'min';
}

function unplaced({ spec, balance }: ConditionInput): Condition {
  const { totalReplicas } = spec.distributionStrategy;
  const placed = sum(balance.share.values());
  if (placed < totalReplicas && balance.share.size > 0)
    return condition('Unplaced', true, [
      'LimitsReached',
      `${totalReplicas - placed} of ${totalReplicas} find no cluster under its limit; raise the limit, lower totalReplicas, or select more clusters`,
    ]);
  if (balance.unborrowed > 0)
    return condition('Unplaced', true, [
      'InsufficientCapacity',
      `${count(balance.unborrowed, 'replica')} that some clusters cannot run can be borrowed by no other cluster; add capacity to a cluster, raise the limits, or select more clusters`,
    ]);
  return condition('Unplaced', false, ['Placed', 'every replica has a cluster']);
}

function weights({ weights: given }: ConditionInput): Condition {
  const invalid = given.size > 0 && [...given.values()].every((weight) => weight === 0);
  if (!invalid) return condition('InvalidWeights', false, ['Valid', 'some cluster has a weight']);
  return condition('InvalidWeights', true, [
    'AllZero',
    'every selected cluster has the weight 0, so no cluster gets replicas; give one a weight in distributionStrategy.weighted',
  ]);
}

function clusters({ spec, balance }: ConditionInput): Condition {
  const { name } = spec.placementRef;
  if (balance.share.size > 0)
    return condition('NoClusters', false, [
      'Selected',
      `Placement ${name} selects ${count(balance.share.size, 'cluster')}`,
    ]);
  return condition('NoClusters', true, [
    'NoneSelected',
    `Placement ${name} selects no cluster; look at its condition PlacementSatisfied`,
  ]);
}

function scores({ scores: used }: ConditionInput): readonly Condition[] {
  if (used === undefined) return [];
  const { inUse, clusters: scored, missing, unread } = used;
  if (missing.length === 0)
    return [condition(SCORES_MISSING, false, ['Valid', `every cluster has a valid score ${inUse.source}`])];
  const some = `no valid score ${inUse.source} of ${missing.length} of ${count(scored.length, 'cluster')} (${listed(missing)})`;
  const effect = 'they keep their last score, or 0';
  if (unread !== undefined) return [condition(SCORES_MISSING, true, ['NotReadable', `${unread}; ${some}; ${effect}`])];
  return [condition(SCORES_MISSING, true, ['NoValidScore', `${some}; ${effect}; check the add-on that writes it`])];
}

type ClusterStatus = NonNullable<ElasticStatus['clusters']>[number];

/** Status of each cluster that has or had replicas. */
export function clusterStatuses(
  { views, balance, scores: used }: ConditionInput,
  rejected: ReadonlyMap<string, string>,
): ClusterStatus[] {
  return views.map((view) => {
    const { cluster, replicasOnCluster, ready } = view;
    const [reason, message] = whyOf(view, balance, rejected.get(cluster));
    const score = ownValue(used?.inUse.scores, cluster);
    return {
      name: cluster,
      share: balance.share.get(cluster) ?? 0,
      ...(score !== undefined && { score }),
      replicas: balance.next.get(cluster) ?? 0,
      ...(replicasOnCluster !== undefined && { observedReplicas: replicasOnCluster }),
      readyReplicas: ready,
      reason,
      ...(message !== undefined && { message }),
    };
  });
}

function whyOf(
  view: View,
  balance: Balance,
  rejected: string | undefined,
): readonly [reason: string, message?: string] {
  const { cluster, selected, reachable, deleting, ready } = view;
  const { cap, pin } = balance.observations.get(cluster) ?? {};
  const next = balance.next.get(cluster) ?? 0;
  const share = balance.share.get(cluster) ?? 0;
  if (deleting) return ['Deleting', 'its ManifestWork is being deleted'];
  if (!selected)
    return ['Leaving', 'the PlacementDecision does not name it; its replicas go when others are ready in their place'];
  if (rejected !== undefined) return ['Rejected', rejected.slice(0, 300)];
  if (cap !== undefined) {
    const tried = `tried again at ${toTimestamp(cap.until)}`;
    if (!reachable) return ['Unreachable', `the cluster reports no status; ${tried}`];
    return ['Short', `it managed ${cap.replicas} of ${share}; ${tried}`];
  }
  if (!reachable) return ['Unreachable', 'the cluster reports no status'];
  if (pin !== undefined) {
    const comesOfIt = pin > next ? `and its limit is ${next}` : 'which is left so';
    return ['ScaledManually', `it was scaled to ${pin} on the cluster, ${comesOfIt}`];
  }
  if (ready < next) return ['Starting'];
  return next > share ? ['Borrowing', `${next - share} more than its share, borrowed from other clusters`] : ['Ready'];
}
