/** The simulator can fail: every bug that is planted in the real code is found, by a promise that it breaks. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isDeep } from '../depth.ts';
import { plantedBugs } from './planted/bugs.ts';
import { withBug } from './planted/plant.ts';
import { runSeeds } from './run-seeds.ts';

const ROOT = new URL('../../', import.meta.url);
/** Seeds that are played for one bug, at most. */
const SEEDS = 200;
const MINUTES = 60_000;
/** In `npm test` one of each scenario. */
const played = plantedBugs.filter(({ quick }) => isDeep || quick);

describe('a planted bug', () => {
  it.each(played)(
    'is found: $name',
    async ({ name, scenario, breaks, from = 0 }) => {
      const found = new Set<string>();
      await runSeeds({
        from,
        count: SEEDS,
        threads: availableParallelism(),
        planted: name,
        scenario,
        onPlayed: ({ played: { violations } }) => {
          for (const { oracle } of violations) found.add(oracle);
          return breaks.some((oracle) => found.has(oracle));
        },
      });
      expect(breaks.filter((oracle) => found.has(oracle))).not.toEqual([]);
    },
    10 * MINUTES,
  );

  it.each(plantedBugs)('is a change of one place: $name', (bug) => {
    const source = readFileSync(new URL(bug.file, ROOT), 'utf8');
    expect(withBug(source, bug)).not.toBe(source);
  });
});

describe('a bug that does not fit', () => {
  it('is refused: the code has changed, and the list has to follow', () => {
    const bug = { name: 'x', scenario: 'fleet' as const, file: 'shared/a.ts', replaces: 'one', by: 'two', breaks: [] };
    expect(() => withBug('other', bug)).toThrow(/has the place of the bug 'x' 0 times, not once: one$/);
    expect(() => withBug('one and one', bug)).toThrow(/2 times, not once/);
  });
});
