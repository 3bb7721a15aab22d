/** Random values from one seed. A value depends on its name, not on its turn, so that removing one act does not change the others. */

export interface RandomValues {
  /** In [0, 1); the same for the same name. */
  of(name: string): number;
  below(name: string, limit: number): number;
  pick<T>(name: string, choices: readonly [T, ...T[]]): T;
}

export function randomOf(seed: number): RandomValues {
  const of = (name: string): number => {
    let hash = (seed ^ 0x811c9dc5) >>> 0;
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    // Similar names must have unrelated values.
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
