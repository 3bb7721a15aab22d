/** Provides the rig of a suite: a new one that is removed at the end, or the one named by EVENKEEL_RIG, which is kept. */
import type { TestProject } from 'vitest/node';
import { abandonedRigs, nameOfProcess, rigsOf } from '../rig.ts';

declare module 'vitest' {
  interface ProvidedContext {
    rig: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // A rig has dozens of Go processes. With a thread for each core they need a tenth more CPU time: 30.4 instead of 27.7 s for a Karmada rig that starts and stands for 20 s.
  process.env.GOMAXPROCS ??= '1';
  for (const rig of abandonedRigs()) await rig.down();
  const named = process.env.EVENKEEL_RIG;
  const name = named ?? nameOfProcess(process.pid);
  provide('rig', name);
  return async () => {
    if (named === undefined) for (const rig of rigsOf(name)) await rig.down();
  };
}
