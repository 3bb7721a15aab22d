/** The simulator can fail: its oracles find every bug that is planted in the product code. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isDeep } from '../depth.ts';
import { plantedBugs } from './planted/bugs.ts';
import { withBug } from './planted/plant.ts';
import { runSeeds } from './run-seeds.ts';

const ROOT = new URL('../../', import.meta.url);
/** The maximum of seeds for one bug. */
const SEEDS = 200;
const MINUTES = 60_000;
/** `npm test` plants a few. */
const played = plantedBugs.filter(({ quick }) => isDeep || quick);

describe('a planted bug', () => {
  it.each(played)(
    'is found by an oracle: $name',
    async ({ name, scenario, breaks, from = 0 }) => {
      const found = new Set<string>();
      await runSeeds({
        from,
        count: SEEDS,
        threads: 1,
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

  it.each(plantedBugs)('changes exactly one place: $name', (bug) => {
    const source = readFileSync(new URL(bug.file, ROOT), 'utf8');
    expect(withBug(source, bug)).not.toBe(source);
  });
});

describe('a bug whose code has changed', () => {
  it('is rejected, so that the list of bugs is updated', () => {
    const bug = { name: 'x', scenario: 'fleet' as const, file: 'shared/a.ts', replaces: 'one', by: 'two', breaks: [] };
    expect(() => withBug('other', bug)).toThrow(/contains the code of the bug 'x' 0 times, must be once: one$/);
    expect(() => withBug('one and one', bug)).toThrow(/2 times, must be once/);
  });
});
