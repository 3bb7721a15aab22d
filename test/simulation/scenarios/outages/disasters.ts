/** The disasters of the scenario `outages`: one in each history, and the promises that it weakens. */
import type { RandomValues } from '../../random-values.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export interface Disaster {
  /** The longest time that it lasts; 0: it happens at once. */
  readonly lastsMs: number;
  /** How far the clock of a function is off: no TTL and no finishTime is more exact. */
  readonly clockOffMs?: number;
  /** What it weakens, and why; the oracles allow that and no more. Without it every promise holds. */
  readonly weakens?: string;
}

export const disasters = {
  'hub restored': {
    lastsMs: 0,
    weakens:
      'The objects of the backup count: a trigger that was written after it is lost with it, and is written again only if the rebalancer is edited, or its result is not in the backup. A workload of a restored rebalancer may be triggered once more.',
  },
  'table restored': {
    lastsMs: 0,
    weakens:
      'As a lost table: a workload that a later rebalancer or a user triggered too may be triggered again, because the signature on the binding names only the last one.',
  },
  'region lost': {
    lastsMs: 60 * MINUTE,
    weakens: 'Its table is lost: as a restored table. Nothing happens until the other region runs.',
  },
  'clock off': {
    lastsMs: 120 * MINUTE,
    clockOffMs: 90 * SECOND,
    weakens:
      'A TTL ends, and a finishTime is, as much too early or too late as the clock is off. Triggers do not depend on it.',
  },
  'poison objects': { lastsMs: 0 },
  'secret rotated': { lastsMs: 5 * MINUTE },
  'table throttled': { lastsMs: 15 * MINUTE },
  'bus delayed': { lastsMs: 60 * MINUTE },
  'delivered 1,000 times': { lastsMs: 0 },
} as const satisfies Readonly<Record<string, Disaster>>;

export type DisasterName = keyof typeof disasters;

const names = Object.keys(disasters) as [DisasterName, ...DisasterName[]];

/** The disaster of a history. */
export function disasterOf(random: RandomValues): DisasterName {
  return random.pick('disaster', names);
}
