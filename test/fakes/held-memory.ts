/** How much memory is really held: what a collection leaves. */
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** In MB. Several turns, for memory that is freed only after the turn in which its last reference ends. */
export async function heldMemory(): Promise<number> {
  for (let i = 0; i < 4; i += 1) {
    await turn();
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}
