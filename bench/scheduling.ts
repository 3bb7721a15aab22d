/** Measures one scheduling decision, by clusters and by replicas. `node bench/scheduling.ts` saves the result in results/scheduling.json. */
import { begin } from './results.ts';
import { measureScheduling } from './scheduling/decisions.ts';

const bench = begin('scheduling');
const measured = measureScheduling({ rounds: 30 });
await bench.keep({ figures: measured.map(({ ms }) => ms), ratios: measured.flatMap(({ ratio }) => ratio ?? []) });
