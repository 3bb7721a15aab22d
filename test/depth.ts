/**
 * How deep tests go whose claim is about many cases: a few in `npm test`, all in `npm run test:deep`, which CI runs. Counted in cases,
 * never in seconds. test/deep/vitest.config.ts runs every file that imports this one.
 */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly depth: 'few' | 'all';
  }
}

export const isDeep = inject('depth') === 'all';

export function cases(count: { readonly few: number; readonly all: number }): number {
  return isDeep ? count.all : count.few;
}

/** The first of `all` in `npm test`, each of them in `npm run test:deep`. */
export function casesOf<T>(all: readonly T[], few: number): readonly T[] {
  return isDeep ? all : all.slice(0, few);
}

export function seeds(count: { readonly few: number; readonly all: number }): readonly number[] {
  return Array.from({ length: cases(count) }, (_, seed) => seed);
}
