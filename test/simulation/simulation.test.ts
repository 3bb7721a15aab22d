/** Whole deployments on virtual time, with everything going wrong: no promise is broken in so many histories. More of them: npm run test:deep, npm run simulate. */
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { cases, isDeep } from '../depth.ts';
import { mishapKinds } from './mishap.ts';
import { historyOf, play } from './play.ts';
import { runSeeds } from './run-seeds.ts';

const SEEDS = cases({ few: 20, all: 500 });
const MINUTES = 60_000;

describe('a history by lot', () => {
  it(
    `keeps every promise, whatever befalls: ${SEEDS} seeds`,
    async () => {
      const { totals, broken } = await runSeeds({ from: 0, count: SEEDS, threads: availableParallelism() });
      const told = broken.map(({ seed, played }) => ({
        again: `npm run simulate -- --seed ${seed}`,
        broke: played.violations,
      }));
      expect(told).toEqual([]);
      expect(totals.seeds).toBe(SEEDS);
      // Every kind of mishap is among them: one that never happens proves nothing.
      if (isDeep) expect([...totals.mishaps.keys()].sort()).toEqual(Object.keys(mishapKinds).sort());
    },
    20 * MINUTES,
  );

  it('comes out the same when it is played again, by its seed and by what befell', async () => {
    for (const seed of [3, 7, 21]) {
      const first = await play(historyOf(seed));
      const again = await play(historyOf(seed));
      expect(again).toEqual(first);
      const written = await play(first.history);
      expect(written).toEqual(first);
    }
  });
});
