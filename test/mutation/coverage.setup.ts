/**
 * Reports to Stryker which changes each test reaches, and how often: its runner 9.5 leaves that on the first argument of afterAll,
 * where vitest has had it on the second since 4.1. Without it every change is shown to all tests, and a loop without an end
 * is found by the clock alone.
 */
import { afterAll, inject } from 'vitest';

interface Notes {
  readonly mutantCoverage?: object;
  readonly hitCount?: number;
}

// Vitest takes a first argument only if it is destructured.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, suite) => {
  const notes = (globalThis as unknown as Record<string, Notes | undefined>)[inject('globalNamespace' as never)];
  Object.assign(suite.meta, { mutantCoverage: notes?.mutantCoverage, hitCount: notes?.hitCount });
});
