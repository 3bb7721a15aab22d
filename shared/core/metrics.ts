/** The metrics that functions publish to CloudWatch, namespace `Evenkeel`, dimension `service` = the name of the deployment. */

interface MetricDefinition {
  /** Each set of dimensions, besides `service`, is a metric of its own for CloudWatch. */
  readonly dimensions: readonly (readonly ('hub' | 'event')[])[];
  /** The alarm on it, by its section of docs/operations/runbook.md; or the reason that it has none. */
  readonly alarm: { readonly section: string } | { readonly none: string };
}

const perHub = [['hub']] as const;
const total = [[]] as const;
const normalWork = { none: 'it counts normal work, and is on the dashboard' } as const;

export const metrics = {
  /** Bindings that the scheduler has not acted on in time. */
  ReschedulingOverdue: { dimensions: perHub, alarm: { section: 'rescheduling-overdue' } },
  /** Messages that a function moved to a dead-letter queue, by their event; without the dimension: messages that are no event. */
  DeadLetters: { dimensions: [[], ['event']], alarm: { section: 'dead-letters' } },
  /** Events of schedules that failed on every delivery and were dropped; without the dimension: the one that concerns no hub. */
  SchedulesExpired: { dimensions: [[], ['hub']], alarm: { section: 'expired-schedules' } },
  /** Hubs that were due for a comparison with their tasks, and whose last one is too long ago. */
  HubsNotCompared: { dimensions: perHub, alarm: { section: 'silent-resync' } },
  /** Invocations that published the recurring events of all hubs that were due. */
  SchedulesPublished: { dimensions: total, alarm: { section: 'silent-resync' } },
  /** Replicas that the descheduler removed from a cluster. */
  ReplicasDescheduled: { dimensions: perHub, alarm: normalWork },
  /** Replicas that the descheduler left in place because of a limit. */
  ReplicasWithheld: { dimensions: perHub, alarm: { none: 'the limit is the user’s own; it is on the dashboard' } },
  /** Estimators that did not answer. */
  EstimatorsSilent: { dimensions: perHub, alarm: { section: 'silent-estimators' } },
  /** Replicas that runs of RebalancePolicies moved to another cluster. */
  ReplicasMovedByPolicies: { dimensions: perHub, alarm: normalWork },
  /** Of each workload that a policy by price moved: its savings divided by its disruption, in percent. */
  ScoreOfMovesByPrice: { dimensions: perHub, alarm: { none: 'minScore of the policy is its lower limit' } },
  /** Runs of RebalancePolicies that were stopped because a wave was not ready in time. */
  PolicyRunsStopped: { dimensions: perHub, alarm: { section: 'stopped-policies' } },
  /** Bindings that hold a replica reduction. */
  ReductionsHeld: { dimensions: perHub, alarm: normalWork },
  /** Reductions that were released, for any reason. */
  ReductionsReleased: { dimensions: perHub, alarm: normalWork },
  /** Reductions that were released at the end of their grace period, before their replacement was ready. */
  ReductionsReleasedLate: { dimensions: perHub, alarm: { section: 'late-reductions' } },
  /** Reductions that are held after the end of their grace period. */
  ReductionsOverdue: { dimensions: perHub, alarm: { section: 'overdue-reductions' } },
  /** Replicas of ElasticWorkloads that run on another cluster than their own. */
  ElasticReplicasBorrowed: { dimensions: perHub, alarm: normalWork },
  /** Replicas of ElasticWorkloads that no cluster takes. */
  ElasticReplicasUnplaced: { dimensions: perHub, alarm: { section: 'unplaced-replicas' } },
  /** Calls of the hook without valid credentials. */
  HookRejected: { dimensions: total, alarm: { none: 'the alarm on 4xx responses of the hook counts them too' } },
  /** Items of a hub's batches that are no audit events. */
  AuditEventsUnreadable: { dimensions: perHub, alarm: { section: 'unreadable-audit-events' } },
  /** Deliveries of log groups that can't be unpacked, or belong to no hub. */
  AuditLogsUnreadable: { dimensions: total, alarm: { section: 'unreadable-audit-events' } },
  /** Of each objective, the events that kept it and those that missed it (shared/core/objectives.ts). */
  TriggersInTime: { dimensions: total, alarm: { section: 'objective-triggers' } },
  TriggersLate: { dimensions: total, alarm: { section: 'objective-triggers' } },
  ReschedulingsInTime: { dimensions: total, alarm: { section: 'objective-rescheduling' } },
  ReschedulingsLate: { dimensions: total, alarm: { section: 'objective-rescheduling' } },
  MovesWithoutLoss: { dimensions: total, alarm: { section: 'objective-readiness' } },
  MovesWithLoss: { dimensions: total, alarm: { section: 'objective-readiness' } },
  HoldsInTime: { dimensions: total, alarm: { section: 'objective-holds' } },
  HoldsLate: { dimensions: total, alarm: { section: 'objective-holds' } },
  ComparisonsInTime: { dimensions: total, alarm: { section: 'objective-comparisons' } },
  ComparisonsLate: { dimensions: total, alarm: { section: 'objective-comparisons' } },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof metrics;
