/** Random acts on a fleet. */
import type { RandomValues } from '../../random-values.ts';
import { commonActs, drawn, lasting } from '../common-acts.ts';
import type { TimedAct } from '../scenario.ts';
import type { Act, PlacementName, PolicySpec } from './acts.ts';
import { memberNames, workloadNames } from './parts.ts';

const GAPS = [0, 500, 5000, 30_000, 120_000, 700_000] as const;
const PLACEMENTS: readonly [PlacementName, ...PlacementName[]] = [
  'dynamic',
  'dynamic',
  'aggregated',
  'static',
  'two of them',
  'one of them',
];
const POLICIES: readonly [PolicySpec, ...PolicySpec[]] = [
  'home',
  'home',
  'slow',
  'dry run',
  'graceful only',
  'suspended',
];

export function drawActs(random: RandomValues): readonly TimedAct<Act>[] {
  const count = 2 + random.below('acts', 16);
  let at = 60_000;
  return Array.from({ length: count }, (_, turn) => {
    at += Math.round(random.of(`gap ${turn}`) * random.pick(`gaps ${turn}`, GAPS));
    return { at, act: drawAct(random, turn) };
  });
}

export function drawAct(random: RandomValues, turn: number): Act {
  const member = random.pick(`member ${lasting(random, 'member', turn)}`, memberNames);
  const workload = random.pick(`workload ${lasting(random, 'workload', turn)}`, workloadNames);
  const workloads = workloadNames.filter((each) => random.of(`rebalances ${each} ${turn}`) < 0.5);
  return drawn<Act>(random, turn, [
    [10, { do: 'fail', member }],
    [12, { do: 'recover', member }],
    [3, { do: 'evict', member }],
    [26, { do: 'capacity', member, slots: random.pick(`slots ${turn}`, [0, 2, 4, 8, 60]) }],
    [5, { do: 'ready after', member, ms: random.pick(`delay ${turn}`, [500, 2000, 20_000, 90_000]) }],
    [8, { do: 'scale', workload, replicas: 2 + random.below(`replicas ${turn}`, 11) }],
    [4, { do: 'template', workload, version: turn }],
    [5, { do: 'placement', workload, placement: random.pick(`placement ${turn}`, PLACEMENTS) }],
    [10, { do: 'rebalance', name: `r${turn}`, workloads: workloads.length > 0 ? workloads : [workload] }],
    [12, { do: 'policy', spec: random.pick(`policy ${turn}`, POLICIES) }],
    [3, { do: 'delete policy' }],
    [2, { do: 'scheduler down' }],
    [3, { do: 'scheduler up' }],
    ...commonActs(random, turn),
  ]);
}
