import { describe, expect, it } from 'vitest';
import { PrometheusMetrics } from '../../../shared/core/prometheus-metrics.ts';

const definitions = {
  moves_total: { type: 'counter', help: 'Moves.' },
  leader: { type: 'gauge', help: 'One \\ line,\nand another.' },
} as const;

describe('the text format of Prometheus', () => {
  it('has the sum of each set of labels, in any order of the labels', () => {
    const metrics = new PrometheusMetrics(definitions);
    metrics.add('moves_total', 2, { hub: 'b', event: 'x' });
    metrics.add('moves_total', 3, { event: 'x', hub: 'b' });
    metrics.add('moves_total', 1, { hub: 'a', event: 'x' });
    expect(metrics.text()).toBe(
      [
        '# HELP moves_total Moves.',
        '# TYPE moves_total counter',
        'moves_total{event="x",hub="a"} 1',
        'moves_total{event="x",hub="b"} 5',
        '',
      ].join('\n'),
    );
  });

  it('has the last value of a gauge, and no metric without a sample', () => {
    const metrics = new PrometheusMetrics(definitions);
    expect(metrics.text()).toBe('');
    metrics.set('leader', 1);
    metrics.set('leader', 0);
    expect(metrics.text()).toBe('# HELP leader One \\\\ line,\\nand another.\n# TYPE leader gauge\nleader 0\n');
  });

  it('escapes quotes, backslashes and line ends in labels', () => {
    const metrics = new PrometheusMetrics(definitions);
    metrics.add('moves_total', 1, { hub: 'a"b\\c\nd' });
    expect(metrics.text().split('\n')[2]).toBe('moves_total{hub="a\\"b\\\\c\\nd"} 1');
  });
});
