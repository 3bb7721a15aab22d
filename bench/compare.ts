/** Compares the ratios of a run with the recorded ones: `node bench/compare.ts FOLDER` fails if one is worse. `npm run bench -- --check` runs it after the benchmarks. */
import { comparisonsTable } from './comparisons-table.ts';
import { isRegression, regressions } from './regressions.ts';
import { RESULTS, readResults } from './results.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('the folder of the new results is missing: node bench/compare.ts FOLDER');
const comparisons = regressions(await readResults(RESULTS), await readResults(folder));
console.log(comparisonsTable(comparisons));
if (comparisons.some(isRegression)) process.exitCode = 1;
