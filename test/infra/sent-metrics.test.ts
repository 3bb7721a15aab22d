import type { IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { describe, expect, it } from 'vitest';
import { SentMetrics } from '../../infra/constructs/metrics.ts';
import { type MetricName, metrics } from '../../shared/core/metrics.ts';
import { StrictTelemetry } from '../fakes/strict-telemetry.ts';

/** Name and dimensions of a metric, and of those that an expression reads. */
function keysOf(metric: IMetric): readonly string[] {
  const { metricStat, mathExpression } = metric.toMetricConfig();
  if (mathExpression !== undefined) return Object.values((metric as MathExpression).usingMetrics).flatMap(keysOf);
  const { metricName, namespace, statistic, dimensions = [] } = metricStat ?? {};
  const each = dimensions.map(({ name, value }) => `${name}=${String(value)}`);
  return [`${namespace}/${metricName} ${statistic} ${each.sort().join(' ')}`];
}

describe('the metrics that functions send', () => {
  const sent = new SentMetrics('staging');
  const { descheduling, policies, reductions, elastic } = sent;
  const all = [
    ...[sent.overdue('h'), sent.deadLetters(undefined), sent.deadLetters('ResyncDue'), sent.expired()],
    ...[sent.leastCompared(['h'], 5), sent.rejected(), sent.unreadableEvents('h'), sent.unreadableLogs()],
    ...[descheduling.taken('h'), descheduling.withheld('h'), descheduling.silent('h')],
    ...[policies.moved('h'), policies.stopped('h'), elastic.borrowed('h'), elastic.unplaced()],
    ...[reductions.held('h'), reductions.released('h'), reductions.late('h'), reductions.overdue()],
  ];
  const values: Readonly<Record<string, string>> = { hub: 'h', event: 'ResyncDue' };

  it('are read by the infrastructure with the dimensions that they are sent with, all of them', () => {
    const wanted = Object.entries(metrics).flatMap(([name, { dimensions }]) =>
      dimensions.map((set: readonly string[]) => {
        const each = [...set.map((dimension) => `${dimension}=${values[dimension]}`), 'service=staging'];
        return `Evenkeel/${name} Sum ${each.sort().join(' ')}`;
      }),
    );
    expect(all.flatMap(keysOf).sort()).toEqual(wanted.sort());
  });

  it('of a comparison are those of the hub that has the fewest, and 0 of one that is silent', () => {
    const { expression, period } = sent.leastCompared(['a', 'b'], 7) as MathExpression;
    expect([expression, period.toMinutes()]).toEqual(['MIN([FILL(m0, 0), FILL(m1, 0)])', 7]);
  });
});

describe('telemetry of a simulated world', () => {
  const telemetry = () => new StrictTelemetry({ now: () => 0, after: () => () => undefined });

  it.each<[string, string, Record<string, string>]>([
    ['a metric that nothing reads', 'Other', {}],
    ['a metric without its dimension', 'ReductionsHeld', {}],
    ['a metric with a dimension more', 'HookRejected', { hub: 'h' }],
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
