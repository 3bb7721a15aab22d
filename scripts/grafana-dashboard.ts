/** The Grafana dashboard of what bridges and local runs serve at /metrics, generated from the tables of their series. */
import { bridgeSeries } from '../bridge/bridge-metrics.ts';
import { counterOf, localSeries, OUTCOMES } from '../local/telemetry.ts';
import { type MetricName, metrics } from '../shared/core/metrics.ts';
import { type Objective, objectives } from '../shared/core/objectives.ts';

interface DashboardPanel {
  readonly title: string;
  readonly description: string;
  readonly query: string;
  readonly legend: string;
  readonly unit: 'short' | 's';
}

const COLUMNS = 3;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 7;
const RUNBOOK = 'docs/operations/runbook.md';
const datasource = { type: 'prometheus', uid: '${datasource}' };

/** Its sum over moves has no meaning without their number. */
const withoutPanel: readonly MetricName[] = ['ScoreOfMovesByPrice'];

/** Of a counter, in each interval of the graph. */
function increase(series: string, by: readonly string[]): Pick<DashboardPanel, 'query' | 'legend' | 'unit'> {
  const where = by.includes('hub') ? '{hub=~"$hub"}' : '';
  const grouping = by.length === 0 ? '' : ` by (${by.join(', ')})`;
  return {
    query: `sum${grouping} (increase(${series}${where}[$__rate_interval]))`,
    legend: by.map((label) => `{{${label}}}`).join(' ') || 'all',
    unit: 'short',
  };
}

function panelOf(name: MetricName): DashboardPanel {
  const { dimensions, alarm } = metrics[name];
  const series = counterOf(name);
  const advice = 'section' in alarm ? `Above 0: ${RUNBOOK}, section ${alarm.section}.` : `No alarm: ${alarm.none}.`;
  return {
    title: words(name),
    description: `${localSeries[series]?.help ?? ''} ${advice}`,
    ...increase(series, [...new Set(dimensions.flat())]),
  };
}

/** "Replicas descheduled". */
function words(name: MetricName): string {
  const text = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Events that kept and that missed the objective. */
function objectivePanels({ title, kept, missed, target, section }: Objective) {
  return [kept, missed].map((name) => ({
    ...panelOf(name),
    title: `${title}: ${name === kept ? 'kept' : 'missed'}`,
    description: `${localSeries[counterOf(name)]?.help ?? ''} ${target} % of both are to be kept: ${RUNBOOK}, section ${section}.`,
  }));
}

const ofObjectives: readonly MetricName[] = Object.values(objectives).flatMap(({ kept, missed }) => [kept, missed]);
const names = (Object.keys(metrics) as MetricName[]).filter(
  (name) => !withoutPanel.includes(name) && !ofObjectives.includes(name),
);
const hasAlarm = (name: MetricName) => 'section' in metrics[name].alarm;
const outcomes = localSeries[OUTCOMES]?.help ?? '';

const rows: readonly { readonly title: string; readonly panels: readonly DashboardPanel[] }[] = [
  {
    title: 'Functions (local run)',
    panels: [
      { title: 'Outcomes by level', description: outcomes, ...increase(OUTCOMES, ['level']) },
      {
        title: 'Outcomes by code',
        description: `${outcomes} Codes are the reference of the log lines.`,
        ...increase(OUTCOMES, ['code']),
      },
    ],
  },
  { title: 'Objectives (local run)', panels: Object.values(objectives).flatMap(objectivePanels) },
  { title: 'Problems (local run)', panels: names.filter(hasAlarm).map(panelOf) },
  { title: 'Work (local run)', panels: names.filter((name) => !hasAlarm(name)).map(panelOf) },
  {
    title: 'Bridges',
    panels: [
      {
        title: 'Leaders',
        description: `${bridgeSeries.evenkeel_bridge_leader.help} The sum of the bridges of a hub is 1.`,
        query: 'sum by (hub) (evenkeel_bridge_leader{hub=~"$hub"})',
        legend: '{{hub}}',
        unit: 'short',
      },
      bridgePanel('Events published', 'evenkeel_bridge_events_published_total', ['hub', 'kind']),
      {
        title: 'Time since the last published event',
        description: bridgeSeries.evenkeel_bridge_last_published_timestamp_seconds.help,
        query: 'time() - max by (hub, kind) (evenkeel_bridge_last_published_timestamp_seconds{hub=~"$hub"})',
        legend: '{{hub}} {{kind}}',
        unit: 's',
      },
      bridgePanel('Watches begun', 'evenkeel_bridge_watches_begun_total', ['hub', 'kind']),
      bridgePanel('Failures', 'evenkeel_bridge_failures_total', ['hub', 'kind', 'reason']),
    ],
  },
];

function bridgePanel(title: string, series: keyof typeof bridgeSeries, by: readonly string[]): DashboardPanel {
  return { title, description: bridgeSeries[series].help, ...increase(series, by) };
}

/** Rows and panels with their places: three panels beside each other. */
function placedPanels(): readonly object[] {
  const placed: object[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    placed.push({ id: placed.length + 1, type: 'row', title, collapsed: false, gridPos: at(0, y, 24, 1), panels: [] });
    y += 1;
    for (const [i, panel] of panels.entries()) {
      const gridPos = at((i % COLUMNS) * WIDTH, y + Math.floor(i / COLUMNS) * HEIGHT, WIDTH, HEIGHT);
      placed.push({ id: placed.length + 1, ...timeSeries(panel), gridPos });
    }
    y += Math.ceil(panels.length / COLUMNS) * HEIGHT;
  }
  return placed;
}

function at(x: number, y: number, ...[w, h]: readonly [number, number]): object {
  return { x, y, w, h };
}

function timeSeries({ title, description, query, legend, unit }: DashboardPanel): object {
  return {
    type: 'timeseries',
    title,
    description: description.trim(),
    datasource,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: [{ refId: 'A', datasource, expr: query, legendFormat: legend }],
  };
}

/** As Grafana imports it: with a variable for the data source, and one for the hub. */
export function grafanaDashboard(): object {
  const hub = {
    ...{ name: 'hub', label: 'Hub', type: 'query', datasource, refresh: 2, sort: 1, multi: true, includeAll: true },
    // Also what concerns no hub: a series without the label matches.
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
    query: { query: 'label_values({__name__=~"evenkeel_.+"}, hub)', refId: 'hub' },
  };
  return {
    title: 'Evenkeel',
    uid: 'evenkeel',
    tags: ['evenkeel'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }, hub] },
    panels: placedPanels(),
  };
}
