/** The rig of the running suite; the first file that needs a part starts it. */
import { inject } from 'vitest';
import { Rig } from '../rig.ts';

export function rigOfSuite(): Rig {
  return new Rig(inject('rig'));
}

/** A separate rig for a file whose changes other files cannot use; the file removes it. */
export function rigBeside(word: string): Rig {
  return new Rig(`${inject('rig')}-${word}`);
}
