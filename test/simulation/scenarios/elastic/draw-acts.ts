/** Random acts on a fleet with ElasticWorkloads. */
import type { Lots } from '../../lots.ts';
import { commonActs, drawn, lasting } from '../common-acts.ts';
import type { TimedAct } from '../scenario.ts';
import type { Act } from './acts.ts';
import {
  balanceNames,
  distributionNames,
  managedClusterNames,
  NO_PLACEMENT,
  PLACEMENT,
  placementNames,
  type WorkloadName,
} from './parts.ts';

const GAPS = [0, 500, 5000, 30_000, 120_000, 700_000] as const;
const WORKLOADS: readonly [WorkloadName, ...WorkloadName[]] = ['web', 'web', 'web', 'api', 'rival'];

export function drawActs(lots: Lots): readonly TimedAct<Act>[] {
  const count = 2 + lots.below('acts', 16);
  let at = 60_000;
  const acts = Array.from({ length: count }, (_, turn): TimedAct<Act> => {
    at += Math.round(lots.of(`gap ${turn}`) * lots.pick(`gaps ${turn}`, GAPS));
    return { at, act: drawAct(lots, turn) };
  });
  return [{ at: 10_000, act: creation(lots, 'web', -1) }, ...acts];
}

function drawAct(lots: Lots, turn: number): Act {
  const managedCluster = lots.pick(`spoke ${lasting(lots, 'spoke', turn)}`, managedClusterNames);
  const workload = lots.pick(`workload ${lasting(lots, 'workload', turn)}`, WORKLOADS);
  const below = (what: string, limit: number) => lots.below(`${what} ${turn}`, limit);
  return drawn<Act>(lots, turn, [
    [10, { do: 'fail', managedCluster }],
    [12, { do: 'recover', managedCluster }],
    [14, { do: 'capacity', managedCluster, slots: lots.pick(`slots ${turn}`, [0, 1, 3, 6, 60]) }],
    [5, { do: 'ready after', managedCluster, ms: lots.pick(`delay ${turn}`, [500, 2000, 20_000, 90_000]) }],
    [11, { do: 'scale there', managedCluster, workload, replicas: below('there', 9) }],
    [8, { do: 'join', managedCluster: 'spoke4' }],
    [9, { do: 'taint', managedCluster }],
    [7, { do: 'untaint', managedCluster }],
    [8, { do: 'placement', selects: lots.pick(`selects ${turn}`, placementNames) }],
    [14, creation(lots, workload, turn)],
    [6, { do: 'delete', workload }],
    [12, { do: 'total', workload, total: below('total', 16) }],
    [10, { do: 'distribution', workload, distribution: lots.pick(`distribution ${turn}`, distributionNames) }],
    [8, { do: 'balance', workload, ...strategy(lots, turn) }],
    [5, { do: 'template', workload, version: turn }],
    [3, { do: 'place by', workload, placement: lots.pick(`placed by ${turn}`, [PLACEMENT, NO_PLACEMENT]) }],
    [2, { do: 'collect', workload, by: lots.pick(`collect ${turn}`, ['Feedback', 'PollingGet']) }],
    [2, { do: 'import away' }],
    [2, { do: 'import back' }],
    [5, { do: 'delete work', managedCluster, workload }],
    [4, { do: 'edit work', managedCluster, workload, replicas: below('edited', 9) }],
    ...commonActs(lots, turn),
  ]);
}

function creation(lots: Lots, workload: WorkloadName, turn: number): Act {
  const total = 1 + lots.below(`first total ${turn}`, 15);
  const distribution = lots.pick(`first distribution ${turn}`, distributionNames);
  return { do: 'create', workload, total, distribution, ...strategy(lots, turn) };
}

function strategy(lots: Lots, turn: number) {
  return {
    balance: lots.pick(`balance ${turn}`, balanceNames),
    transfer: lots.pick(`transfer ${turn}`, ['Bursty', 'Conservative'] as const),
    hesitation: lots.pick(`hesitation ${turn}`, [20, 60, 300] as const),
  };
}
