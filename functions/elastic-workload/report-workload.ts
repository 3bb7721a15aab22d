/** What people read of an ElasticWorkload: its status, and Events beside it. */
import { type Condition, withCondition } from '../../shared/model/condition.ts';
import type { Balance, Memory } from '../../shared/model/elastic-workload/balance-replicas.ts';
import {
  type ElasticWorkload,
  OWNER_LABEL,
  ownerLabel,
  workName,
} from '../../shared/model/elastic-workload/elastic-workload.ts';
import type { ElasticStatus } from '../../shared/model/elastic-workload/elastic-workload-schema.ts';
import type { Refusal } from '../../shared/model/elastic-workload/refusal.ts';
import type { Notice } from '../../shared/model/hub-event.ts';
import { sum } from '../../shared/model/sum.ts';
import { type Instant, toTimestamp } from '../../shared/model/time.ts';

/** What a look found, as the status says it. */
export interface Report {
  readonly conditions: readonly Condition[];
  readonly clusters: NonNullable<ElasticStatus['clusters']>;
  /** The clusters that have a work. */
  readonly works: readonly string[];
}

export function reportedStatus(
  elastic: ElasticWorkload,
  { conditions, clusters, works }: Report,
  now: Instant,
): ElasticStatus {
  const total = (of: (cluster: Report['clusters'][number]) => number) => sum(clusters.map(of));
  return {
    observedGeneration: elastic.generation,
    conditions: withConditions(elastic.status, conditions, now),
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

/** Everything else stays as it was reported: nothing on a spoke is touched. */
export function refusedStatus(elastic: ElasticWorkload, { reason, message }: Refusal, now: Instant): ElasticStatus {
  const refused = ['Accepted', 'Balanced'].map((type) => ({ type, status: 'False', reason, message }) as const);
  return {
    ...elastic.status,
    observedGeneration: elastic.generation,
    conditions: withConditions(elastic.status, refused, now),
  };
}

/** What was learned in this very look: a person sees why replicas go elsewhere. */
export function noticesOf({ sights, share }: Balance, memory: Memory | undefined, now: Instant): readonly Notice[] {
  return [...sights].flatMap(([cluster, { cap, pin, failures = 0 }]): Notice[] => {
    const before = memory?.sights[cluster];
    const id = `${cluster}.${now.toString(36)}`;
    if (pin !== undefined && pin !== before?.pin)
      return [
        {
          type: 'Normal',
          reason: 'ScaledOnSpoke',
          message: `${cluster} was scaled to ${pin} there, which is left so`,
          id,
        },
      ];
    if (cap === undefined || failures === (before?.failures ?? 0)) return [];
    const message = `${cluster} manages ${cap.replicas} of ${share.get(cluster) ?? 0}; the rest is lent to others until ${toTimestamp(cap.until)}`;
    return [{ type: 'Warning', reason: 'ReplicasLent', message, id }];
  });
}
