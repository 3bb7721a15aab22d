/**
 * Counts what AWS bills for an hour of one hub, idle and with 1 % of its bindings changed, and for the schedules of 1, 100 and 1,000 hubs. The monthly bill of docs/operations/cost.md is
 * computed from it.
 *
 *   node bench/monthly-cost.ts [--bindings 10000]
 *
 * The functions, with all their caches, run on a virtual clock; bus, table, secrets and hub respond with the latency of deployed ones. The result is saved in
 * results/monthly-cost.json.
 */
import { parseArgs } from 'node:util';
import { askProcess, startProcess } from './ask-process.ts';
import type { Backend } from './function-cost/backend-process.ts';
import { gbSecondsOf, memoryMb } from './function-cost/counts.ts';
import { HUB, LATENCY } from './function-cost/deployment.ts';
import type { HubCounts } from './monthly-cost/hub-counts.ts';
import { deployHubs } from './monthly-cost/hub-deployment.ts';
import { changesOf, playHour, playSixHourly, playSweep, publishedHour } from './monthly-cost/hub-hours.ts';
import { SECRET_MS } from './monthly-cost/hub-ports.ts';
import type { HubRequest } from './monthly-cost/hub-process.ts';
import { HUB_NUMBERS } from './monthly-cost/monthly-bill.ts';
import { figure } from './result.ts';
import { begin } from './results.ts';

const CHANGED_SHARE = 0.01;
const START_MS = 120_000;

const { values } = parseArgs({ options: { bindings: { type: 'string', default: '10000' } } });
const bindings = Number(values.bindings);
const changed = Math.round(bindings * CHANGED_SHARE);

const bench = begin('monthly-cost');
const child = startProcess(new URL('./monthly-cost/hub-process.ts', import.meta.url));
try {
  const start: HubRequest = { do: 'start', bindings };
  const deployment = deployHubs(await askProcess<Backend>(child, start, START_MS));
  await deployment.register([HUB]);
  deployment.take();
  const sixHourly = await playSixHourly(deployment);
  const idle = await playHour(deployment);
  const busy = await playHour(deployment, changesOf(deployment, child, changed));
  const storedBytes = await deployment.storedBytes();
  const sweep = await playSweep(deployment);
  const schedules: { readonly hubs: number; readonly counts: HubCounts }[] = [];
  for (const hubs of HUB_NUMBERS) {
    await deployment.register([HUB, ...Array.from({ length: hubs - 1 }, (_, i) => `hub-${i + 1}`)]);
    schedules.push({ hubs, counts: await publishedHour(deployment) });
  }
  await deployment.close();
  const seconds = (counts: HubCounts) => [gbSecondsOf(counts, memoryMb)];
  await bench.keep({
    figures: [
      figure('an idle hour of a hub: billed duration', 'GB-seconds', seconds(idle)),
      figure('an hour with 1 % changed bindings of a hub: billed duration', 'GB-seconds', seconds(busy)),
    ],
    ratios: [],
    details: {
      ...{ bindings, changed, latencyMs: { ...LATENCY, secret: SECRET_MS }, storedBytes },
      counts: { idle, busy, sixHourly, sweep, schedules },
    },
  });
} finally {
  child.kill();
}
