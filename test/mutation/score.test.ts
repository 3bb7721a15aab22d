import { readdirSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parts } from './parts.ts';
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
  const files = readdirSync('shared/model', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `shared/model/${file}`);
  const all = Object.values(parts);

  it('are all of the model, each file in one of them', () => {
    const times = files.map(
      (file) => all.filter(({ mutate }) => mutate.some((glob) => matchesGlob(file, glob))).length,
    );
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((_, index) => times[index] !== 1)).toEqual([]);
  });

  it('are named without a comma, which parts names on the command line', () => {
    expect(all.flatMap(({ mutate }) => mutate).filter((glob) => glob.includes(','))).toEqual([]);
  });

  it('each have tests, none of which is named in vain', () => {
    const tests = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => `test/${file}`);
    const vain = all.flatMap((part) => part.tests).filter((glob) => !tests.some((file) => matchesGlob(file, glob)));
    expect(vain).toEqual([]);
  });
});
