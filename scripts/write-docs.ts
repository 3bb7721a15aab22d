/** Writes what the tables say into the docs: events, functions, settings, and what the benches measured. `--check` writes nothing and fails where a file is behind. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { RESULTS, readResults } from '../bench/results.ts';
import { program } from '../cli/main.ts';
import { manifestsOf } from '../cli/manifests/parts.ts';
import { parseTarget } from '../cli/manifests/target.ts';
import { catalogue, type EventType } from '../shared/events/catalogue.ts';
import { hubClocks } from '../shared/events/clocks.ts';
import { routes } from '../shared/events/routes.ts';
import { type FunctionDefinition, type FunctionName, functionNames, functions } from '../shared/functions.ts';
import { environmentName, settingDefinitions, settingNames } from '../shared/settings.ts';
import { costDoc, figuresBlock } from './bench-docs.ts';
import { holdsBlock, reactionBlock, rebalanceBlock } from './bench-figures-docs.ts';
import { openApi } from './openapi.ts';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function hears(name: FunctionName): string {
  const definition: FunctionDefinition = functions[name];
  if (definition.invokedBy === 'logs') return "the log that a hub's `auditLogGroup` names";
  if (definition.invokedBy === 'operator') return 'whoever may invoke it';
  if (definition.paths !== undefined) return definition.paths.map((path) => `\`POST ${path}\``).join(', ');
  return routes
    .flatMap((route) => (route.function === name ? route.hears.map((type) => `\`${type}\``) : []))
    .join(', ');
}

function says(name: FunctionName): string {
  const { says: now, schedules }: FunctionDefinition = functions[name];
  return [...now.map((type) => `\`${type}\``), ...schedules.map((type) => `later \`${type}\``)].join(', ') || 'nothing';
}

const functionRows = functionNames.map((name) => {
  const { decides, writes } = functions[name];
  return { name, cells: [hears(name), decides, writes, says(name)] };
});

function producers(type: EventType): string {
  const names = functionNames.filter((name) => {
    const { says: now, schedules }: FunctionDefinition = functions[name];
    return [...now, ...schedules].includes(type);
  });
  const clocks = hubClocks.filter((clock) => clock.says === type).map(({ every }) => `the schedule (${every})`);
  return [...names.map((name) => `\`${name}\``), ...clocks].join(', ');
}

const events = `# Events

Made by \`npm run docs\` from \`shared/events\`. Every event goes over the bus with source \`evenkeel\`. Its detail carries keys, never
state: whoever hears it reads the hub again. \`version\` is in each detail.

${(Object.keys(catalogue) as EventType[])
  .map((type) => {
    const heardBy = routes
      .filter(({ hears }) => (hears as readonly EventType[]).includes(type))
      .map((route) => `\`${route.function}\` (queue \`${route.name}\`)`);
    const fields = Object.keys((catalogue[type].schema as unknown as { def: { shape: object } }).def.shape);
    return `## ${type}\n\n${catalogue[type].says}\n\n- version ${catalogue[type].version}; detail: ${fields.map((field) => `\`${field}\``).join(', ')}\n- said by ${producers(type)}\n- heard by ${heardBy.join(', ')}\n`;
  })
  .join('\n')}`;

const settings = table(
  ['setting', 'what it says', 'unit', 'default', 'range', 'read by', 'environment'],
  settingNames.map((name) => {
    const { says: text, unit, default: fallback, min, max, readBy } = settingDefinitions[name];
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

const example = parseTarget({ hub: 'karmada', account: 'evenkeel/evenkeel', url: 'https://hook.example' });

/** Of those that do something: a group of commands is not one. */
function commandRows(command: ReturnType<typeof program>, path = command.name()): readonly (readonly string[])[] {
  if (command.commands.length > 0)
    return command.commands.flatMap((each) => commandRows(each, `${path} ${each.name()}`));
  return [[`\`${path} ${command.usage()}\``, command.description()]];
}

const results = await readResults(RESULTS);

function resultOf(name: string): (typeof results)[number] {
  const found = results.find(({ bench }) => bench === name);
  if (found === undefined) throw new Error(`there is no bench/results/${name}.json; run: npm run bench -- ${name}`);
  return found;
}

interface Section {
  readonly file: string;
  /** The lines before and after what is generated. */
  readonly open: string;
  readonly close: string;
  readonly body: string;
}

function marked(file: string, marker: string, body: string): Section {
  return { file, open: `<!-- ${marker} -->`, close: `<!-- /${marker} -->`, body };
}

function functionTable(first: string, link: (name: FunctionName) => string): string {
  return table(
    [first, 'hears', 'decides', 'writes', 'says'],
    functionRows.map(({ name, cells }) => [link(name), ...cells]),
  );
}

const sections: readonly Section[] = [
  marked('docs/proof.md', 'rebalance', rebalanceBlock(resultOf('rebalance'), table)),
  marked('docs/proof.md', 'reaction', reactionBlock(resultOf('reaction'), table)),
  marked('docs/proof.md', 'holds', holdsBlock(resultOf('admission'), table)),
  marked('docs/cli.md', 'commands', table(['command', 'what it does'], commandRows(program()))),
  marked(
    'README.md',
    'functions',
    functionTable('function', (name) => `[\`${name}\`](functions/${name}.ts)`),
  ),
  marked('README.md', 'settings', settings),
  marked('README.md', 'figures', figuresBlock(results, table)),
  marked(
    'README.md',
    'story',
    ['```text', readFileSync('test/stories/golden/failback.txt', 'utf8').trimEnd(), '```'].join('\n'),
  ),
  marked(
    'functions/README.md',
    'functions',
    functionTable('file', (name) => `[\`${name}.ts\`](${name}.ts)`),
  ),
  marked('docs/connect-a-hub.md', 'rbac', ['```yaml', manifestsOf(example, ['rbac']).trimEnd(), '```'].join('\n')),
];

/** What each generated file should be. */
function expected(): Map<string, string> {
  const files = new Map([
    ['docs/events.md', events],
    ['docs/cost.md', costDoc(resultOf('function-cost'), table)],
    ['docs/openapi.json', `${JSON.stringify(openApi(), undefined, 2)}\n`],
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
  for (const [file] of behind) console.error(`${file} is behind the tables; run: npm run docs`);
  process.exit(behind.length === 0 ? 0 : 1);
}
for (const [file, text] of behind) writeFileSync(file, text);
console.log(`docs: ${behind.length} of ${expected().size} files written`);
