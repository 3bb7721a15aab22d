/** What is drawn by lot, from one seed. Each thing has its lot by its name, not by its turn: with one act less, all the others fall out as before. */

export interface Lots {
  /** From 0 up to, and without, 1; the same for the same name. */
  of(name: string): number;
  below(name: string, limit: number): number;
  pick<T>(name: string, choices: readonly [T, ...T[]]): T;
}

export function lotsOf(seed: number): Lots {
  const of = (name: string): number => {
    let hash = (seed ^ 0x811c9dc5) >>> 0;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    // Neighbouring names are to fall far apart.
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  };
  const below = (name: string, limit: number) => Math.floor(of(name) * limit);
  return {
    of,
    below,
    pick: (name, choices) => choices[below(name, choices.length)] ?? choices[0],
  };
}
