/** Random acts on a fleet with ElasticWorkloads. */
import type { RandomValues } from '../../random-values.ts';
import { commonActs, drawn, lasting } from '../common-acts.ts';
import type { TimedAct } from '../scenario.ts';
import type { Act } from './acts.ts';
import {
  balanceNames,
  distributionNames,
  firstManagedClusters,
  managedClusterNames,
  NO_PLACEMENT,
  PLACEMENT,
  placementNames,
  type WorkloadName,
} from './parts.ts';

const GAPS = [0, 500, 5000, 30_000, 120_000, 700_000] as const;
/** In one history of this many, a second ElasticWorkload writes a ManifestWork for the same target. */
const RIVALRIES_ONE_IN = 12;
const WORKLOADS: readonly [WorkloadName, ...WorkloadName[]] = ['web', 'web', 'web', 'api', 'rival'];

export function drawActs(random: RandomValues): readonly TimedAct<Act>[] {
  const count = 2 + random.below('acts', 16);
  let at = 60_000;
  const acts = Array.from({ length: count }, (_, turn): TimedAct<Act> => {
    at += Math.round(random.of(`gap ${turn}`) * random.pick(`gaps ${turn}`, GAPS));
    return { at, act: drawAct(random, turn) };
  });
  const all = [{ at: 10_000, act: creation(random, 'web', -1) }, ...rivalry(random), ...acts];
  return all.toSorted((a, b) => a.at - b.at);
}

function rivalry(random: RandomValues): readonly TimedAct<Act>[] {
  if (random.below('rivalry', RIVALRIES_ONE_IN) > 0) return [];
  const managedCluster = random.pick('managed cluster of rival', firstManagedClusters);
  const stale: Act = { do: 'leave work of rival', managedCluster, replicas: random.below('replicas of rival', 9) };
  return [
    { at: 30_000, act: creation(random, 'rival', -2) },
    { at: 60_000 + random.below('time of rival', 600_000), act: stale },
  ];
}

function drawAct(random: RandomValues, turn: number): Act {
  const managedCluster = random.pick(`spoke ${lasting(random, 'spoke', turn)}`, managedClusterNames);
  const workload = random.pick(`workload ${lasting(random, 'workload', turn)}`, WORKLOADS);
  const below = (what: string, limit: number) => random.below(`${what} ${turn}`, limit);
  return drawn<Act>(random, turn, [
    [10, { do: 'fail', managedCluster }],
    [12, { do: 'recover', managedCluster }],
    [14, { do: 'capacity', managedCluster, slots: random.pick(`slots ${turn}`, [0, 1, 3, 6, 60]) }],
    [5, { do: 'ready after', managedCluster, ms: random.pick(`delay ${turn}`, [500, 2000, 20_000, 90_000]) }],
    [11, { do: 'scale there', managedCluster, workload, replicas: below('there', 9) }],
    [8, { do: 'join', managedCluster: 'spoke4' }],
    [9, { do: 'taint', managedCluster }],
    [7, { do: 'untaint', managedCluster }],
    [8, { do: 'placement', selects: random.pick(`selects ${turn}`, placementNames) }],
    [14, creation(random, workload, turn)],
    [6, { do: 'delete', workload }],
    [12, { do: 'total', workload, total: below('total', 16) }],
    [10, { do: 'distribution', workload, distribution: random.pick(`distribution ${turn}`, distributionNames) }],
    [8, { do: 'balance', workload, ...strategy(random, turn) }],
    [5, { do: 'template', workload, version: turn }],
    [3, { do: 'place by', workload, placement: random.pick(`placed by ${turn}`, [PLACEMENT, NO_PLACEMENT]) }],
    [2, { do: 'collect', workload, by: random.pick(`collect ${turn}`, ['Feedback', 'PollingGet']) }],
    [2, { do: 'delete import' }],
    [2, { do: 'create import' }],
    [5, { do: 'delete work', managedCluster, workload }],
    [4, { do: 'edit work', managedCluster, workload, replicas: below('edited', 9) }],
    ...commonActs(random, turn),
  ]);
}

function creation(random: RandomValues, workload: WorkloadName, turn: number): Act {
  const total = 1 + random.below(`first total ${turn}`, 15);
  const distribution = random.pick(`first distribution ${turn}`, distributionNames);
  return { do: 'create', workload, total, distribution, ...strategy(random, turn) };
}

function strategy(random: RandomValues, turn: number) {
  return {
    balance: random.pick(`balance ${turn}`, balanceNames),
    transfer: random.pick(`transfer ${turn}`, ['Bursty', 'Conservative'] as const),
    hesitation: random.pick(`hesitation ${turn}`, [20, 60, 300] as const),
  };
}
