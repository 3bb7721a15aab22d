/** `-o jsonpath=` and `-o custom-columns=` on a list as kubectl has it. */
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { jsonPathFinder } from '../../../cli/operator/json-path.ts';
import { columnCells, parseColumns, parseTemplate, templateText } from '../../../cli/operator/output-template.ts';
import { outputOption } from '../../../cli/operator/printed-rows.ts';

const list = {
  items: [
    {
      metadata: { name: 'a', labels: { 'app.kubernetes.io/name': 'web' } },
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Drained', status: 'False' },
      ],
      replicas: 0,
      spec: { tier: 'x' },
    },
    { metadata: { name: 'b' }, conditions: [], replicas: 5 },
  ],
};

async function text(template: string): Promise<string> {
  return templateText(parseTemplate(template), list, await jsonPathFinder());
}

describe('-o jsonpath', () => {
  it.each([
    ['{.items[*].metadata.name}', 'a b'],
    ['{$.items[*].metadata.name}', 'a b'],
    ['.items[0].metadata.name', 'a'],
    ['items[0].replicas', '0'],
    ['{.items[-1].metadata.name}', 'b'],
    ['{.items[0:2].replicas}', '0 5'],
    ['{..name}', 'a b'],
    [String.raw`{.items[0].metadata.labels.app\.kubernetes\.io/name}`, 'web'],
    ["{.items[0].metadata.labels['app.kubernetes.io/name']}", 'web'],
    ["{.items[0].conditions[0]['type','status']}", 'Ready True'],
    ['{.items[0].conditions[?(@.type=="Ready")].status}', 'True'],
    ['{.items[?(@.replicas>1)].metadata.name}', 'b'],
    ['{.items[?(@.spec.tier=="x")].metadata.name}', 'a'],
    ['{.items[0].spec}', '{"tier":"x"}'],
    ['{.items[0].none}', ''],
    ['{.items[0].metadata.name}: {.items[0].replicas}', 'a: 0'],
    [String.raw`{range .items[*]}{.metadata.name}{"\t"}{.replicas}{"\n"}{end}`, 'a\t0\nb\t5\n'],
    ['{range .items[*]}{range .conditions[*]}{@.type},{end}{$.items[1].replicas};{end}', 'Ready,Drained,5;5;'],
    ['{range .items[*].metadata.name}{@}!{end}', 'a!b!'],
    ['{.items[0].metadata.name}{"}"}', 'a}'],
  ])('%s is %j', async (template, expected) => {
    expect(await text(template)).toBe(expected);
  });

  it.each([
    ['{.items', '"{" at character 1 is not closed; add "}"'],
    ['a{}', '{} has no expression; write one'],
    ['{range .items[*]}{.x}', '{range .items[*]} has no {end}; add one'],
    ['{.x}{end}', '{end} has no {range}; remove it'],
  ])('rejects %s with the remedy', (template, message) => {
    expect(() => parseTemplate(template)).toThrow(`-o jsonpath: ${JSON.stringify(template)}: ${message}`);
  });

  it('rejects an expression that is no JSONPath', async () => {
    await expect(text('{.items[?(@.a==)]}')).rejects.toThrow(
      /^-o: "\.items\[\?\(@\.a==\)\]" is not a JSONPath expression/,
    );
  });

  it('evaluates a filter without access to JavaScript', async () => {
    await expect(text('{.items[?(process.exit(3))].replicas}')).rejects.toThrow('is not a JSONPath expression');
  });
});

describe('-o custom-columns', () => {
  it('has a column for each expression, and <none> for a missing value', async () => {
    const columns = parseColumns(
      'NAME:.metadata.name,READY:.conditions[?(@.type=="Ready")].status,ALL:{.conditions[*].type}',
    );
    expect(columnCells(columns, list.items, await jsonPathFinder())).toEqual([
      ['NAME', 'READY', 'ALL'],
      ['a', 'True', 'Ready,Drained'],
      ['b', '<none>', '<none>'],
    ]);
  });

  it('keeps a comma in brackets in its expression', () => {
    expect(parseColumns("A:.x['a','b'],B:.y").map(({ path }) => path)).toEqual([".x['a','b']", '.y']);
  });

  it.each(['NAME', 'NAME:', ':.name', 'NAME:.name,'])('rejects %s with an example', (text) => {
    expect(() => parseColumns(text)).toThrow('is not HEADER:PATH; write for example NAME:.name,READY:.ready');
  });
});

describe('the option -o', () => {
  const parsed = (form: string): unknown => {
    const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    return command.addOption(outputOption()).parse(['-o', form], { from: 'user' }).opts().output;
  };

  it.each(['table', 'yaml', 'jsonpath={.x}', 'custom-columns=A:.a'])('accepts %s', (form) => {
    expect(parsed(form)).toBe(form);
  });

  it.each([
    ['html', 'Supported values: table, wide, json, yaml, name, jsonpath={.PATH}, custom-columns=HEADER:.PATH'],
    ['jsonpath', 'Supported values: '],
    ['jsonpath=', 'Write the template after jsonpath=.'],
    ['jsonpath={', '"{" at character 1 is not closed'],
    ['custom-columns=A', 'is not HEADER:PATH'],
  ])('rejects %s before anything is read', (form, message) => {
    expect(() => parsed(form)).toThrow(message);
  });
});
