/** All cases of the tests that run a few of them in `npm test`, which are those that import test/depth.ts, and the tests of this folder. */
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import plain from '../../vitest.config.ts';

const deep = globSync('test/**/*.test.ts').filter((file) => readFileSync(file, 'utf8').includes("/depth.ts'"));

export default defineConfig({
  test: {
    ...plain.test,
    include: [...deep, 'test/deep/*.test.ts'],
    exclude: ['node_modules/**'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'reports/deep.json' }]] : ['default'],
    provide: { depth: 'all' },
    testTimeout: 3_600_000,
  },
});
