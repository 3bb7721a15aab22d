/** The tests of one direction: work in flight while versions change, at many moments and side by side. */
import { describe, expect, inject, it } from 'vitest';
import { historyOf } from '../simulation/play.ts';
import { randomOf } from '../simulation/random-values.ts';
import { scenarioNames } from '../simulation/scenarios/scenarios.ts';
import { cases } from './cases.ts';
import { type Direction, type Ended, playCase, playHistory, START, type Swap } from './side-by-side.ts';

const SEEDS = Array.from({ length: 10 }, (_, seed) => seed);
/** Of each case. */
const MOMENTS = 8;
const SIDE_BY_SIDE_MS = 600_000;
const RETURN_MS = 1_200_000;

/** Numbers of deliveries, most of them among the first: the last ones are comparisons of a hub at rest. */
function momentsOf(deliveries: number): Iterable<number> {
  return new Set(Array.from({ length: MOMENTS }, (_, turn) => 1 + Math.floor(deliveries * (turn / MOMENTS) ** 2)));
}

/** After so many deliveries, all at once. */
const atOnce = (direction: Direction, moment: number): Swap => ({
  direction,
  phase: ({ deliveries }) => (deliveries < moment ? 'Before' : 'After'),
});

/** Each delivery to a random version for ten minutes. */
const gradually = (direction: Direction, from: number): Swap => ({
  direction,
  phase: ({ now }) => (now < from ? 'Before' : now < from + SIDE_BY_SIDE_MS ? 'Both' : 'After'),
});

/** The same, and ten minutes later back at once: each other seed. */
const andBack = (direction: Direction, from: number): Swap => {
  const { phase } = gradually(direction, from);
  return { direction, phase: (delivery) => (delivery.now < from + RETURN_MS ? phase(delivery) : 'Before') };
};

/** The values that differ from those that either version alone leaves, except the formats of rows, which older versions do not write. */
function differences(swapped: Ended, alone: readonly Ended[]): readonly unknown[] {
  return (['objects', 'rows'] as const).flatMap((what) => {
    const keys = new Set([...Object.keys(swapped[what]), ...alone.flatMap((each) => Object.keys(each[what]))]);
    return [...keys].flatMap((key) => {
      const value = JSON.stringify(swapped[what][key]);
      const expected = alone.map((each) => JSON.stringify(each[what][key]));
      return expected.includes(value) ? [] : [{ key, value, expected }];
    });
  });
}

export function swaps(direction: Direction): void {
  const base = inject('base');
  // Reported as skipped, with the reason in the title.
  if ('missing' in base) {
    it.skip(`this version is not tested against the version before: ${base.missing}`, () => undefined);
    return;
  }
  const { folder, name } = base;

  describe(`work in flight at the ${direction} ${direction === 'upgrade' ? 'from' : 'to'} ${name}`, () => {
    it.each(cases)('ends as without a change of versions, at each of many moments: $name', async (subject) => {
      const alone = [
        await playCase(subject, folder, atOnce('upgrade', Number.POSITIVE_INFINITY)),
        await playCase(subject, folder, atOnce('rollback', Number.POSITIVE_INFINITY)),
      ];
      const { base: deliveries } = alone[0]?.handled ?? { base: 0 };
      expect(alone.map(({ isDone, deadLetters }) => [isDone, deadLetters])).toEqual([
        [true, []],
        [true, []],
      ]);
      for (const moment of momentsOf(deliveries)) {
        const swapped = await playCase(subject, folder, atOnce(direction, moment));
        const { isDone, deadLetters, handled } = swapped;
        const found = { moment, isDone, deadLetters, differences: differences(swapped, alone) };
        expect(found).toEqual({ moment, isDone: true, deadLetters: [], differences: [] });
        expect(Math.min(handled.base, handled.head)).toBeGreaterThan(0);
      }
    });

    it.each(scenarioNames)(
      `breaks no promise with both versions side by side for ten minutes, in ${SEEDS.length} random histories with faults: %s`,
      async (scenario) => {
        const broken: object[] = [];
        const total = { base: 0, head: 0 };
        for (const seed of SEEDS) {
          const drawn = historyOf(seed, scenario);
          // A lost table is no matter of versions, and its replacement would need another table.
          const acts = drawn.acts.filter(({ act }) => act.do !== 'lose table');
          const from = START + randomOf(seed).of('change of versions') * (acts.at(-1)?.at ?? 0);
          const swap = (seed % 2 === 0 ? gradually : andBack)(direction, from);
          const { violations, handled } = await playHistory({ ...drawn, acts }, folder, { ...swap, seed });
          if (violations.length > 0) broken.push({ seed, violations });
          total.base += handled.base;
          total.head += handled.head;
        }
        expect(broken).toEqual([]);
        expect(Math.min(total.base, total.head)).toBeGreaterThan(SEEDS.length);
      },
    );
  });
}
