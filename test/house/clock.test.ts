import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Folders and files that read the clock, as in .oxlintrc.json, whose rules know `Date.now()` only. */
const readers = /^shared\/(?:aws|runtime|estimator|kubernetes\/client|console-api\/console-)/;

it('deciding code takes the present time as a value', () => {
  const files = globSync('{functions,shared}/**/*.ts').filter((file) => !readers.test(file));
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => /new Date(?:\(\)|[^\s(])/.test(readFileSync(file, 'utf8')))).toEqual([]);
});
