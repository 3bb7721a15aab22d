import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They wait for clocks and processes, a minute and more. Begun last, one of them would keep the run from its end with all cores idle. */
const waiting = ['stories/stories', 'local/start', 'soak/soak'];

/** Those that wait, then the others. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const waits = ({ moduleId }: TestSpecification): boolean =>
      waiting.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/rig/**', 'test/deep/**', 'test/upgrade/**', 'node_modules/**'],
    sequence: { shuffle: true, sequencer: WaitingFirst },
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'reports/plain.json' }]] : ['default'],
    // Two more than the cores: the files that wait for clocks, processes or tables leave them to others. Each worker imports the product for itself.
    maxWorkers: availableParallelism() + 2,
    provide: { depth: 'few' },
    // For a test that hangs, not one that is slow: it is the only one, so that none depends on how busy the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Tests do not assert how soon a condition holds.
    expect: { poll: { timeout: 30_000 } },
    // Node imports our TypeScript itself, as it does in production, once per worker: no transform, no module loaded 300 times.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Workers of Node 24.21 that drop and recompile functions die of a V8 check (feedback cells of a closure) in one run of four.
    execArgv: ['--no-flush-bytecode'],
    restoreMocks: true,
    unstubEnvs: true,
    allowOnly: false,
    passWithNoTests: false,
  },
});
