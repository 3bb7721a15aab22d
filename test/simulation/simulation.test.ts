/** Whole deployments on virtual time with injected faults: no oracle finds a violation in any history. For more seeds: npm run test:deep, npm run simulate. */
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { cases, casesOf, isDeep } from '../depth.ts';
import { faultKinds } from './injected-fault.ts';
import { historyOf, play } from './play.ts';
import { runSeeds } from './run-seeds.ts';

const SEEDS = cases({ few: 1, all: 200 });

describe('a random history', () => {
  it(`has no violation under any faults: ${SEEDS} seeds`, async () => {
    const { totals, broken } = await runSeeds({ from: 0, count: SEEDS, threads: availableParallelism() });
    const violations = broken.map(({ seed, played }) => ({
      replay: `npm run simulate -- --seed ${seed}`,
      violations: played.violations,
    }));
    expect(violations).toEqual([]);
    expect(totals.seeds).toBe(SEEDS);
    // Every kind of fault must occur, because one that never occurs proves nothing.
    if (isDeep) expect([...totals.faults.keys()].sort()).toEqual(Object.keys(faultKinds).sort());
  });

  it('is reproducible by its seed, and by its recorded faults', async () => {
    for (const seed of casesOf([3, 7, 21], 1)) {
      const first = await play(historyOf(seed));
      const again = await play(historyOf(seed));
      expect(again).toEqual(first);
      const written = await play(first.history);
      expect(written).toEqual(first);
    }
  });
});
