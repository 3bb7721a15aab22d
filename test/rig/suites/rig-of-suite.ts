/** The rig that the running suite was given; its parts are started by the first who asks. */
import { inject } from 'vitest';
import { Rig } from '../rig.ts';

export function rigOfSuite(): Rig {
  return new Rig(inject('rig'));
}
