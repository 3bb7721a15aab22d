import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A block of vitest with a timeout of its own, before or after its function. */
const own = /^\s*\}, [\d_]{4,}\);|\b(?:it|describe|test)\b.*\{ timeout: [\d_]+ \}, (?:async|\()/m;

it('no test or hook of the plain and deep suites has a timeout of its own', () => {
  const files = globSync('test/**/*.test.ts', { exclude: ['test/rig/**', 'test/house/timeouts.test.ts'] });
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => own.test(readFileSync(file, 'utf8')))).toEqual([]);
});

it.for(["it('a', { timeout: 60_000 }, async () => {", '  }, 240_000);'])('%s is such a block', (line) => {
  expect(own.test(line)).toBe(true);
});
