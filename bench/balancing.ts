/** What one look at an ElasticWorkload costs, by clusters and replicas. `node bench/balancing.ts` keeps it in results/balancing.json. */
import { measureBalancing } from './balancing/decisions.ts';
import { begin } from './results.ts';

const bench = begin('balancing');
const measured = measureBalancing({ rounds: 30 });
await bench.keep({ figures: measured.map(({ ms }) => ms), ratios: measured.flatMap(({ ratio }) => ratio ?? []) });
