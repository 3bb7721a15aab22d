/** Random acts on a fleet. */
import type { Lots } from '../../lots.ts';
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

export function drawActs(lots: Lots): readonly TimedAct<Act>[] {
  const count = 2 + lots.below('acts', 16);
  let at = 60_000;
  return Array.from({ length: count }, (_, turn) => {
    at += Math.round(lots.of(`gap ${turn}`) * lots.pick(`gaps ${turn}`, GAPS));
    return { at, act: drawAct(lots, turn) };
  });
}

function drawAct(lots: Lots, turn: number): Act {
  const member = lots.pick(`member ${lasting(lots, 'member', turn)}`, memberNames);
  const workload = lots.pick(`workload ${lasting(lots, 'workload', turn)}`, workloadNames);
  const workloads = workloadNames.filter((each) => lots.of(`rebalances ${each} ${turn}`) < 0.5);
  return drawn<Act>(lots, turn, [
    [10, { do: 'fail', member }],
    [12, { do: 'recover', member }],
    [3, { do: 'drain', member }],
    [26, { do: 'capacity', member, slots: lots.pick(`slots ${turn}`, [0, 2, 4, 8, 60]) }],
    [5, { do: 'ready after', member, ms: lots.pick(`delay ${turn}`, [500, 2000, 20_000, 90_000]) }],
    [8, { do: 'scale', workload, replicas: 2 + lots.below(`replicas ${turn}`, 11) }],
    [4, { do: 'template', workload, version: turn }],
    [5, { do: 'placement', workload, placement: lots.pick(`placement ${turn}`, PLACEMENTS) }],
    [10, { do: 'rebalance', name: `r${turn}`, workloads: workloads.length > 0 ? workloads : [workload] }],
    [12, { do: 'policy', spec: lots.pick(`policy ${turn}`, POLICIES) }],
    [3, { do: 'delete policy' }],
    [2, { do: 'scheduler away' }],
    [3, { do: 'scheduler back' }],
    ...commonActs(lots, turn),
  ]);
}
