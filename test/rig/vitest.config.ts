/** The suites on real parts, and the tests of what starts those; npm run test:hub, test:karmada, test:moved, test:ocm and test:aws name the folders. */
import { defineConfig } from 'vitest/config';
import plain from '../../vitest.config.ts';

// Node imports the code, once for all files of a suite: an import took a file 3 s, 50 to 100 s of a suite.
const { isolate, experimental, execArgv } = plain.test ?? {};

export default defineConfig({
  test: {
    ...{ isolate, experimental, execArgv },
    include: ['test/rig/{core,suites}/**/*.test.ts'],
    globalSetup: ['test/rig/suites/setup.ts'],
    reporters: process.env.CI ? ['default', 'json'] : ['default'],
    // One rig, two cores: the files of a suite share what is up.
    fileParallelism: false,
    sequence: { shuffle: { files: false, tests: false } },
    // For a test that hangs, not one that is slow.
    testTimeout: 900_000,
    // Latency is not asserted: a shared machine may stall for seconds.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 900_000,
    teardownTimeout: 120_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
