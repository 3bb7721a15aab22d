/** Random acts on a fleet with budgets. */
import type { RandomValues } from '../../random-values.ts';
import { drawn, lasting } from '../common-acts.ts';
import { drawAct as drawFleetAct } from '../fleet/draw-acts.ts';
import { memberNames } from '../fleet/parts.ts';
import type { TimedAct } from '../scenario.ts';
import type { Act, BudgetName } from './acts.ts';

/** A budget counts for the oracle once it has applied for minutes. */
const GAPS = [0, 5000, 60_000, 300_000, 700_000] as const;
const BUDGETS: readonly [BudgetName, ...BudgetName[]] = [
  'few on the hub',
  'few on the hub',
  'few off each cluster',
  'two of each workload',
  'few in ten minutes',
  'no policy, and few',
  'nothing this hour',
  'nothing',
];

export function drawActs(random: RandomValues): readonly TimedAct<Act>[] {
  const count = 3 + random.below('acts', 14);
  let at = 60_000;
  const first: TimedAct<Act> = { at, act: { do: 'budget', budget: random.pick('first budget', BUDGETS) } };
  const others = Array.from({ length: count }, (_, turn) => {
    at += Math.round(random.of(`gap ${turn}`) * random.pick(`gaps ${turn}`, GAPS));
    return { at, act: drawAct(random, turn) };
  });
  return [first, ...others];
}

function drawAct(random: RandomValues, turn: number): Act {
  const member = random.pick(`member ${lasting(random, 'member', turn)}`, memberNames);
  return drawn<Act>(random, turn, [
    [5, { do: 'budget', budget: random.pick(`budget ${turn}`, BUDGETS) }],
    [1, { do: 'delete budget' }],
    [12, { do: 'drain', member }],
    [6, { do: 'end drain', member }],
    [60, drawFleetAct(random, turn)],
  ]);
}
