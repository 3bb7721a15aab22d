/** `npm run test:versions`: the core of the suites on other versions of Karmada, Kubernetes and Open Cluster Management; all columns, the named ones, or that of the commit. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Column, columnOfCommit, columns, coreOf } from './columns.ts';
import { run as read } from './command.ts';
import { RigFailure } from './failure.ts';

const VITEST = join('node_modules', 'vitest', 'vitest.mjs');

async function run(versions: string, args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, EVENKEEL_RIG_VERSIONS: versions };
  const [code] = (await once(spawn(process.execPath, args, { stdio: 'inherit', env }), 'close')) as [number | null];
  return code === 0;
}

async function test({ name, part, suites }: Column): Promise<boolean> {
  if (!(await run(name, ['test/rig/main.ts', 'build', part]))) return false;
  let passed = true;
  // A rig for each suite: Karmada's controllers write to objects that the hub's tests count the writes of.
  for (const suite of suites) {
    const options = ['--config', 'test/rig/vitest.config.ts', '--outputFile.json', `reports/${name}-${suite}.json`];
    passed = (await run(name, [VITEST, 'run', ...options, ...coreOf(suite)])) && passed;
  }
  return passed;
}

async function chosen(names: readonly string[], ofCommit: boolean): Promise<readonly Column[]> {
  if (ofCommit) return [columnOfCommit(columns, Number(await read('git', ['rev-list', '--count', 'HEAD'])))];
  const unknown = names.find((name) => !columns.some((column) => column.name === name));
  if (unknown !== undefined)
    throw new RigFailure(`${unknown}: no such column; use one of ${columns.map(({ name }) => name).join(', ')}`);
  return names.length === 0 ? columns : columns.filter(({ name }) => names.includes(name));
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { list: { type: 'boolean', default: false }, 'of-commit': { type: 'boolean', default: false } },
  });
  const failed: string[] = [];
  for (const column of await chosen(positionals, values['of-commit'])) {
    const { name, module, version, suites } = column;
    console.log(`${name}: ${module} ${version}, suites ${suites.join(', ')}`);
    if (!values.list && !(await test(column))) failed.push(name);
  }
  if (failed.length > 0) throw new RigFailure(`failed: ${failed.join(', ')}`);
}

try {
  await main();
} catch (thrown) {
  if (!(thrown instanceof RigFailure)) throw thrown;
  console.error(thrown.message);
  process.exitCode = 1;
}
