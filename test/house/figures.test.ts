/** Measured figures in the docs come from bench/results: written by hand they soon contradict them. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Decision records state what was measured when they were written. */
const pages = ['README.md', 'ARCHITECTURE.md', ...globSync('docs/!(decisions)/*.md')];

/** Without code, and without what `npm run docs` writes between its markers. */
function handwritten(text: string): string {
  return text
    .replaceAll(/<!-- ([a-z-]+) -->[\s\S]*?<!-- \/\1 -->/g, '')
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/`[^`\n]*`/g, '');
}

const measured = /[^\n]*\d ?(?:ms\b|times (?:faster|slower|as fast|the floor))[^\n]*/g;

const measuredIn = (text: string) => handwritten(text).match(measured) ?? [];

describe('a page of the docs', () => {
  it('is one of those that are read, and a measured time on it is found', () => {
    expect(pages.length).toBeGreaterThan(10);
    const found = 'A rebalance takes 12 ms.\n\nIt is 3 times faster.';
    expect(measuredIn(`${found}\n\`12 ms\` <!-- bench -->\n7 ms\n<!-- /bench -->`)).toEqual(found.split('\n\n'));
  });

  it.each(pages.filter((page) => page !== 'docs/operations/cost.md'))(
    '%s has no measured time outside generated blocks',
    (page) => {
      expect(measuredIn(readFileSync(page, 'utf8'))).toEqual([]);
    },
  );
});
