/** Provides the version before to the tests. */
import type { TestProject } from 'vitest/node';
import { type Base, prepareBase } from './base.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly base: Base;
  }
}

export async function setup({ provide }: TestProject): Promise<void> {
  provide('base', await prepareBase());
}
