/** Plays seeds in a worker thread, with a planted bug if one is given. */
import { parentPort, workerData } from 'node:worker_threads';
import { plant } from './planted/plant.ts';
import type { Played } from './play.ts';
import type { ScenarioName } from './scenarios/scenarios.ts';

export interface Work {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly planted: string | undefined;
  readonly scenario: ScenarioName | undefined;
  readonly hubs: number | undefined;
}

export interface Finding {
  readonly seed: number;
  readonly played: Played;
}

const { from, to, step, planted, scenario, hubs } = workerData as Work;
if (planted !== undefined) plant(planted);
const { historyOf, play } = await import('./play.ts');
for (let seed = from; seed < to; seed += step) {
  parentPort?.postMessage({ seed, played: await play(historyOf(seed, scenario, hubs)) } satisfies Finding);
}
