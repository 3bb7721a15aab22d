/** The Grafana dashboard: each series that it queries is one that /metrics serves, with the labels that it groups by. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BridgeMetrics, bridgeSeries } from '../../bridge/bridge-metrics.ts';
import { LocalTelemetry, localSeries } from '../../local/telemetry.ts';
import { createVirtualClock } from '../../local/virtual-clock.ts';
import { grafanaDashboard } from '../../scripts/grafana-dashboard.ts';
import { type MetricName, metrics } from '../../shared/core/metrics.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { panels } = JSON.parse(readFileSync('docs/reference/grafana-dashboard.json', 'utf8')) as {
  panels: readonly Panel[];
};
const graphs = panels.filter(({ type }) => type !== 'row');
const queries = graphs.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const seriesIn = (query: string) => query.match(/\bevenkeel_\w+/g) ?? [];

/** What both serve at /metrics when each series has a sample. */
function served(): string {
  const telemetry = new LocalTelemetry(createVirtualClock('2026-11-21T10:00:00Z'));
  telemetry.outcome('EK000', { hub: 'karmada' });
  for (const [name, { dimensions }] of Object.entries(metrics))
    for (const labels of dimensions)
      telemetry.count(name as MetricName, 1, Object.fromEntries(labels.map((label) => [label, 'x'])));
  const log = { outcome: () => undefined, count: () => undefined, begin: () => undefined };
  const bridge = new BridgeMetrics({ hub: 'karmada', log, now: () => 0 });
  bridge.outcome('EK400', { hub: 'karmada', kind: 'Cluster', events: 1 });
  bridge.outcome('EK401', { hub: 'karmada', kind: 'Cluster' });
  bridge.outcome('EK402', { hub: 'karmada', kind: 'Cluster', reason: 'Timeout' });
  return telemetry.prometheus() + bridge.text();
}

describe('the Grafana dashboard', () => {
  it('in docs is the generated one', () => {
    expect(JSON.parse(readFileSync('docs/reference/grafana-dashboard.json', 'utf8'))).toEqual(grafanaDashboard());
  });

  it('queries only series that /metrics serves, by labels that they have', () => {
    const lines = served().split('\n');
    expect(queries.length).toBeGreaterThan(20);
    for (const query of queries) {
      const [series = ''] = seriesIn(query);
      const samples = lines.filter((line) => line.startsWith(`${series}{`) || line.startsWith(`${series} `));
      expect([query, samples.length > 0]).toEqual([query, true]);
      const labels = /by \(([^)]*)\)/.exec(query)?.[1]?.split(', ') ?? [];
      for (const label of labels)
        expect([query, samples.some((line) => line.includes(`${label}="`))]).toEqual([query, true]);
    }
  });

  it('has a panel for every series, except for the score of moves, of which the sum has no meaning', () => {
    const all = [...Object.keys(localSeries), ...Object.keys(bridgeSeries)];
    const shown = new Set(queries.flatMap(seriesIn));
    expect(all.filter((series) => !shown.has(series))).toEqual(['evenkeel_score_of_moves_by_price_total']);
  });

  it('has panels that do not overlap, with unique ids and titles', () => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  });

  it('names the section of the runbook for each metric with an alarm', () => {
    const sections: readonly string[] = readFileSync('docs/operations/runbook.md', 'utf8').match(/^## (.+)$/gm) ?? [];
    const named = graphs.flatMap(({ description = '' }) => /section ([\w-]+)\./.exec(description)?.[1] ?? []);
    const alarms = Object.values(metrics).filter(({ alarm }) => 'section' in alarm);
    expect(named).toHaveLength(alarms.length);
    expect(named.filter((section) => !sections.includes(`## ${section}`))).toEqual([]);
  });
});
