/** Compares the ratios of a run with those that are kept: `node bench/compare.ts FOLDER` fails where one is worse. `npm run bench -- --check` does it after a run. */

import { isRegression, regressions } from './regressions.ts';
import { RESULTS, readResults } from './results.ts';
import { verdictsTable } from './verdicts-table.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('the folder of the new results is missing: node bench/compare.ts FOLDER');
const verdicts = regressions(await readResults(RESULTS), await readResults(folder));
console.log(verdictsTable(verdicts));
if (verdicts.some(isRegression)) process.exitCode = 1;
