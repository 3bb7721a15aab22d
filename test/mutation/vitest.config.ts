/** The tests that the mutants of one part are shown to; the part's name comes from the environment, for Stryker hands nothing on. */
import { defineConfig } from 'vitest/config';
import { notLoaded } from './not-loaded.ts';
import { parts, slow } from './parts.ts';

const part = parts[process.env.EVENKEEL_MUTATION_PART ?? ''];

export default defineConfig({
  test: {
    include: [...(part?.tests ?? [])],
    exclude: slow,
    setupFiles: ['test/mutation/coverage.setup.ts'],
    isolate: false,
    // As in `npm test`: the files of a worker share its environment.
    restoreMocks: true,
    unstubEnvs: true,
    reporters: [notLoaded],
    testTimeout: part?.timeoutMs ?? 300_000,
  },
});
