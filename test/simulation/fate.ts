/** Says of each effect what befalls it: drawn by lot, or as a history has it. Keeps what befell. */
import type { Lots } from './lots.ts';
import { type Mishap, type MishapKind, mishapKinds } from './mishap.ts';

export interface Fate {
  /** What befalls the effect of this name, out of what may. */
  at(effect: string, may: readonly MishapKind[]): MishapKind | undefined;
  /** All that befell so far, in order. */
  readonly befallen: readonly Mishap[];
  /** From here on nothing befalls. */
  end(): void;
}

/**
 * By lot: each run has only some kinds, and one density of them. Why: where everything fails all the time, hardly anything gets
 * far enough to go wrong in an interesting way.
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
