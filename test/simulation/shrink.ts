/** Reduces a history with a violation: no act and no fault of the result can be removed. */
import type { History } from './history.ts';
import type { InjectedFault } from './injected-fault.ts';
import { type Played, play } from './play.ts';
import type { TimedAct } from './scenarios/scenario.ts';

type Part = { readonly act: TimedAct } | { readonly injected: InjectedFault };

/** The maximum of replayed histories. */
const MAX_ATTEMPTS = 400;

export async function shrink(broken: Played, oracle: string): Promise<Played> {
  const { acts, faults } = broken.history;
  let parts: readonly Part[] = [...acts.map((act) => ({ act })), ...faults.map((injected) => ({ injected }))];
  let smallest = broken;
  let attempts = 0;
  for (let size = Math.ceil(parts.length / 2); size >= 1; ) {
    let cut = false;
    for (let from = 0; from < parts.length && attempts < MAX_ATTEMPTS; ) {
      const fewer = [...parts.slice(0, from), ...parts.slice(from + size)];
      attempts += 1;
      const played = await play({ ...broken.history, ...pickedOf(fewer) });
      if (played.violations.some((violation) => violation.oracle === oracle)) {
        parts = fewer;
        smallest = played;
        cut = true;
      } else from += size;
    }
    if (attempts >= MAX_ATTEMPTS) break;
    if (size > 1) size = Math.ceil(size / 2);
    else if (!cut) break;
  }
  return smallest;
}

function pickedOf(parts: readonly Part[]): Required<Pick<History, 'acts' | 'faults'>> {
  return {
    acts: parts.flatMap((part) => ('act' in part ? [part.act] : [])),
    faults: parts.flatMap((part) => ('injected' in part ? [part.injected] : [])),
  };
}
