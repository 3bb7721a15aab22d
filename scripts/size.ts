/** Prints the minified size and load time of each function; fails if one exceeds the limit without a reason. */

import { type Bundle, bundleConsole, bundleFunctions } from '../infra/bundling/bundle.ts';
import { coldInit } from '../infra/bundling/cold-init.ts';
import type { SERVE_CONSOLE } from '../infra/function-paths.ts';
import type { FunctionName } from '../shared/bus/functions.ts';

const LIMIT_KB = 600;
const RUNS = 7;
/** Why a function may exceed the limit, in a sentence. */
const grpc = 'gRPC with scheduler-estimators is 140 kB of it (decision 10)';
const calendar = 'croner (cron with time zones) is 33 kB of it';
const reasons: Partial<Record<FunctionName | typeof SERVE_CONSOLE, string>> = {
  'console-api/run-query': 'four SDK clients (DynamoDB, Secrets Manager, SQS, CloudWatch Logs), and every view',
  'console-api/run-command': 'four SDK clients (DynamoDB, EventBridge, Secrets Manager, SQS), and every command',
  'console-api/serve-console': 'two SDK clients (Lambda, Secrets Manager), in addition to the login and the API',
  'scheduler/schedule-binding': grpc,
  'workload-rebalancer/plan-rebalance': grpc,
  'workload-rebalancer/trigger-bindings': grpc,
  'descheduler/deschedule-bindings': grpc,
  'rebalance-policy/evaluate-policies': calendar,
  'rebalance-policy/advance-run': calendar,
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
    `${kB(bundle)} kB`.padStart(7),
    `${median(times).toFixed(0)} ms`.padStart(7),
  ];
  return `${columns.join('  ')}   ${heaviest.join(', ')}`;
}

function kB({ bytes }: Bundle): number {
  return Math.ceil(bytes / 1000);
}

const bundles = [...(await bundleFunctions()), await bundleConsole()];
console.log(`${'function'.padEnd(42)}  bundle  cold init (median of ${RUNS})   its heaviest packages, kB`);
for (const bundle of bundles) console.log(await measure(bundle));
for (const bundle of bundles.filter((each) => kB(each) > LIMIT_KB)) {
  const why = reasons[bundle.name as keyof typeof reasons];
  console.log(
    `${bundle.name} is over ${LIMIT_KB} kB: ${why ?? 'no reason given; make it smaller or add a reason in scripts/size.ts'}`,
  );
  if (why === undefined) process.exitCode = 1;
}
