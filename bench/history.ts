/**
 * Measures queries of recorded placements on the table of the local run: 10,000 workloads, 1 % changed an hour, for 30 days.
 * `node bench/history.ts` saves the result in results/history.json; writing the 216,000 rows takes a few minutes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTable } from '../local/table.ts';
import { historyRows, measureHistory, writeHistory } from './history/queries.ts';
import { begin } from './results.ts';

const bench = begin('history');
const folder = await mkdtemp(join(tmpdir(), 'evenkeel-history-'));
const table = await startTable(folder);
try {
  await writeHistory(table.history);
  await bench.keep({
    figures: [...(await measureHistory(table.history, { rounds: 30 })), ...historyRows()],
    ratios: [],
  });
} finally {
  await table.close();
  await rm(folder, { recursive: true });
}
