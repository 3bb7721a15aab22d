/** The metrics that the functions send: in CloudWatch each set of dimensions is a separate metric, and a query finds those of all hubs. */
import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../../shared/core/metrics.ts';
import { FIVE_MINUTES } from './alarms.ts';

/** CloudWatch's maximum for an alarm on an expression. */
const METRICS_OF_AN_EXPRESSION = 10;

/** The metrics of one deployment: its name is the dimension `service`, so that two deployments in an account share none. */
export class SentMetrics {
  readonly #deployment: string;

  constructor(deployment: string) {
    this.#deployment = deployment;
  }

  /** Of all hubs together. */
  total(metricName: MetricName): Metric {
    return new Metric({
      namespace: 'Evenkeel',
      metricName,
      dimensionsMap: { service: this.#deployment },
      period: FIVE_MINUTES,
      statistic: 'sum',
    });
  }

  /**
   * A time series for each hub, or each event, that sent the metric: each is a contributor of an alarm, with a state of its own. The highest are
   * first, because CloudWatch returns at most 500. Metrics without the dimension are one series, `Other`.
   */
  by(dimension: 'hub' | 'event', metric: MetricName, period: Duration = FIVE_MINUTES): MathExpression {
    return this.#query(dimension, metric, { period });
  }

  /** As many as a graph can show. */
  highest(dimension: 'hub' | 'event', metric: MetricName): MathExpression {
    return this.#query(dimension, metric, { period: FIVE_MINUTES, limit: 20 });
  }

  #query(
    dimension: 'hub' | 'event',
    metric: MetricName,
    { period, limit }: { readonly period: Duration; readonly limit?: number },
  ): MathExpression {
    const expression = [
      `SELECT SUM("${metric}") FROM "Evenkeel" WHERE "service" = '${this.#deployment}'`,
      `GROUP BY "${dimension}" ORDER BY SUM() DESC${limit === undefined ? '' : ` LIMIT ${limit}`}`,
    ].join(' ');
    return new MathExpression({ expression, usingMetrics: {}, period, label: metric });
  }
}

/** Metrics with the names of what they are about. */
export type NamedMetrics = readonly { readonly name: string; readonly metric: IMetric }[];

/**
 * The highest of several metrics, in as few alarms as CloudWatch allows. A query could not select them: its conditions can't be joined by OR. Missing
 * data of one counts as 0.
 */
export function highestOf(
  metrics: NamedMetrics,
): readonly { readonly names: readonly string[]; readonly metric: IMetric }[] {
  return Array.from({ length: Math.ceil(metrics.length / METRICS_OF_AN_EXPRESSION) }, (_, i) => {
    const part = metrics.slice(i * METRICS_OF_AN_EXPRESSION, (i + 1) * METRICS_OF_AN_EXPRESSION);
    const usingMetrics = Object.fromEntries(part.map(({ metric }, place) => [`m${place}`, metric]));
    const filled = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
    const expression = `MAX([${filled.join(', ')}])`;
    return {
      names: part.map(({ name }) => name),
      metric: new MathExpression({ expression, usingMetrics, period: FIVE_MINUTES }),
    };
  });
}
