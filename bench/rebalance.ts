/**
 * Measures a rebalance from create to finish on one real API server, in turn: Evenkeel as the local run with the shipped account,
 * Karmada's own controller at its defaults and with no limit on its client, and the floor: the same patches in a bare loop.
 *
 *   node bench/rebalance.ts [--sizes 100,1000,3000] [--rounds 3] [--rounds-of-defaults 1] [--rounds-of-first 30] [--beside 2] [--seconds 900]
 *
 * It starts and stops its own rig. `--only Evenkeel,floor`: without the others. `--beside`: rounds beside a client that keeps the API server busy. The result is
 * saved in results/rebalance.json.
 */
import { parseArgs } from 'node:util';
import { countOption } from './count-option.ts';
import { closeArena, openArena } from './rebalance/arena.ts';
import { type Beside, measureBeside, OTHER_LOOPS } from './rebalance/beside.ts';
import { type Contestant, contestantNames, contestantsIn } from './rebalance/contestants.ts';
import { runRounds } from './rebalance/rounds.ts';
import { besideFigures, besideRatios, figuresOf, ratiosOf } from './rebalance/summary.ts';
import { begin } from './results.ts';

const { values } = parseArgs({
  options: {
    rig: { type: 'string', default: 'bench-rebalance' },
    sizes: { type: 'string', default: '100,1000,3000' },
    rounds: { type: 'string', default: '3' },
    'rounds-of-defaults': { type: 'string', default: '1' },
    'rounds-of-first': { type: 'string', default: '30' },
    beside: { type: 'string', default: '2' },
    'beside-workloads': { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '900' },
    only: { type: 'string', default: contestantNames.join() },
  },
});
const sizes = values.sizes.split(',').map((text) => countOption('sizes', text, 5000, 0));
const plan = {
  sizes,
  rounds: countOption('rounds', values.rounds, 20, 0),
  roundsOfDefaults: countOption('rounds-of-defaults', values['rounds-of-defaults'], 20, 0),
  roundsOfFirst: countOption('rounds-of-first', values['rounds-of-first'], 50, 0),
  seconds: countOption('seconds', values.seconds, 900, 0),
  watchUpTo: 100,
};
const besideOf = {
  workloads: countOption('beside-workloads', values['beside-workloads'], 5000, 0),
  rounds: countOption('beside', values.beside, 10, 0),
};
const bench = begin('rebalance');
const arena = await openArena(values.rig, Math.max(...sizes, besideOf.workloads));
let contestants: readonly Contestant[] = [];
let interrupted = false;
/** An interrupt still stops the rig: its connections end, and that ends the turn. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted = true;
    arena.interruption.abort();
  });
}
try {
  contestants = await contestantsIn(arena, values.only);
  const turns = await runRounds(arena, contestants, plan);
  const others = contestants.filter(({ name }) => name === 'Evenkeel' || name === 'Karmada, unlimited');
  const beside: readonly Beside[] = besideOf.rounds === 0 ? [] : await measureBeside(arena, others, besideOf);
  await bench.keep({
    versions: { 'kube-apiserver': arena.server, Karmada: arena.karmada },
    figures: [...figuresOf(turns), ...besideFigures(beside)],
    ratios: [...ratiosOf(turns), ...besideRatios(beside)],
    details: {
      bindingBytes: arena.bindingBytes,
      inFlight: 16,
      otherClientLoops: OTHER_LOOPS,
      turns: turns.map(({ name, workloads, round, use }) => ({ name, workloads, round, requests: use.requests })),
    },
  });
} catch (thrown) {
  if (!interrupted) throw thrown;
  console.error('interrupted');
  process.exitCode = 130;
} finally {
  for (const each of contestants) await each.close();
  await closeArena(arena);
}
