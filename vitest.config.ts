import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/rig/**', 'node_modules/**'],
    sequence: { shuffle: true },
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'reports/vitest.json' }]] : ['default'],
    // All cores: vitest leaves one to itself, and many files here wait for processes and clocks.
    maxWorkers: '100%',
    testTimeout: 60_000,
    // How soon something comes true is not judged.
    expect: { poll: { timeout: 30_000 } },
    allowOnly: false,
    passWithNoTests: false,
  },
});
