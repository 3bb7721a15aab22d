/** npm run simulate: whole deployments on virtual time with injected faults, one per seed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { History } from './history.ts';
import { plant } from './planted/plant.ts';

const REPORTS = 'reports/simulation';
/** The maximum of failing seeds that are reduced. */
const SHRUNK = 3;

const usage = `npm run simulate -- [options]

  --seeds 10000 [--from 0] [--threads 2]     many seeds [--scenario fleet: of one scenario]
  --seed 87 [--log]                          one seed with all its acts and faults [and the log of the functions]
  --hubs 1000 --seeds 3                      deployments with so many hubs
  --history reports/simulation/87.json       replays a reduced history
  --plant 'a drain needs no grant'           with a bug of test/simulation/planted/bugs.ts

A seed with a violation is reduced, printed and saved in reports/simulation, and the exit code is 1. One of several hubs is printed without its acts.`;

const values = parsed({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    seeds: { type: 'string', default: '500' },
    from: { type: 'string', default: '0' },
    threads: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string' },
    history: { type: 'string' },
    plant: { type: 'string' },
    scenario: { type: 'string' },
    hubs: { type: 'string' },
    log: { type: 'boolean', default: false },
  },
});

/** Ends the process at --help and at an unknown option. */
function parsed<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>>['values'] {
  try {
    const { values } = parseArgs(config);
    if (!('help' in values && values.help)) return values;
    console.log(usage);
    process.exit(0);
  } catch (thrown) {
    console.error(`simulate: ${(thrown as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}

function whole(name: 'seeds' | 'from' | 'threads' | 'seed' | 'hubs', min: number, max: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`--${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(values[name])}`);
}

if (values.plant !== undefined) plant(values.plant);
// Modules must be imported after the bug is planted.
const { historyOf, play } = await import('./play.ts');
const { runSeeds } = await import('./run-seeds.ts');
const { shrink } = await import('./shrink.ts');
const { namedScenarios } = await import('./scenarios/scenarios.ts');
const { describeFairness, describeHistory, describeTotals, describeViolations, number } = await import('./describe.ts');
type Played = Awaited<ReturnType<typeof play>>;

const hubs = values.hubs === undefined ? undefined : whole('hubs', 1, 10_000);
const scenario = hubs === undefined ? namedScenarios.find((name) => name === values.scenario) : 'hubs';
if (values.scenario !== undefined && scenario !== values.scenario)
  throw new Error(`--scenario must be one of ${namedScenarios.join(', ')}, not ${JSON.stringify(values.scenario)}`);

const log = (code: string, fields: object, at: number) =>
  console.log(`${new Date(at).toISOString().slice(11, 23)} ${code} ${JSON.stringify(fields)}`);

async function printOne(played: Promise<Played>): Promise<void> {
  const { violations, ...rest } = await played;
  console.log(describeHistory({ violations, ...rest }));
  if (rest.fairness !== undefined) console.log(describeFairness([rest.fairness]));
  if (violations.length === 0) console.log('  none');
  process.exitCode = violations.length > 0 ? 1 : 0;
}

async function printShrunk(seed: number, played: Played): Promise<void> {
  const oracle = played.violations[0]?.oracle ?? '';
  const smallest = await shrink(played, oracle);
  const file = `${REPORTS}/${seed}.json`;
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(file, `${JSON.stringify(smallest.history, null, 2)}\n`);
  const planted = values.plant === undefined ? '' : ` --plant '${values.plant}'`;
  console.log(`\nSeed ${seed} has a violation: ${oracle}.\n${describeHistory(smallest)}`);
  console.log(`Reduced: npm run simulate -- --history ${file}${planted} --log`);
  console.log(`Full: npm run simulate -- --seed ${seed} --scenario ${smallest.history.scenario}${planted} --log`);
}

/** A history of many hubs is too long to be replayed hundreds of times, and its violations name their hub. */
function printOfHubs(seed: number, { violations }: Played): void {
  const planted = values.plant === undefined ? '' : ` --plant '${values.plant}'`;
  console.log(`\nSeed ${seed}:\n${describeViolations(violations)}`);
  console.log(`Again: npm run simulate -- --hubs ${hubs} --seed ${seed}${planted} --log`);
}

async function runMany(): Promise<void> {
  const [from, count, threads] = [whole('from', 0, 2 ** 31), whole('seeds', 1, 1_000_000), whole('threads', 1, 64)];
  const began = performance.now();
  let done = 0;
  const onPlayed = ({ seed, played }: { readonly seed: number; readonly played: Played }) => {
    done += 1;
    // Printed at once, for users who stop a long run.
    if (played.violations.length > 0) console.log(`seed ${seed} violates: ${played.violations[0]?.oracle ?? ''}`);
    if (done % 500 === 0) console.log(`${number(done)} of ${number(count)} seeds`);
    return false;
  };
  const { totals, broken } = await runSeeds({ from, count, threads, planted: values.plant, scenario, hubs, onPlayed });
  for (const { seed, played } of broken.slice(0, SHRUNK))
    await (hubs === undefined ? printShrunk(seed, played) : printOfHubs(seed, played));
  if (broken.length > SHRUNK)
    console.log(
      `\n… and of the seeds ${broken
        .slice(SHRUNK)
        .map(({ seed }) => seed)
        .join(', ')}`,
    );
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `\n${number(totals.seeds)} seeds (from ${number(from)}), ${number(broken.length)} violations, in ${seconds} s`,
  );
  console.log(describeTotals(totals));
  if (hubs !== undefined) console.log(describeFairness(totals.fairness));
  process.exitCode = broken.length > 0 ? 1 : 0;
}

const listen = values.log ? log : undefined;
if (values.history !== undefined)
  await printOne(play(JSON.parse(readFileSync(values.history, 'utf8')) as History, listen));
else if (values.seed !== undefined) await printOne(play(historyOf(whole('seed', 0, 2 ** 31), scenario, hubs), listen));
else await runMany();
