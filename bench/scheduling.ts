/** What one scheduling decision costs: by clusters, and by replicas. `node bench/scheduling.ts` prints it and keeps it in results/scheduling.json. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureScheduling } from './scheduling/decisions.ts';

const results = measureScheduling({ rounds: 30 });
for (const { strategy, mode, clusters, replicas, ms, ratio } of results)
  console.log(
    `${strategy} ${mode}`.padEnd(22),
    `${clusters} clusters`.padStart(14),
    `${replicas} replicas`.padStart(18),
    `${ms.median} ms (${ms.min} to ${ms.max})`.padStart(28),
    `${ratio} x`.padStart(10),
  );
writeFileSync(
  join(import.meta.dirname, 'results', 'scheduling.json'),
  `${JSON.stringify({ node: process.version, results }, null, 2)}\n`,
);
