/**
 * Counts what AWS bills for an hour of one hub with 1 % of its bindings changed, without and with the feature history. docs/operations/cost.md has the difference by the month.
 *
 *   node bench/history-cost.ts [--bindings 10000]
 *
 * The deployment is that of bench/monthly-cost.ts. The result is saved in results/history-cost.json.
 */
import { parseArgs } from 'node:util';
import { askProcess, startProcess } from './ask-process.ts';
import type { Backend } from './function-cost/backend-process.ts';
import { gbSecondsOf, memoryMb } from './function-cost/counts.ts';
import { HUB } from './function-cost/deployment.ts';
import type { HubCounts } from './monthly-cost/hub-counts.ts';
import { deployHubs } from './monthly-cost/hub-deployment.ts';
import { changesOf, playHour } from './monthly-cost/hub-hours.ts';
import type { HubRequest } from './monthly-cost/hub-process.ts';
import { figure } from './result.ts';
import { begin } from './results.ts';

const CHANGED_SHARE = 0.01;
const START_MS = 120_000;

const { values } = parseArgs({ options: { bindings: { type: 'string', default: '10000' } } });
const bindings = Number(values.bindings);
const changed = Math.round(bindings * CHANGED_SHARE);

const bench = begin('history-cost');
const child = startProcess(new URL('./monthly-cost/hub-process.ts', import.meta.url));
try {
  const start: HubRequest = { do: 'start', bindings };
  const deployment = deployHubs(await askProcess<Backend>(child, start, START_MS));
  await deployment.register([HUB]);
  const playChanges = () => playHour(deployment, changesOf(deployment, child, changed));
  // Resync compares all bindings first, and the first rows of a history have no moves: the second hour of each counts.
  await playChanges();
  const without = await playChanges();
  await deployment.recordHistory();
  await playChanges();
  const before = await deployment.storedBytes();
  const recorded = await playChanges();
  const hourBytes = (await deployment.storedBytes()) - before;
  await deployment.close();
  const seconds = (counts: HubCounts) => [gbSecondsOf(counts, memoryMb)];
  await bench.keep({
    figures: [
      figure('an hour with 1 % changed bindings: billed duration', 'GB-seconds', seconds(without)),
      figure('the same with --history: billed duration', 'GB-seconds', seconds(recorded)),
      figure('an hour of history: rows in the table', 'bytes', [hourBytes]),
    ],
    ratios: [],
    details: { bindings, changed, hourBytes, counts: { without, recorded } },
  });
} finally {
  child.kill();
}
