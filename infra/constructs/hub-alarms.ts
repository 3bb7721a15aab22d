/** The alarms on what functions send about a hub. */
import { SILENT_ESTIMATOR_PERIODS } from '../../shared/console-api/health-findings.ts';
import type { MetricName } from '../../shared/core/metrics.ts';
import type { AlarmProps } from './alarms.ts';

/** One alarm for a kind of fault, whatever the number of hubs: it names the hubs as its contributors. */
export const hubAlarms: readonly (Pick<AlarmProps, 'section' | 'description' | 'periods' | 'among'> & {
  readonly sends: MetricName;
})[] = [
  {
    section: 'unreadable-audit-events',
    sends: 'AuditEventsUnreadable',
    description: "A hub sends audit events that can't be read; what changed there is found by resync only.",
  },
  {
    section: 'expired-schedules',
    sends: 'SchedulesExpired',
    description:
      'A function could not handle a recurring event of a hub, after all deliveries, and dropped it: the next one repeats it.',
  },
  {
    section: 'rescheduling-overdue',
    sends: 'ReschedulingOverdue',
    description: 'The scheduler of a hub has not acted on triggers that were written long ago.',
  },
  {
    section: 'unplaced-replicas',
    sends: 'ElasticReplicasUnplaced',
    // Clusters without capacity are tried again every few minutes: then all replicas have a cluster, until their pods stay pending.
    description: 'For most of 25 minutes replicas of an ElasticWorkload have had no cluster.',
    periods: 3,
    among: 5,
  },
  {
    section: 'overdue-reductions',
    sends: 'ReductionsOverdue',
    description: 'A replica reduction is still held beyond its grace period: it was not released.',
  },
  {
    section: 'stopped-policies',
    sends: 'PolicyRunsStopped',
    description:
      'A RebalancePolicy of a hub was stopped: a wave was not ready in time, and no further wave starts automatically.',
  },
  {
    section: 'late-reductions',
    sends: 'ReductionsReleasedLate',
    description: 'Replicas on a hub were removed before their replacement was ready: their grace period was over.',
  },
  {
    section: 'silent-estimators',
    sends: 'EstimatorsSilent',
    description:
      'An estimator of a hub has not answered for a quarter of an hour: pending replicas in that cluster are not descheduled.',
    periods: SILENT_ESTIMATOR_PERIODS,
  },
];
