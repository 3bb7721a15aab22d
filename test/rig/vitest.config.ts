/** The suites on real parts, and the tests of what starts those; npm run test:hub, test:karmada, test:moved, test:ocm and test:aws name the folders. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/rig/{core,suites}/**/*.test.ts'],
    globalSetup: ['test/rig/suites/setup.ts'],
    reporters: process.env.CI ? ['default', 'json'] : ['default'],
    // One rig, two cores: the files of a suite share what is up.
    fileParallelism: false,
    // Node imports the code, once for all files, as in npm test: an import by each file took 50 to 100 s of a suite.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--no-flush-bytecode'],
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
