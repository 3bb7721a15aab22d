import { readdirSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Part, parts } from './parts.ts';
import { isSampled, nameOf, outsideSample, type Path } from './sample.ts';
import { percentOf, scoreOf } from './score.ts';

const mutant = (status: string, replacement?: string) => ({
  mutatorName: 'EqualityOperator',
  status,
  location: { start: { line: 7 } },
  ...(replacement !== undefined && { replacement }),
});

describe('a mutation score', () => {
  it('is the part of the valid changes that a test notices', () => {
    const mutants = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored', 'CompileError'].map((status) =>
      mutant(status),
    );
    const { noticed, of } = scoreOf({ files: { 'a.ts': { mutants } } });
    expect([noticed, of, percentOf({ noticed, of })]).toEqual([2, 4, 50]);
  });

  it('names each change that no test notices, in a line', () => {
    const files = {
      'a.ts': { mutants: [mutant('Survived', 'a < b\n&& c')] },
      'b.ts': { mutants: [mutant('NoCoverage')] },
    };
    expect(scoreOf({ files }).survivors).toEqual(['a.ts:7 EqualityOperator: a < b', 'b.ts:7 EqualityOperator: ']);
  });

  it('is full where nothing can be changed', () => {
    expect(percentOf({ noticed: 0, of: 0 })).toBe(100);
  });
});

describe('the parts that are changed', () => {
  const all = Object.values(parts);
  /** As Stryker reads them: what begins with ! is left out. */
  const isChanged = (file: string, { mutate }: Part): boolean =>
    mutate.some((glob) => matchesGlob(file, glob)) &&
    !mutate.some((glob) => glob.startsWith('!') && matchesGlob(file, glob.slice(1)));
  /** Tables, manifests and generated code: the tests of the house and the hub's suites cover them. */
  const isTable = (file: string): boolean =>
    /^shared\/(bus\/(?!unknown-queue)|manifests\/|console-api\/operations\/|core\/(settings|environment)\.|.*_pb\.ts)/.test(
      file,
    );
  const filesOf = (folder: string, pattern = /\.ts$/) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => pattern.test(file))
      .map((file) => `${folder}/${file}`);

  it.each([
    ['shared', filesOf('shared').filter((file) => !isTable(file))],
    ['the shells', filesOf('functions', /\.lambda\.ts$/)],
    ['the functions of the console API', filesOf('functions/console-api')],
    ['the bridge', filesOf('bridge')],
    ['the command line', filesOf('cli')],
    ['the local run', filesOf('local', /^[^/]+\.ts$/)],
    ['the infrastructure', filesOf('infra')],
  ])('hold each file of %s once', (_, files) => {
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => all.filter((part) => isChanged(file, part)).length !== 1)).toEqual([]);
  });

  it('are named without a comma, which parts names on the command line', () => {
    expect(all.flatMap(({ mutate }) => mutate).filter((glob) => glob.includes(','))).toEqual([]);
  });

  it('each have tests, none of which is named in vain', () => {
    expect(all.map((part) => part.tests.length)).not.toContain(0);
    const tests = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => `test/${file}`);
    const vain = all.flatMap((part) => part.tests).filter((glob) => !tests.some((file) => matchesGlob(file, glob)));
    expect(vain).toEqual([]);
  });
});

describe('a sample', () => {
  const program = { type: 'Program' };
  const top = (node: Path['node']): Path => ({ node, parent: program });
  const member = (name: string): Path => ({
    node: { type: 'ClassMethod', key: { name } },
    parent: { type: 'ClassBody' },
    parentPath: { parent: { type: 'ClassDeclaration', id: { name: 'Table' } } },
  });

  it.each([
    ['Table.read', member('read')],
    ['stillOf', top({ type: 'FunctionDeclaration', id: { name: 'stillOf' } })],
    [
      'stillOf',
      top({ type: 'ExportNamedDeclaration', declaration: { type: 'FunctionDeclaration', id: { name: 'stillOf' } } }),
    ],
    [
      'task',
      top({ type: 'VariableDeclaration', declarations: [{ type: 'VariableDeclarator', id: { name: 'task' } }] }),
    ],
    ['IfStatement:7', top({ type: 'IfStatement', loc: { start: { line: 7 } } })],
  ])('knows %s by its name', (name, path) => {
    expect(nameOf(path)).toBe(name);
  });

  it('takes one unit in so many, the same ones every time', () => {
    const names = Array.from({ length: 1000 }, (_, i) => `unit${i}`);
    const taken = names.filter((name) => isSampled(name, 5));
    expect(taken.length).toBeGreaterThan(150);
    expect(taken.length).toBeLessThan(250);
    expect(names.filter((name) => isSampled(name, 5))).toEqual(taken);
    expect(names.filter((name) => isSampled(name, 1))).toEqual(names);
  });

  it('leaves out whole units, and decides by nothing inside of them', () => {
    const outside = Array.from({ length: 20 }, (_, i) => member(`m${i}`)).find(
      (path) => !isSampled(nameOf(path), 5),
    ) as Path;
    expect(outsideSample(outside, 5)).toBe('not in the sample of one in 5');
    expect(outsideSample(outside, 1)).toBe(undefined);
    expect(outsideSample({ node: { type: 'StringLiteral' }, parent: { type: 'CallExpression' } }, 5)).toBe(undefined);
    expect(outsideSample(top({ type: 'ClassDeclaration', id: { name: 'Table' } }), 1e9)).toBe(undefined);
  });
});
