/**
 * Reports to Stryker files of tests that a change kept from being loaded: its runner 9.5 counts failed tests alone, and a file that ends
 * while its tests are collected has none. So it is given one.
 */
import type { RunnerTestCase, RunnerTestFile } from 'vitest';
import type { Reporter } from 'vitest/node';

export const notLoaded: Reporter = {
  onTestModuleEnd(module) {
    const { task } = module as unknown as { readonly task: RunnerTestFile };
    if (module.state() !== 'failed' || task.tasks.length > 0) return;
    const result = { state: 'fail', errors: module.errors() };
    task.tasks.push({ type: 'test', name: 'is loaded', mode: 'run', file: task, result } as unknown as RunnerTestCase);
  },
};
