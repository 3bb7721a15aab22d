/**
 * Measures a rebalance until replicas are assigned: from the creation of a WorkloadRebalancer until every binding is rescheduled
 * (lastScheduledTime of its status), on one real API server, in turn: Evenkeel with its own scheduler, Karmada's rebalancer and scheduler at their
 * defaults and with no limit on their clients, and the floor: two bare patches a binding.
 *
 *   node bench/moved.ts [--bindings 3000] [--rounds 3] [--rounds-of-defaults 1] [--only Evenkeel,floor]
 *
 * It starts and stops its own rig. The result is saved in results/moved.json.
 */
import { parseArgs } from 'node:util';
import { startClusterApi } from '../test/rig/parts/karmada.ts';
import { makeBindings } from './bindings.ts';
import { countOption } from './count-option.ts';
import { makeClusters } from './moved/clusters.ts';
import { type Contender, contenderNames, contendersIn, markScheduled } from './moved/contenders.ts';
import { closeArena, openArena } from './rebalance/arena.ts';
import { inTurn } from './rebalance/rounds.ts';
import { figure, ratio } from './result.ts';
import { begin } from './results.ts';

const { values } = parseArgs({
  options: {
    rig: { type: 'string', default: 'bench-moved' },
    bindings: { type: 'string', default: '3000' },
    rounds: { type: 'string', default: '3' },
    'rounds-of-defaults': { type: 'string', default: '1' },
    only: { type: 'string', default: contenderNames.join() },
  },
});
const [bindings, rounds, ofDefaults] = [
  countOption('bindings', values.bindings, 5000),
  countOption('rounds', values.rounds, 20),
  countOption('rounds-of-defaults', values['rounds-of-defaults'], 20),
];
const OF_KARMADA = 'evenkeel-bench-karmada';

const bench = begin('moved');
const arena = await openArena(values.rig, bindings, 'evenkeel');
let contenders: readonly Contender[] = [];
const times = new Map<string, number[]>();
try {
  await startClusterApi(arena.rig, arena.hub);
  const clusters = await makeClusters(arena.admin);
  await makeBindings(arena.admin, OF_KARMADA, bindings, 'default-scheduler');
  const ofKarmada = { ...arena, namespace: OF_KARMADA };
  for (const each of [arena, ofKarmada]) await markScheduled(each);
  contenders = await contendersIn({ arena, ofKarmada, only: values.only });
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of inTurn(contenders, round)) {
      if (contender.name === 'Karmada, defaults' && round >= ofDefaults) continue;
      await contender.enter();
      await clusters.turn();
      const ms = await contender.reschedule(arena.names);
      await contender.leave();
      console.log(`round ${round + 1}: ${bindings} bindings, ${contender.name}: ${Math.round(ms)} ms`);
      times.set(contender.name, [...(times.get(contender.name) ?? []), ms]);
    }
  }
  const of = (name: (typeof contenderNames)[number]) => times.get(name) ?? [];
  const label = `${bindings} bindings, from create to rescheduled`;
  const compare = (name: string, values: readonly number[], base: readonly number[], goal: object) =>
    values.length === 0 || base.length === 0
      ? []
      : [
          ratio(`${label}: ${name}`, { values, base, kind: 'time', published: true, ...goal } as Parameters<
            typeof ratio
          >[1]),
        ];
  await bench.keep({
    versions: { 'kube-apiserver': arena.server, Karmada: arena.karmada },
    figures: contenderNames.flatMap((name) =>
      of(name).length > 0 ? [figure(`${label}: ${name}`, 'ms', of(name))] : [],
    ),
    ratios: [
      ...compare('Evenkeel, to the floor', of('Evenkeel'), of('floor'), { better: 'lower', goal: 1.2 }),
      ...compare('Karmada unlimited, to Evenkeel', of('Karmada, unlimited'), of('Evenkeel'), {
        better: 'higher',
        goal: 2,
      }),
      ...compare('Karmada at its defaults, to Evenkeel', of('Karmada, defaults'), of('Evenkeel'), {
        better: 'higher',
        goal: 8,
      }),
      ...compare('Karmada at its defaults, to the floor', of('Karmada, defaults'), of('floor'), { better: 'higher' }),
    ],
  });
} finally {
  for (const each of contenders) await each.close();
  await closeArena(arena);
}
