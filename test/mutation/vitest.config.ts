/** The tests that the mutants of one part are shown to; the part's name comes from the environment, for Stryker hands nothing on. */
import { defineConfig } from 'vitest/config';
import { notLoaded } from './not-loaded.ts';
import { parts, slow } from './parts.ts';

export default defineConfig({
  test: {
    include: [...(parts[process.env.EVENKEEL_MUTATION_PART ?? '']?.tests ?? [])],
    exclude: slow,
    setupFiles: ['test/mutation/coverage.setup.ts'],
    isolate: false,
    reporters: [notLoaded],
    testTimeout: 300_000,
  },
});
