/** Measures one reconcile of an ElasticWorkload, by clusters and replicas. `node bench/balancing.ts` saves the result in results/balancing.json. */
import { measureBalancing } from './balancing/decisions.ts';
import { begin } from './results.ts';

const bench = begin('balancing');
const measured = measureBalancing({ rounds: 30 });
await bench.keep({ figures: measured.map(({ ms }) => ms), ratios: measured.flatMap(({ ratio }) => ratio ?? []) });
