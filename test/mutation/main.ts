/**
 * `npm run mutation`, or of some parts `npm run mutation -- admission assignment`: changes the code in every way Stryker
 * knows, and counts which changes no test notices. Exits 1 below the least score. A part with `oneIn` is sampled, unless `--all`
 * is given; `--again` runs only what changed since the last run with it, and the mutants that survived where a test was added.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parts } from './parts.ts';
import { percentOf, type Report, type Score, scoreOf } from './score.ts';

const LEAST = 90;
const { values: given, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, again: { type: 'boolean' } },
});

function run(name: string): Score {
  const part = parts[name];
  if (part === undefined) throw new Error(`there is no part ${name}; there are ${Object.keys(parts).join(', ')}`);
  const again = given.again ? ['--incremental', '--incrementalFile', `reports/mutation/${name}/incremental.json`] : [];
  const { status } = spawnSync('npx', ['stryker', 'run', '--mutate', part.mutate.join(','), ...again], {
    stdio: 'inherit',
    env: {
      ...process.env,
      EVENKEEL_MUTATION_PART: name,
      EVENKEEL_MUTATION_ONE_IN: String(given.all ? 1 : (part.oneIn ?? 1)),
      EVENKEEL_MUTATION_TIMEOUT_MS: String(part.timeoutMs ?? 120_000),
    },
  });
  if (status !== 0) throw new Error(`Stryker ended with ${status} in part ${name}`);
  const score = scoreOf(JSON.parse(readFileSync(`reports/mutation/${name}/mutation.json`, 'utf8')) as Report);
  if (score.of === 0) throw new Error(`nothing was changed in part ${name}: ${part.mutate.join(', ')} name no file`);
  return score;
}

function print(name: string, score: Score): void {
  console.log(`${percentOf(score).toFixed(1).padStart(6)} % of ${String(score.of).padStart(5)} in ${name}`);
}

const scores = (named.length > 0 ? named : Object.keys(parts)).map((name) => [name, run(name)] as const);
for (const [, { survivors }] of scores) for (const survivor of survivors) console.log(`survived: ${survivor}`);
for (const [name, score] of scores) print(name, score);
const total = scores.reduce((sum, [, { noticed, of }]) => ({ noticed: sum.noticed + noticed, of: sum.of + of }), {
  noticed: 0,
  of: 0,
});
print('all', { ...total, survivors: [] });
process.exitCode = percentOf(total) < LEAST ? 1 : 0;
