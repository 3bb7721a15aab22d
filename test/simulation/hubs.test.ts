/** One deployment with many hubs on virtual time: the oracles hold on each hub under any faults, and no healthy hub waits for the others. */
import { expect, it } from 'vitest';
import { cases, isDeep } from '../depth.ts';
import { faultKinds } from './injected-fault.ts';
import { runSeeds } from './run-seeds.ts';

const HUBS = cases({ few: 2, all: 300 });
/** A history with every kind of fault. */
const SEED = 38;
/** Those of estimators, which these hubs don't have. */
const ELSEWHERE: readonly string[] = ['silent', 'rubbish', 'exaggerated'];

it(`violates no promise on any of ${HUBS} hubs, and lets no healthy hub wait longer than twice its fair share`, async () => {
  const { totals, broken } = await runSeeds({ from: SEED, count: 1, threads: 1, scenario: 'hubs', hubs: HUBS });
  const violations = broken.map(({ seed, played }) => ({
    replay: `npm run simulate -- --hubs ${HUBS} --seed ${seed}`,
    violations: played.violations,
  }));
  expect(violations).toEqual([]);
  // Five queues compare each hub every twenty minutes, for five hours.
  expect(totals.fairness[0]?.waits).toBeGreaterThan(HUBS * 75);
  const expected = Object.keys(faultKinds).filter((kind) => !ELSEWHERE.includes(kind));
  if (isDeep) expect([...totals.faults.keys()].sort()).toEqual(expected.sort());
});
