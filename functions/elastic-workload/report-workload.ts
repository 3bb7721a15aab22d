/** The user-visible report of an ElasticWorkload: its status and Events. */

import { ownValue } from '../../shared/core/own-value.ts';
import { sum } from '../../shared/core/sum.ts';
import { type Instant, toTimestamp } from '../../shared/core/time.ts';
import { SCORES_MISSING } from '../../shared/elastic-workload/elastic-conditions.ts';
import {
  type ElasticWorkload,
  OWNER_LABEL,
  ownerLabel,
  workName,
} from '../../shared/elastic-workload/elastic-workload.ts';
import type { ElasticStatus } from '../../shared/elastic-workload/elastic-workload-schema.ts';
import type { Balance, ReconcilerState } from '../../shared/elastic-workload/replica-balance.ts';
import type { TargetRejection } from '../../shared/elastic-workload/target-rejection.ts';
import { type Condition, withCondition } from '../../shared/kubernetes/condition.ts';
import type { ObjectEvent } from '../../shared/kubernetes/object-event.ts';

/** The result of a reconcile for the status. */
export interface BalanceReport {
  readonly conditions: readonly Condition[];
  readonly clusters: NonNullable<ElasticStatus['clusters']>;
  /** The clusters that have a ManifestWork. */
  readonly works: readonly string[];
}

export function reportedStatus(
  elastic: ElasticWorkload,
  { conditions, clusters, works }: BalanceReport,
  now: Instant,
): ElasticStatus {
  const total = (of: (cluster: BalanceReport['clusters'][number]) => number) => sum(clusters.map(of));
  return {
    observedGeneration: elastic.generation,
    conditions: withConditions(withoutOutdated(elastic.status, conditions), conditions, now),
    selector: `${OWNER_LABEL}=${ownerLabel(elastic)}`,
    replicas: total(({ observedReplicas = 0 }) => observedReplicas),
    readyReplicas: total(({ readyReplicas = 0 }) => readyReplicas),
    desiredReplicas: total(({ replicas }) => replicas),
    numberOfClusters: clusters.filter(({ reason }) => reason !== 'Leaving' && reason !== 'Deleting').length,
    clusters,
    manifestWorks: works.map((namespace) => ({ namespace, name: workName(elastic) })),
  };
}

type Conditions = NonNullable<ElasticStatus['conditions']>;

function withConditions({ conditions = [] }: ElasticStatus, next: readonly Condition[], now: Instant): Conditions {
  return next.reduce<readonly Readonly<Record<string, unknown>>[]>(
    (kept, condition) => withCondition(kept as Conditions, condition, now),
    conditions,
  ) as Conditions;
}

/** The condition of scores is removed when the weights are no longer scores. */
function withoutOutdated({ conditions = [] }: ElasticStatus, next: readonly Condition[]): ElasticStatus {
  const isScored = next.some(({ type }) => type === SCORES_MISSING);
  return { conditions: isScored ? conditions : conditions.filter(({ type }) => type !== SCORES_MISSING) };
}

/** Other fields keep their last values, because nothing on managed clusters changes. */
export function rejectedStatus(
  elastic: ElasticWorkload,
  { reason, message }: TargetRejection,
  now: Instant,
): ElasticStatus {
  const rejected = ['Accepted', 'Balanced'].map((type) => ({ type, status: 'False', reason, message }) as const);
  return {
    ...elastic.status,
    observedGeneration: elastic.generation,
    conditions: withConditions(elastic.status, rejected, now),
  };
}

/** Events about changes in this reconcile, for example a learned capacity limit. */
export function eventsOf(
  { observations, share }: Balance,
  memory: ReconcilerState | undefined,
  now: Instant,
): readonly ObjectEvent[] {
  return [...observations].flatMap(([cluster, { cap, pin, failures = 0 }]): ObjectEvent[] => {
    const before = ownValue(memory?.observations, cluster);
    const id = `${cluster}.${now.toString(36)}`;
    if (pin !== undefined && pin !== before?.pin)
      return [
        {
          type: 'Normal',
          reason: 'ScaledOnManagedCluster',
          message: `${cluster} was scaled to ${pin} on the cluster; this number is kept`,
          id,
        },
      ];
    if (cap === undefined || failures === (before?.failures ?? 0)) return [];
    const message = `${cluster} runs ${cap.replicas} of ${share.get(cluster) ?? 0}; other clusters borrow the rest until ${toTimestamp(cap.until)}`;
    return [{ type: 'Warning', reason: 'ReplicasBorrowed', message, id }];
  });
}
