/** The version before and this one in one deployment; npm run test:upgrade. It needs the history of git. */
import { defineConfig } from 'vitest/config';
import plain from '../../vitest.config.ts';

export default defineConfig({
  test: {
    ...plain.test,
    include: ['test/upgrade/**/*.test.ts'],
    exclude: ['node_modules/**'],
    globalSetup: ['test/upgrade/setup.ts'],
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'reports/upgrade.json' }]] : ['default'],
    testTimeout: 3_600_000,
  },
});
