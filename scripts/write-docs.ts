/** Generates docs from the tables of events, functions, settings and metrics, and from benchmark results. `--check` writes nothing and fails if a file is outdated. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { RESULTS, readResults } from '../bench/results.ts';
import { program } from '../cli/main.ts';
import { catalogue, type EventType } from '../shared/bus/catalogue.ts';
import { type FunctionDefinition, type FunctionName, functionNames, functions } from '../shared/bus/functions.ts';
import { routes } from '../shared/bus/routes.ts';
import { deploymentSchedule, hubSchedules } from '../shared/bus/schedules.ts';
import { burnRates, OBJECTIVE_DAYS, objectives } from '../shared/core/objectives.ts';
import { environmentName, settingDefinitions, settingNames } from '../shared/core/settings.ts';
import { manifestsOf } from '../shared/manifests/parts.ts';
import { parseTarget } from '../shared/manifests/target.ts';
import { apiReference } from './api-reference.ts';
import { costDoc, figuresBlock } from './bench-docs.ts';
import {
  decisionsBlock,
  firstTriggerBlock,
  historyQueriesBlock,
  holdsBlock,
  type NoticedResults,
  noticedBlock,
  reactionBlock,
  readmeFiguresBlock,
  rebalanceBlock,
  scaleFunctionsBlock,
  scalePlacementsBlock,
} from './bench-figures-docs.ts';
import { grafanaDashboard } from './grafana-dashboard.ts';
import { alarmsPage, metricsPage } from './metric-docs.ts';
import { monthlyBlock } from './monthly-cost-docs.ts';
import { openApi } from './openapi.ts';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function consumes(name: FunctionName): string {
  const definition: FunctionDefinition = functions[name];
  if (definition.invokedBy === 'logs') return "the log that a hub's `auditLogGroup` names";
  if (definition.invokedBy === 'console-api') return 'callers with `lambda:InvokeFunction`';
  if (definition.paths !== undefined) return definition.paths.map((path) => `\`POST ${path}\``).join(', ');
  return routes
    .flatMap((route) => (route.function === name ? route.consumes.map((type) => `\`${type}\``) : []))
    .join(', ');
}

function description(name: FunctionName): string {
  const { publishes: now, schedules }: FunctionDefinition = functions[name];
  return [...now.map((type) => `\`${type}\``), ...schedules.map((type) => `later \`${type}\``)].join(', ') || 'nothing';
}

const functionRows = functionNames.map((name) => {
  const { decides, writes } = functions[name];
  return [`[\`${name}.ts\`](${name}.ts)`, consumes(name), decides, writes, description(name)];
});

function producers(type: EventType): string {
  const names = functionNames.filter((name) => {
    const { publishes: now, schedules }: FunctionDefinition = functions[name];
    return [...now, ...schedules].includes(type);
  });
  const recurring = hubSchedules.find(({ publishes }) => publishes === type);
  const published = names.map((name) =>
    name === 'resync/publish-due' && recurring ? `\`${name}\` (each hub ${recurring.every})` : `\`${name}\``,
  );
  const scheduled = deploymentSchedule.publishes === type ? [`the schedule (${deploymentSchedule.every})`] : [];
  return [...published, ...scheduled].join(', ');
}

const events = `# Events

\`npm run docs\` generates this page from \`shared/bus\`. Functions and schedules publish with source \`evenkeel\`, the bridge of a hub with
\`evenkeel.hub.NAME\`: its events are accepted only if hubs report their type and \`detail.hub\` is NAME. A detail carries keys, never state:
each function reads the hub again. Every detail has a \`version\`.

${(Object.keys(catalogue) as EventType[])
  .map((type) => {
    const consumedBy = routes
      .filter(({ consumes }) => (consumes as readonly EventType[]).includes(type))
      .map((route) => `\`${route.function}\` (queue \`${route.name}\`)`);
    const fields = Object.keys((catalogue[type].schema as unknown as { def: { shape: object } }).def.shape);
    return `## ${type}\n\n${catalogue[type].description}\n\n- version ${catalogue[type].version}; detail: ${fields.map((field) => `\`${field}\``).join(', ') || 'empty'}\n- published by ${'external' in catalogue[type] ? 'AWS, users and their tools' : producers(type)}\n- consumed by ${consumedBy.join(', ')}\n`;
  })
  .join('\n')}`;

const settings = table(
  ['setting', 'meaning', 'unit', 'default', 'range', 'read by', 'environment'],
  settingNames.map((name) => {
    const { description: text, unit, default: fallback, min, max, readBy } = settingDefinitions[name];
    return [
      `\`${name}\``,
      text,
      unit,
      String(fallback),
      `${min} to ${max}`,
      readBy.join(', '),
      `\`${environmentName(name)}\``,
    ];
  }),
);

const objectiveRows = Object.values(objectives).map(({ title, event, target, kept, missed, section }) => [
  title,
  event,
  `${target} %`,
  `\`${kept}\`, \`${missed}\``,
  `[${section}](runbook.md#${section})`,
]);

const burnRateRows = burnRates.map(({ burn, longMinutes, shortMinutes }) => {
  const used = (100 * burn * longMinutes) / (OBJECTIVE_DAYS * 24 * 60);
  return [String(burn), `${longMinutes} min`, `${shortMinutes} min`, `${Number(used.toFixed(1))} % in the long window`];
});

const example = parseTarget({ hub: 'karmada', account: 'evenkeel/evenkeel', url: 'https://hook.example' });

/** Rows of executable commands, without groups of commands. */
function commandRows(command: ReturnType<typeof program>, path = command.name()): readonly (readonly string[])[] {
  if (command.commands.length > 0)
    return command.commands.flatMap((each) => commandRows(each, `${path} ${each.name()}`));
  return [[`\`${path} ${command.usage()}\``, command.description()]];
}

const results = await readResults(RESULTS);

function resultOf(name: string): (typeof results)[number] {
  const found = results.find(({ bench }) => bench === name);
  if (found === undefined) throw new Error(`bench/results/${name}.json is missing; run: npm run bench -- ${name}`);
  return found;
}

interface Section {
  readonly file: string;
  /** The lines before and after the generated part. */
  readonly open: string;
  readonly close: string;
  readonly body: string;
}

function marked(file: string, marker: string, body: string): Section {
  return { file, open: `<!-- ${marker} -->`, close: `<!-- /${marker} -->`, body };
}

const noticed: NoticedResults = {
  moved: resultOf('moved'),
  ready: resultOf('ready'),
  reaction: resultOf('reaction'),
  cost: resultOf('function-cost'),
};

const sections: readonly Section[] = [
  marked('docs/proof/tests.md', 'rebalance', rebalanceBlock(resultOf('rebalance'), table)),
  marked('docs/proof/tests.md', 'first-trigger', firstTriggerBlock(resultOf('rebalance'), table)),
  marked('docs/guides/scheduler.md', 'decisions', decisionsBlock(resultOf('scheduling'), table)),
  marked('docs/proof/tests.md', 'reaction', reactionBlock(resultOf('reaction'), table)),
  marked('docs/proof/tests.md', 'holds', holdsBlock(resultOf('admission'), table)),
  marked('docs/proof/scale.md', 'functions', scaleFunctionsBlock(resultOf('scale'), table)),
  marked('docs/proof/scale.md', 'placements', scalePlacementsBlock(resultOf('scale'), table)),
  marked('docs/guides/history.md', 'queries', historyQueriesBlock(resultOf('history'), table)),
  marked('docs/reference/cli.md', 'commands', table(['command', 'what it does'], commandRows(program()))),
  marked('docs/reference/settings.md', 'settings', settings),
  marked(
    'docs/operations/objectives.md',
    'objectives',
    table(['objective', 'one event, and when it is kept', 'target', 'metrics', 'runbook'], objectiveRows),
  ),
  marked(
    'docs/operations/objectives.md',
    'burn-rates',
    table(['burn rate', 'long window', 'short window', 'of the error budget'], burnRateRows),
  ),
  marked('docs/proof/benchmarks.md', 'noticed', noticedBlock(noticed, table)),
  marked('docs/proof/benchmarks.md', 'figures', figuresBlock(results, table)),
  marked('README.md', 'noticed', readmeFiguresBlock(noticed, table)),
  marked(
    'README.md',
    'story',
    ['```text', readFileSync('test/stories/golden/failback.txt', 'utf8').trimEnd(), '```'].join('\n'),
  ),
  marked(
    'functions/README.md',
    'functions',
    table(['file', 'consumes', 'decides', 'writes', 'publishes'], functionRows),
  ),
  marked(
    'docs/start/connect-a-hub.md',
    'rbac',
    ['```yaml', manifestsOf(example, ['rbac']).trimEnd(), '```'].join('\n'),
  ),
];

/** The expected content of each generated file. */
function expected(): Map<string, string> {
  const files = new Map([
    ['docs/reference/events.md', events],
    ['docs/reference/api-reference.md', apiReference(table)],
    ['docs/reference/metrics.md', metricsPage(table)],
    ['docs/reference/alarms.md', alarmsPage(table, readFileSync('docs/operations/runbook.md', 'utf8'))],
    [
      'docs/operations/cost.md',
      costDoc(
        resultOf('function-cost'),
        table,
        monthlyBlock(resultOf('monthly-cost'), resultOf('history-cost'), table),
      ),
    ],
    ['docs/reference/grafana-dashboard.json', `${JSON.stringify(grafanaDashboard(), undefined, 2)}\n`],
    ['docs/reference/openapi.json', `${JSON.stringify(openApi(), undefined, 2)}\n`],
  ]);
  for (const { file, open, close, body } of sections) {
    const text = files.get(file) ?? readFileSync(file, 'utf8');
    const from = text.indexOf(`${open}\n`);
    const to = text.indexOf(`\n${close}\n`, from + open.length);
    if (from < 0 || to < 0) throw new Error(`${file} has no lines ${open} and ${close}`);
    files.set(file, `${text.slice(0, from + open.length)}\n${body}${text.slice(to)}`);
  }
  return files;
}

const behind = [...expected()].filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
if (process.argv.includes('--check')) {
  for (const [file] of behind) console.error(`${file} is outdated; run: npm run docs`);
  process.exit(behind.length === 0 ? 0 : 1);
}
for (const [file, text] of behind) writeFileSync(file, text);
console.log(`docs: ${behind.length} of ${expected().size} files written`);
