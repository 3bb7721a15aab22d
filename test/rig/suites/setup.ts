/** Gives a suite its rig: one of its own that goes when the suite ends, or the one that EVENKEEL_RIG names, which stays. */
import type { TestProject } from 'vitest/node';
import { abandonedRigs, nameOfProcess, Rig } from '../rig.ts';

declare module 'vitest' {
  interface ProvidedContext {
    rig: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  for (const rig of abandonedRigs()) await rig.down();
  const named = process.env.EVENKEEL_RIG;
  const name = named ?? nameOfProcess(process.pid);
  provide('rig', name);
  return async () => {
    if (named === undefined) await new Rig(name).down();
  };
}
