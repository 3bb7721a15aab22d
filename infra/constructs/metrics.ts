/** The numbers that the functions themselves send, as CloudWatch knows them: each set of dimensions is a metric of its own. */
import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { EventType } from '../../shared/events/catalogue.ts';
import { routes } from '../../shared/events/routes.ts';
import { FIVE_MINUTES } from './alarms.ts';

/** Powertools adds the dimension `service` to whatever dimensions a metric is sent with. */
function sent(metricName: string, dimensions: Readonly<Record<string, string>>): Metric {
  return new Metric({
    namespace: 'Evenkeel',
    metricName,
    dimensionsMap: { service: 'evenkeel', ...dimensions },
    period: FIVE_MINUTES,
    statistic: 'sum',
  });
}

export function overdueMetric(hub: string): IMetric {
  return sent('ReschedulingOverdue', { hub });
}

/** Messages that functions gave up, by their event; undefined for those that could not be read as any. */
export function deadLettersMetric(event: EventType | undefined): IMetric {
  return sent('DeadLetters', event === undefined ? {} : { event });
}

export const heardEvents: readonly EventType[] = [...new Set(routes.flatMap(({ hears }) => hears))];

/** What the descheduler did on a hub, and what kept it from doing more. */
export const descheduling = {
  taken: (hub: string) => sent('ReplicasDescheduled', { hub }),
  withheld: (hub: string) => sent('ReplicasWithheld', { hub }),
  silent: (hub: string) => sent('EstimatorsSilent', { hub }),
} as const;

/** What RebalancePolicies did on a hub, and runs that a wave brought to a stop. */
export const policies = {
  moved: (hub: string) => sent('ReplicasMovedByPolicies', { hub }),
  stopped: (hub: string) => sent('PolicyRunsStopped', { hub }),
} as const;

/** Bindings of which something is held, reductions that were released, and those of them whose replacement was not ready. */
export const reductions = {
  held: (hub: string) => sent('ReductionsHeld', { hub }),
  released: (hub: string) => sent('ReductionsReleased', { hub }),
  late: (hub: string) => sent('ReductionsReleasedLate', { hub }),
} as const;

/** Replicas of ElasticWorkloads that are lent, and those that no cluster takes; each look at one adds its own. */
export const elastic = {
  lent: (hub: string) => sent('ElasticReplicasLent', { hub }),
  /** Of all hubs together: an alarm a hub would be too many for one stack. */
  unplaced: () => sent('ElasticReplicasUnplaced', {}),
} as const;

export function refusedMetric(): IMetric {
  return sent('HookRefused', {});
}

/** Items of a hub's batches that are no audit events. */
export function unreadableEventsMetric(hub: string): IMetric {
  return sent('AuditEventsUnreadable', { hub });
}

/** What logs sent that could not even be unpacked, or told whose it is. */
export function unreadableLogsMetric(): IMetric {
  return sent('AuditLogsUnreadable', {});
}
