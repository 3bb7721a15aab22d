/** What one cluster event costs a hub with policies, in time and requests. `node bench/policies.ts` prints it and keeps it in results/policies.json. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measureEvaluations } from './policies/evaluations.ts';

const ROUNDS = 15;
const fleets = [
  { workloads: 2000, policies: 1 },
  { workloads: 2000, policies: 10 },
  { workloads: 200, policies: 10 },
];

const results = await measureEvaluations(fleets, ROUNDS);
for (const { workloads, policies, ms, ratio, requests } of results) {
  console.log(
    `${workloads} workloads`.padStart(15),
    `${policies} policies`.padStart(12),
    `${ms.median} ms (${ms.min} to ${ms.max})`.padStart(34),
    `${ratio} x`.padStart(9),
  );
  for (const [what, count] of Object.entries(requests)) console.log(`${''.padStart(20)}${count} ${what}`);
}
writeFileSync(
  join(import.meta.dirname, 'results', 'policies.json'),
  `${JSON.stringify({ node: process.version, results }, null, 2)}\n`,
);
