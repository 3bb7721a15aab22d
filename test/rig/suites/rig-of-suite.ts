/** The rig of the running suite; the first file that needs a part starts it. */
import { inject } from 'vitest';
import { Rig } from '../rig.ts';

export function rigOfSuite(): Rig {
  return new Rig(inject('rig'));
}

/** A separate rig, for files whose changes others cannot use. It is removed with that of the suite, or by its file. */
export function rigBeside(word: string): Rig {
  return new Rig(`${inject('rig')}-${word}`);
}
