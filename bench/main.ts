/**
 * Runs the benchmarks one after another, each in a separate process, and prints a table of their ratios.
 *
 *   npm run bench                        all of them; results go to bench/results
 *   npm run bench -- assignment policies only these
 *   npm run bench -- --check [NAMES]     results go to reports/bench, and their ratios are compared with those in bench/results
 *   npm run bench -- --against REF [--turns 5] [NAMES]
 *                                        runs them by turns in the tree of that commit and in this one; exit code 1 if a time is longer than 1.2 times the base's
 *
 * Benchmarks that need a real API server get one of the rig, which is stopped afterwards. Needs a quiet machine and about half an hour.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { aligned } from '../cli/aligned.ts';
import { commitTree } from '../test/rig/cache/commit-tree.ts';
import { startHub } from '../test/rig/parts/hub.ts';
import { Rig, rigExists } from '../test/rig/rig.ts';
import { comparisonsTable } from './comparisons-table.ts';
import { countOption } from './count-option.ts';
import { ratiosTable } from './ratios-table.ts';
import { isRegression, regressions } from './regressions.ts';
import { RESULTS, RESULTS_FOLDER, readResults } from './results.ts';
import { type ComparedTurn, timedRatios } from './slower.ts';

interface BenchProcess {
  readonly name: string;
  /** The timeout, after which it is killed and has failed. */
  readonly seconds: number;
  /** Whether it uses the shared hub; the others start their own rig, named bench-NAME. */
  readonly hub?: true;
  readonly args?: readonly string[];
}

/** First those without a hub. */
const benches: readonly BenchProcess[] = [
  { name: 'assignment', seconds: 300 },
  { name: 'scheduling', seconds: 60 },
  { name: 'balancing', seconds: 60 },
  { name: 'policies', seconds: 120 },
  { name: 'function-cost', seconds: 300 },
  { name: 'monthly-cost', seconds: 300 },
  { name: 'history-cost', seconds: 600 },
  { name: 'history', seconds: 1200 },
  { name: 'descheduling', seconds: 300 },
  { name: 'admission', seconds: 300, hub: true, args: ['--rounds', '10'] },
  { name: 'rebalance', seconds: 1500 },
  { name: 'reaction', seconds: 300 },
  { name: 'moved', seconds: 1500 },
  { name: 'ready', seconds: 900 },
  { name: 'scale', seconds: 3600, args: ['--share', '50'] },
];

const CHECKED = join(import.meta.dirname, '..', 'reports', 'bench');

function chosen(names: readonly string[]): readonly BenchProcess[] {
  return names.length === 0 ? benches : benches.filter(({ name }) => names.includes(name));
}

/** The kubeconfig of its administrator. The shipped hold-policy would act on the benchmarks' writes: they apply their own. */
async function hubOf(rig: Rig): Promise<string> {
  const { adminKubeconfig, kubectl } = await startHub(rig);
  await kubectl.run('delete', 'mutatingadmissionpolicybinding', '--ignore-not-found', 'evenkeel-replica-reductions');
  return adminKubeconfig;
}

/** `tree`: the benchmarks that are run; this repository's by default. */
async function run(
  { name, seconds, args = [] }: BenchProcess,
  more: readonly string[],
  { folder, tree = join(import.meta.dirname, '..') }: { readonly folder: string; readonly tree?: string },
): Promise<boolean> {
  console.log(`\n== ${name}`);
  const env = { ...process.env, [RESULTS_FOLDER]: folder };
  const command = [join(tree, 'bench', `${name}.ts`), ...args, ...more];
  const child = spawn(process.execPath, command, { stdio: 'inherit', env, timeout: seconds * 1000 });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return true;
  console.error(`${name} ended with ${code ?? `${signal}, after ${seconds} s at most`}`);
  // A killed benchmark could not stop its rig.
  const own = `bench-${name}`;
  if (rigExists(own)) await new Rig(own).down();
  return false;
}

/** Exits with the list of valid names. */
function assertKnown(names: readonly string[]): void {
  const unknown = names.find((name) => benches.every((bench) => bench.name !== name));
  if (unknown === undefined) return;
  console.error(`${unknown}: no such bench; there are ${benches.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

const rig = new Rig(`bench-${process.pid}`);

/** The names of those that succeeded. */
async function runAll(
  wanted: readonly BenchProcess[],
  to: { readonly folder: string; readonly tree?: string },
): Promise<readonly string[]> {
  await mkdir(to.folder, { recursive: true });
  const done: string[] = [];
  for (const bench of wanted) {
    // The first starts it; the others reuse it.
    const more = bench.hub ? ['--kubeconfig', await hubOf(rig)] : [];
    if (await run(bench, more, to)) done.push(bench.name);
    else process.exitCode = 1;
  }
  return done;
}

async function compareWith(ref: string, wanted: readonly BenchProcess[], count: number): Promise<void> {
  const base = await commitTree(ref);
  if (base === undefined) throw new Error(`--against: ${JSON.stringify(ref)} is no commit of this clone`);
  const both = wanted.filter(({ name }) => existsSync(join(base, 'bench', `${name}.ts`)));
  const turns: ComparedTurn[] = [];
  for (let number = 1; number <= count; number += 1) {
    const folders = { base: join(CHECKED, `base-${number}`), head: join(CHECKED, `head-${number}`) };
    await runAll(both, { folder: folders.base, tree: base });
    await runAll(both, { folder: folders.head });
    turns.push({ base: await readResults(folders.base), head: await readResults(folders.head) });
  }
  const compared = timedRatios(turns);
  const slower = compared.filter(({ isSlower }) => isSlower);
  const shown = compared.map(({ bench, ratio: { name, median, low, high }, isSlower }) => [
    ...[bench, name, `${median} (${low} to ${high})`, isSlower ? 'slower' : ''],
  ]);
  console.log(`\n${aligned([['bench', 'time', `to ${ref}`, ''], ...shown]).join('\n')}`);
  console.log(`${compared.length} times compared with ${ref} in ${count} turns: ${slower.length} slower`);
  if (slower.length > 0) process.exitCode = 1;
}

async function runOnce(wanted: readonly BenchProcess[], isChecked: boolean): Promise<void> {
  const folder = isChecked ? CHECKED : RESULTS;
  const done = await runAll(wanted, { folder });
  const fresh = (await readResults(folder)).filter(({ bench }) => done.includes(bench));
  console.log(`\n${ratiosTable(fresh)}`);
  if (!isChecked) return;
  const comparisons = regressions(await readResults(RESULTS), fresh);
  console.log(`\n${comparisonsTable(comparisons)}`);
  if (comparisons.some(isRegression)) process.exitCode = 1;
}

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean' }, against: { type: 'string' }, turns: { type: 'string', default: '5' } },
  allowPositionals: true,
});
assertKnown(positionals);
const turns = countOption('turns', values.turns, 50);
if (values.check === true || values.against !== undefined) await rm(CHECKED, { recursive: true, force: true });
try {
  if (values.against === undefined) await runOnce(chosen(positionals), values.check === true);
  else await compareWith(values.against, chosen(positionals), turns);
} finally {
  await rig.down();
}
