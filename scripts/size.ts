/**
 * Prints the minified size and load time of each function; fails if one exceeds the limit without a reason, or if the page of bundles is outdated.
 * `--write` writes the page.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { type Bundle, bundleConsole, bundleFunctions } from '../infra/bundling/bundle.ts';
import { coldInit } from '../infra/bundling/cold-init.ts';
import type { FunctionName } from '../shared/bus/functions.ts';
import { bundlePage, kB, outdatedIn } from './bundle-page.ts';

const PAGE = 'docs/reference/bundles.md';
const LIMIT_KB = 600;
const RUNS = 7;
const grpc = 'gRPC with scheduler-estimators ([decision 10](../decisions/0010-estimators-by-grpc-or-by-pods.md))';
/** Why a function may exceed the limit, without a full stop. */
const reasons: Partial<Record<FunctionName, string>> = {
  'console-api/run-query': 'four SDK clients, `croner`, and every view',
  'workload-rebalancer/plan-rebalance': `${grpc}, \`croner\`, and five SDK clients; it triggers a single chunk itself`,
  'workload-rebalancer/trigger-bindings': `${grpc}, \`croner\`, and five SDK clients`,
  'descheduler/deschedule-bindings': `${grpc}, \`croner\`, and four SDK clients`,
  'rebalance-policy/evaluate-policies': 'CEL, `croner`, and five SDK clients',
  'rebalance-policy/advance-run': 'CEL, `croner`, and five SDK clients',
};

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function measure(bundle: Bundle): Promise<string> {
  const times: number[] = [];
  // One after another: concurrent runs would affect each other.
  for (let i = 0; i < RUNS; i++) times.push(await coldInit(bundle.file));
  const heaviest = bundle.packages.slice(0, 4).map(([name, bytes]) => `${name} ${Math.ceil(bytes / 1000)}`);
  const columns = [
    bundle.name.padEnd(42),
    `${kB(bundle.bytes)} kB`.padStart(7),
    `${median(times).toFixed(0)} ms`.padStart(7),
  ];
  return `${columns.join('  ')}   ${heaviest.join(', ')}`;
}

function reasonOf(name: string): string | undefined {
  return reasons[name as FunctionName];
}

const bundles = [...(await bundleFunctions()), await bundleConsole()];
console.log(`${'function'.padEnd(42)}  bundle  cold init (median of ${RUNS})   its heaviest packages, kB`);
for (const bundle of bundles) console.log(await measure(bundle));
for (const bundle of bundles.filter((each) => kB(each.bytes) > LIMIT_KB)) {
  const why = reasonOf(bundle.name);
  console.log(
    `${bundle.name} is over ${LIMIT_KB} kB: ${why ?? 'no reason given; make it smaller or add a reason in scripts/size.ts'}`,
  );
  if (why === undefined) process.exitCode = 1;
}
const page = bundlePage(bundles, { limitKb: LIMIT_KB, reasonOf });
if (process.argv.includes('--write')) writeFileSync(PAGE, page);
const outdated = outdatedIn(readFileSync(PAGE, 'utf8'), page);
if (outdated.length > 0) {
  console.error(`${PAGE} is outdated for ${outdated.join(', ')}; run: npm run size -- --write`);
  process.exitCode = 1;
}
