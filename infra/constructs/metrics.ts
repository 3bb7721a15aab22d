/** The metrics that the functions send: in CloudWatch each set of dimensions is a separate metric. */
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { catalogue, type EventType } from '../../shared/bus/catalogue.ts';
import { routes } from '../../shared/bus/routes.ts';
import type { MetricName } from '../../shared/core/metrics.ts';
import { FIVE_MINUTES } from './alarms.ts';

const consumed: readonly EventType[] = [...new Set(routes.flatMap(({ consumes }) => consumes))];
/** Recurring events expire; they never become dead letters. */
export const recurringEvents = consumed.filter((type) => recurs(type));
export const consumedEvents = consumed.filter((type) => !recurs(type));

function recurs(type: EventType): boolean {
  return catalogue[type].recurs === true;
}

/** The metrics of one deployment: its name is the dimension `service`, so that two deployments in an account share none. */
export class SentMetrics {
  readonly #deployment: string;

  constructor(deployment: string) {
    this.#deployment = deployment;
  }

  overdue(hub: string): IMetric {
    return this.#sent('ReschedulingOverdue', { hub });
  }

  /** Dead letters of functions, by event; undefined for messages that are no event. */
  deadLetters(event: EventType | undefined): IMetric {
    return this.#sent('DeadLetters', event === undefined ? {} : { event });
  }

  /** Dropped recurring events of all types: the log names them. */
  expired(): IMetric {
    return this.#sent('SchedulesExpired', {});
  }

  /** Completed comparisons in one resync interval, of the hub with the fewest. Missing data of a hub counts as 0. */
  leastCompared(hubs: readonly string[], resyncMinutes: number): IMetric {
    const period = Duration.minutes(resyncMinutes);
    const usingMetrics = Object.fromEntries(
      hubs.map((hub, i) => [`m${i}`, this.#sent('HubsCompared', { hub }).with({ period })] as const),
    );
    const filled = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
    return new MathExpression({ expression: `MIN([${filled.join(', ')}])`, usingMetrics, period });
  }

  /** Actions of the descheduler on a hub, and what limited them. */
  readonly descheduling = {
    taken: (hub: string) => this.#sent('ReplicasDescheduled', { hub }),
    withheld: (hub: string) => this.#sent('ReplicasWithheld', { hub }),
    silent: (hub: string) => this.#sent('EstimatorsSilent', { hub }),
  } as const;

  /** Moves by RebalancePolicies on a hub, and stopped runs. */
  readonly policies = {
    moved: (hub: string) => this.#sent('ReplicasMovedByPolicies', { hub }),
    stopped: (hub: string) => this.#sent('PolicyRunsStopped', { hub }),
  } as const;

  /** Bindings with held reductions, released reductions, and those released before their replacement was ready. */
  readonly reductions = {
    held: (hub: string) => this.#sent('ReductionsHeld', { hub }),
    released: (hub: string) => this.#sent('ReductionsReleased', { hub }),
    late: (hub: string) => this.#sent('ReductionsReleasedLate', { hub }),
    /** Held beyond the grace period. One metric for all hubs: one alarm per hub would exceed the limits of a stack. */
    overdue: () => this.#sent('ReductionsOverdue', {}),
  } as const;

  /** Borrowed replicas of ElasticWorkloads, and those without a cluster; each reconcile adds its own. */
  readonly elastic = {
    borrowed: (hub: string) => this.#sent('ElasticReplicasBorrowed', { hub }),
    /** One metric for all hubs: one alarm per hub would exceed the limits of a stack. */
    unplaced: () => this.#sent('ElasticReplicasUnplaced', {}),
  } as const;

  rejected(): IMetric {
    return this.#sent('HookRejected', {});
  }

  /** Items of a hub's batches that are no audit events. */
  unreadableEvents(hub: string): IMetric {
    return this.#sent('AuditEventsUnreadable', { hub });
  }

  /** Log data that could not be decompressed, or assigned to a hub. */
  unreadableLogs(): IMetric {
    return this.#sent('AuditLogsUnreadable', {});
  }

  #sent(metricName: MetricName, dimensions: Readonly<Record<string, string>>): Metric {
    return new Metric({
      namespace: 'Evenkeel',
      metricName,
      dimensionsMap: { service: this.#deployment, ...dimensions },
      period: FIVE_MINUTES,
      statistic: 'sum',
    });
  }
}
