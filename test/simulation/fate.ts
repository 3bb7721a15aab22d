/** Chooses the fault of each effect, at random or as a history records it, and records the chosen faults. */
import type { Lots } from './lots.ts';
import { type Mishap, type MishapKind, mishapKinds } from './mishap.ts';

export interface Fate {
  /** The fault of the effect with this name, one of those in `may`. */
  at(effect: string, may: readonly MishapKind[]): MishapKind | undefined;
  /** All faults so far, in order. */
  readonly befallen: readonly Mishap[];
  /** Ends all faults. */
  end(): void;
}

/**
 * At random: each run has some kinds of faults, at one density. If every kind of fault were frequent, most operations would fail
 * early, and later steps would never be tested.
 */
export function drawnFate(lots: Lots): Fate {
  const kinds = Object.keys(mishapKinds) as MishapKind[];
  const share = lots.pick('share of kinds', [0.15, 0.3, 0.6, 1]);
  const among = new Set(kinds.filter((kind) => lots.of(`kind ${kind}`) < share));
  const density = lots.pick('density', [0.02, 0.05, 0.1, 0.25]);
  return fate((effect, may) => {
    if (lots.of(`whether ${effect}`) >= density) return undefined;
    const possible = may.filter((kind) => among.has(kind));
    return possible[lots.below(`which ${effect}`, possible.length)];
  });
}

export function writtenFate(mishaps: readonly Mishap[]): Fate {
  const written = new Map(mishaps.map(({ at, kind }) => [at, kind]));
  return fate((effect, may) => {
    const kind = written.get(effect);
    return kind !== undefined && may.includes(kind) ? kind : undefined;
  });
}

function fate(decide: (effect: string, may: readonly MishapKind[]) => MishapKind | undefined): Fate {
  const befallen: Mishap[] = [];
  let over = false;
  return {
    befallen,
    at(effect, may) {
      const kind = over ? undefined : decide(effect, may);
      if (kind !== undefined) befallen.push({ at: effect, kind });
      return kind;
    },
    end() {
      over = true;
    },
  };
}
