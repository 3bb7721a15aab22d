// Mutation testing of one part of the code. test/mutation/main.ts chooses the part and starts it: `npm run mutation`.
const part = process.env.EVENKEEL_MUTATION_PART ?? 'root';
const reports = `reports/mutation/${part}`;

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './test/mutation/ignored.js', './test/mutation/sample.ts'],
  ignorers: ['descriptions', 'sample'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.EVENKEEL_MUTATION_WORKERS ?? 1),
  // A busy machine is no infinite loop. Those are found by counting, but for one that goes by what it was made of: that is waited for.
  timeoutMS: Number(process.env.EVENKEEL_MUTATION_TIMEOUT_MS ?? 120_000),
  tempDirName: `${reports}/sandbox`,
  ignorePatterns: ['cdk.out', 'dist', 'reports', 'bench', '.ci', 'test/rig', 'docs/images'],
  reporters: ['json', 'html', 'progress-append-only'],
  jsonReporter: { fileName: `${reports}/mutation.json` },
  htmlReporter: { fileName: `${reports}/mutation.html` },
};
