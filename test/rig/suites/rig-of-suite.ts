/** The rig that the running suite was given; its parts are started by the first who asks. */
import { inject } from 'vitest';
import { Rig } from '../rig.ts';

export function rigOfSuite(): Rig {
  return new Rig(inject('rig'));
}

/** Another one beside it, for a file that leaves nothing for others to go on with; the file takes it down. */
export function rigBeside(word: string): Rig {
  return new Rig(`${inject('rig')}-${word}`);
}
