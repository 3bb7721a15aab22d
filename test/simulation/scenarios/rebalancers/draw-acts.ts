/** Random acts on few names, so that acts conflict. */
import type { RandomValues } from '../../random-values.ts';
import { commonActs, drawn, lasting } from '../common-acts.ts';
import type { TimedAct } from '../scenario.ts';
import type { Act } from './acts.ts';
import { workloadNames } from './workloads.ts';

export const rebalancerNames = ['r1', 'r2', 'r3'] as const;
const TTLS = [0, 0, 5, 60, 900] as const;
/** The maximum of the time between two acts, in ms. */
const GAPS = [0, 0, 300, 1000, 5000, 60_000, 600_000] as const;
export function drawActs(random: RandomValues): readonly TimedAct<Act>[] {
  const count = 2 + random.below('acts', 24);
  // The acts of a history are mostly sequential, or mostly concurrent.
  const hurry = random.pick('hurry', [1, 1, 0.2, 0.01]);
  let at = 0;
  return Array.from({ length: count }, (_, turn) => {
    at += Math.round(random.of(`gap ${turn}`) * random.pick(`gaps ${turn}`, GAPS) * hurry);
    return { at, act: drawAct(random, turn) };
  });
}

function drawAct(random: RandomValues, turn: number): Act {
  const name = random.pick(`name ${lasting(random, 'name', turn)}`, rebalancerNames);
  const workload = random.pick(`workload ${lasting(random, 'workload', turn)}`, workloadNames);
  const list = workloadNames.filter(
    (each) => random.of(`lists ${each} ${turn}`) < random.pick(`size ${turn}`, [0.3, 0.7]),
  );
  const workloads = list.length > 0 ? shuffled(random, turn, list) : [workload];
  const ttl = random.pick(`ttl ${turn}`, TTLS);
  const create: Act = { do: 'create', name, workloads, ...(random.of(`has ttl ${turn}`) < 0.5 && { ttl }) };
  const acts: readonly (readonly [number, Act])[] = [
    [turn === 0 ? 1000 : 22, create],
    [14, { do: 'edit list', name, workloads }],
    [8, { do: 'edit ttl', name, ttl: random.of(`no ttl ${turn}`) < 0.3 ? null : ttl }],
    [3, { do: 'label', name }],
    [5, { do: 'delete', name }],
    [5, { do: 'bind', workload }],
    [5, { do: 'unbind', workload }],
    [7, { do: 'schedule', workload }],
    [6, { do: 'trigger', workload }],
    [3, { do: 'scheduler down' }],
    [3, { do: 'scheduler up' }],
    ...commonActs(random, turn),
  ];
  return drawn(random, turn, acts);
}

function shuffled(random: RandomValues, turn: number, list: readonly string[]): readonly string[] {
  return [...list].sort((a, b) => random.of(`order ${a} ${turn}`) - random.of(`order ${b} ${turn}`));
}
