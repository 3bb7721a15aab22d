/** The columns of `npm run test:versions`. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { columnOfCommit, columns, coreOf } from '../columns.ts';

describe('the columns', () => {
  it('have the version of their name, and the suites of the product that they build', () => {
    expect(columns.length).toBeGreaterThan(0);
    for (const { name, version, suites } of columns) {
      const [product, minor] = name.split('-');
      expect(version, name).toMatch(new RegExp(`^v${minor}\\.\\d+$`));
      expect(suites.at(-1), name).toBe(product === 'kubernetes' ? 'hub' : product);
    }
  });

  it('run test files that exist', () => {
    const files = columns.flatMap(({ suites }) => suites.flatMap(coreOf));
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('the column of a commit', () => {
  it('is each column once in as many consecutive commits as there are columns', () => {
    const all = ['a', 'b', 'c'];
    expect([1541, 1542, 1543, 1544].map((commits) => columnOfCommit(all, commits))).toEqual(['c', 'a', 'b', 'c']);
  });
});
