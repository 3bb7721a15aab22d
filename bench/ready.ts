/**
 * Measures how much readiness a move costs: the replica-seconds below the requested number, from the creation of a WorkloadRebalancer until all
 * replicas are ready in their new places, counted by watches of the pods in the members of a real Karmada. In turn: Karmada's rebalancer and
 * scheduler at their defaults, and Evenkeel with graceful reduction. Half of 12 replicas move, and a pod is ready 10 s after it has a node.
 *
 *   node bench/ready.ts [--rounds 3]
 *
 * It starts and stops its own rig; three rounds take about five minutes on two cores. The result is saved in results/ready.json.
 */
import { parseArgs } from 'node:util';
import { karmadaVersion } from '../test/rig/cache/go-binaries.ts';
import { Rig, rigExists } from '../test/rig/rig.ts';
import { countOption } from './count-option.ts';
import { type ReadyContender, readyContenders } from './ready/contenders.ts';
import { startReadyFleet } from './ready/fleet.ts';
import { type MeasuredMove, measureMove, READY_SECONDS, REPLICAS } from './ready/move.ts';
import { inTurn } from './rebalance/rounds.ts';
import { figure, ratio } from './result.ts';
import { begin } from './results.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const rounds = countOption('rounds', values.rounds, 20);
const RIG = 'bench-ready';

const bench = begin('ready');
// Of an aborted run.
if (rigExists(RIG)) await new Rig(RIG).down();
const rig = new Rig(RIG);
try {
  const fleet = await startReadyFleet(rig);
  try {
    const contenders = readyContenders(fleet);
    const turns: (MeasuredMove & { readonly name: ReadyContender['name'] })[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const contender of inTurn(contenders, round)) {
        await contender.enter();
        const move = await measureMove(fleet, contender, `web-${turns.length + 1}`);
        await contender.leave();
        const { lost, lowest, ms } = move;
        console.log(
          `round ${round + 1}: ${contender.name}: ${lost.toFixed(1)} replica-seconds lost, at the lowest ${lowest} ready, ${Math.round(ms)} ms`,
        );
        turns.push({ name: contender.name, ...move });
      }
    }
    const label = `half of ${REPLICAS} replicas moved, pods ready after ${READY_SECONDS} s`;
    const of = (who: ReadyContender['name'], what: keyof MeasuredMove) =>
      turns.filter(({ name }) => name === who).map((turn) => turn[what]);
    await bench.keep({
      versions: { Karmada: karmadaVersion() },
      figures: contenders.flatMap(({ name }) => [
        figure(`${label}, lost: ${name}`, 'replica-seconds', of(name, 'lost')),
        figure(`${label}, lowest: ${name}`, 'ready replicas', of(name, 'lowest')),
        figure(`${label}, from create until all are ready in place: ${name}`, 'ms', of(name, 'ms')),
      ]),
      ratios: [
        ratio(`${label}, lost: Evenkeel, to Karmada`, {
          ...{ values: of('Evenkeel', 'lost'), base: of('Karmada, defaults', 'lost') },
          ...{ kind: 'time', better: 'lower', goal: 0, published: true },
        }),
        ratio(`${label}, from create until all are ready in place: Evenkeel, to Karmada`, {
          ...{ values: of('Evenkeel', 'ms'), base: of('Karmada, defaults', 'ms') },
          ...{ kind: 'time', better: 'lower', published: true },
        }),
      ],
    });
  } finally {
    fleet.api.close();
  }
} finally {
  await rig.down();
}
