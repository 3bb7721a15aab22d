import { Duration } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { SentMetrics } from '../../infra/constructs/metrics.ts';
import type { MetricName } from '../../shared/core/metrics.ts';
import { StrictTelemetry } from '../fakes/strict-telemetry.ts';

describe('the metrics that functions send', () => {
  const sent = new SentMetrics('staging');

  it('of all hubs together have the name of the deployment as their only dimension', () => {
    const { metricName, namespace, statistic, dimensions } =
      sent.total('HookRejected').toMetricConfig().metricStat ?? {};
    expect([namespace, metricName, statistic]).toEqual(['Evenkeel', 'HookRejected', 'Sum']);
    expect(dimensions).toEqual([{ name: 'service', value: 'staging' }]);
  });

  it('by hub are found by a query, those of this deployment only and the highest first', () => {
    const { expression, period, usingMetrics } = sent.by('hub', 'EstimatorsSilent', Duration.minutes(7));
    expect(expression).toBe(
      'SELECT SUM("EstimatorsSilent") FROM "Evenkeel" WHERE "service" = \'staging\' GROUP BY "hub" ORDER BY SUM() DESC',
    );
    expect([period.toMinutes(), usingMetrics]).toEqual([7, {}]);
  });

  it('on a graph are the twenty highest', () => {
    expect(sent.highest('event', 'DeadLetters').expression).toMatch(
      / GROUP BY "event" ORDER BY SUM\(\) DESC LIMIT 20$/,
    );
  });
});

describe('telemetry of a simulated world', () => {
  const telemetry = () => new StrictTelemetry({ now: () => 0, after: () => () => undefined });

  it.each<[string, string, Record<string, string>]>([
    ['a metric that nothing reads', 'Other', {}],
    ['a metric without its dimension', 'ReductionsHeld', {}],
    ['a metric with a dimension more', 'HookRejected', { hub: 'h' }],
    ['a metric of a dimension that it does not have', 'SchedulesPublished', { hub: 'h' }],
    ['an empty dimension', 'ReductionsHeld', { hub: '' }],
  ])('rejects %s', (_, metric, dimensions) => {
    expect(() => telemetry().count(metric as MetricName, 1, dimensions)).toThrow(metric);
  });

  it('takes a metric with each of its sets of dimensions', () => {
    const subject = telemetry();
    subject.count('DeadLetters', 1);
    subject.count('DeadLetters', 2, { event: 'ResyncDue' });
    expect(subject.counts.get('DeadLetters')).toBe(3);
  });

  it('rejects a line without the fields of its code', () => {
    expect(() => telemetry().outcome('EK321', { hub: 'h', policy: '' })).toThrow(
      'EK321 is logged without policy, error',
    );
    telemetry().outcome('EK321', { hub: 'h', policy: 'p', error: 'e' });
  });
});
