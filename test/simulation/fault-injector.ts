/** Chooses the fault of each effect, at random or as a history records it, and records the chosen faults. */

import { type FaultKind, faultKinds, type InjectedFault } from './injected-fault.ts';
import type { RandomValues } from './random-values.ts';

export interface FaultInjector {
  /** The fault of the effect with this name, one of those in `may`. */
  at(effect: string, may: readonly FaultKind[]): FaultKind | undefined;
  /** All faults so far, in order. */
  readonly injected: readonly InjectedFault[];
  /** Ends all faults. */
  end(): void;
}

/**
 * At random: each run has some kinds of faults, at one density. If every kind of fault were frequent, most operations would fail
 * early, and later steps would never be tested.
 */
export function randomFaults(random: RandomValues): FaultInjector {
  const kinds = Object.keys(faultKinds) as FaultKind[];
  const share = random.pick('share of kinds', [0.15, 0.3, 0.6, 1]);
  const among = new Set(kinds.filter((kind) => random.of(`kind ${kind}`) < share));
  const density = random.pick('density', [0.02, 0.05, 0.1, 0.25]);
  return injector((effect, may) => {
    if (random.of(`whether ${effect}`) >= density) return undefined;
    const possible = may.filter((kind) => among.has(kind));
    return possible[random.below(`which ${effect}`, possible.length)];
  });
}

export function recordedFaults(faults: readonly InjectedFault[]): FaultInjector {
  const written = new Map(faults.map(({ at, kind }) => [at, kind]));
  return injector((effect, may) => {
    const kind = written.get(effect);
    return kind !== undefined && may.includes(kind) ? kind : undefined;
  });
}

function injector(decide: (effect: string, may: readonly FaultKind[]) => FaultKind | undefined): FaultInjector {
  const injected: InjectedFault[] = [];
  let over = false;
  return {
    injected,
    at(effect, may) {
      const kind = over ? undefined : decide(effect, may);
      if (kind !== undefined) injected.push({ at: effect, kind });
      return kind;
    },
    end() {
      over = true;
    },
  };
}
