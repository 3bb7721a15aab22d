/** Measures the time and requests of one cluster event on a hub with policies. `node bench/policies.ts` saves the result in results/policies.json. */
import { measureEvaluations } from './policies/evaluations.ts';
import { begin } from './results.ts';

const ROUNDS = 15;
const fleets = [
  { workloads: 2000, policies: 1 },
  { workloads: 2000, policies: 10 },
  { workloads: 200, policies: 10 },
];

const bench = begin('policies');
const measured = await measureEvaluations(fleets, ROUNDS);
await bench.keep({
  figures: measured.map(({ ms }) => ms),
  ratios: measured.flatMap(({ ratios }) => ratios),
  details: measured.map(({ workloads, policies, requests }) => ({ workloads, policies, requests })),
});
