/** Repeats writes that are conditional on the version that was read. */

import { Fault } from '../core/fault.ts';

/** While pods become ready, controllers write an object's status several times a second, so a single attempt would often conflict. */
const MAX_ATTEMPTS = 5;

/** Each attempt reads again before it decides. `conflict` if the object changed under every one of the 5 writes. */
export async function retryConflicts<T>(write: (attempt: number) => Promise<T | 'conflict'>): Promise<T | 'conflict'> {
  let result: T | 'conflict' = 'conflict';
  for (let attempt = 0; attempt < MAX_ATTEMPTS && result === 'conflict'; attempt++) result = await write(attempt);
  return result;
}

/** As `retryConflicts`; after the last conflict a retryable Fault `Conflict`. `what`: what is written. */
export async function requireWritten<T>(what: string, write: (attempt: number) => Promise<T | 'conflict'>): Promise<T> {
  const result = await retryConflicts(write);
  if (result !== 'conflict') return result;
  throw new Fault('retryable', `${what} kept changing under the write`, { reason: 'Conflict' });
}
