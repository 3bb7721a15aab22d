/** Rebalancers through one disaster in each history: no oracle finds a violation. For more seeds: npm run test:deep, npm run simulate -- --scenario outages. */
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { cases, seeds } from '../depth.ts';
import { play } from './play.ts';
import { randomOf } from './random-values.ts';
import { runSeeds } from './run-seeds.ts';
import { type DisasterName, disasterOf, disasters } from './scenarios/outages/disasters.ts';

const SEEDS = cases({ few: 2, all: 300 });
/** The first seeds whose history has the disaster. */
const seedsWith = (name: DisasterName, count: number) =>
  Array.from({ length: 1000 }, (_, seed) => seed)
    .filter((seed) => disasterOf(randomOf(seed)) === name)
    .slice(0, count);

describe('a history with a disaster', () => {
  it(`has no violation under any faults: ${SEEDS} seeds`, async () => {
    const { totals, broken } = await runSeeds({
      from: 0,
      count: SEEDS,
      threads: availableParallelism(),
      scenario: 'outages',
    });
    const violations = broken.map(({ seed, played }) => ({
      replay: `npm run simulate -- --seed ${seed} --scenario outages`,
      violations: played.violations,
    }));
    expect(violations).toEqual([]);
    expect(totals.seeds).toBe(SEEDS);
  });

  it('has each of the disasters in some of 300 seeds', () => {
    const found = new Set(Array.from({ length: 300 }, (_, seed) => disasterOf(randomOf(seed))));
    expect([...found].sort()).toEqual(Object.keys(disasters).sort());
  });
});

describe('a hub that is restored from a backup', () => {
  it.each(seeds({ few: 1, all: 5 }))(
    'has an edit planned whose generation is that of an edit that the restore undid: seed %i of them',
    async (turn) => {
      const [seed = 0] = seedsWith('hub restored', turn + 1).slice(-1);
      const edit = (at: number, added: string) =>
        ({ at, act: { do: 'edit list', name: 'r1', workloads: ['web', added] } }) as const;
      const acts = [
        { at: 0, act: { do: 'create', name: 'r1', workloads: ['web'] } },
        { at: 60_000, act: { do: 'backup' } },
        edit(120_000, 'api'),
        { at: 300_000, act: { do: 'disaster', disaster: 'hub restored' } },
        edit(300_001, 'cart'),
      ] as const;
      const { violations } = await play({ scenario: 'outages', seed, acts, faults: [] });
      expect(violations).toEqual([]);
    },
  );
});
