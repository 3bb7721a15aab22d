/** `npm run test:versions [-- karmada-1.17]`: the core of the hub and karmada suites on older versions of Karmada and Kubernetes, each of a folder of tools/versions. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const known = readdirSync(join(import.meta.dirname, 'tools', 'versions'));

/** What a user of that version would notice first. A rig for each: Karmada's controllers write to objects that the hub's tests count the writes of. */
const CORE = {
  hub: ['admission', 'contract', 'graceful-reduction', 'hub-port', 'main-job', 'rbac', 'rebalance-policy'],
  karmada: [
    ...['aggregated', 'descheduler', 'failback', 'graceful-reduction', 'lost-triggers', 'rebalance-policy', 'story'],
  ],
} as const;

async function run(versions: string, args: readonly string[]): Promise<boolean> {
  const env = { ...process.env, EVENKEEL_RIG_VERSIONS: versions };
  const [code] = (await once(spawn(process.execPath, args, { stdio: 'inherit', env }), 'close')) as [number | null];
  return code === 0;
}

const VITEST = join('node_modules', 'vitest', 'vitest.mjs');

async function test(versions: string): Promise<boolean> {
  if (!(await run(versions, ['test/rig/main.ts', 'build', 'karmada']))) return false;
  let passed = true;
  for (const [suite, names] of Object.entries(CORE)) {
    const report = `reports/${versions}-${suite}.json`;
    const options = ['--config', 'test/rig/vitest.config.ts', '--outputFile.json', report];
    const files = names.map((name) => `test/rig/suites/${suite}/${name}.test.ts`);
    passed = (await run(versions, [VITEST, 'run', ...options, ...files])) && passed;
  }
  return passed;
}

const chosen = process.argv.slice(2);
const unknown = chosen.find((each) => !known.includes(each));
if (unknown !== undefined) {
  console.error(`${unknown}: no such versions; there are ${known.join(', ')}`);
  process.exit(1);
}
const failed: string[] = [];
for (const versions of chosen.length === 0 ? known : chosen) if (!(await test(versions))) failed.push(versions);
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
