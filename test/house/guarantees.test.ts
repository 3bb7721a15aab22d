/** docs/proof/guarantees.md names a test for every guarantee and has every fault of a hub that is tried. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync('docs/proof/guarantees.md', 'utf8');

/** First cells of the table under a heading. */
function firstCells(heading: string): readonly string[] {
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| ([^|]+) \|/gm)]
    .map(([, cell = '']) => cell)
    .filter((cell) => !/^(---|guarantee|the hub$)/.test(cell));
}

describe('docs/proof/guarantees.md', () => {
  it('names a test for each guarantee', () => {
    expect(firstCells('What Evenkeel guarantees').length).toBeGreaterThan(9);
    const rows =
      page
        .split('## What Evenkeel guarantees\n')[1]
        ?.split('\n## ')[0]
        ?.match(/^\| (?!---|guarantee ).*/gm) ?? [];
    expect(rows.filter((row) => !/\| `test\/[^|]+\.test\.ts` \|$/.test(row))).toEqual([]);
  });

  it('has every fault that hub-faults.test.ts has, and no other', () => {
    const source = readFileSync('test/functions/main-job/hub-faults.test.ts', 'utf8');
    const table = source.split('= {\n').find((part) => part.startsWith("  'rejects connections'")) ?? '';
    const faults = [...(table.split('\n};')[0] ?? '').matchAll(/^ {2}(?:'([^']+)'|(\w+)):/gm)].map(
      ([, quoted, bare]) => quoted ?? bare,
    );
    expect(faults.length).toBe(27);
    expect([...firstCells("What a hub's API server may do")].sort()).toEqual(faults.sort());
  });

  it('names tests that exist', () => {
    const named = [...page.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('docs/concepts/differences-from-karmada.md', () => {
  const rows = [
    ...readFileSync('docs/concepts/differences-from-karmada.md', 'utf8').matchAll(
      /\| `(test\/[^`]+\.test\.ts)`: ([^|]+) \|$/gm,
    ),
  ].map(([, file = '', title = '']) => ({ file, title }));

  it('names a test in every row', () => {
    const all = readFileSync('docs/concepts/differences-from-karmada.md', 'utf8').match(/^\| (?!---|Karmada)/gm) ?? [];
    expect(rows).toHaveLength(all.length);
    expect(rows.length).toBeGreaterThan(10);
  });

  it.each(rows)('$file has the test: $title', ({ file, title }) => {
    expect(readFileSync(file, 'utf8').replaceAll("\\'", "'")).toContain(title);
  });
});
