/** Paths of a function's entry and its bundle, by the function's name: for the bundler, and for the stack. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../shared/core/fault.ts';

/** The folder with package.json, searched upwards, so that it is found from the sources and from a published build. */
export function packageRoot(from: string = import.meta.dirname): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const above = dirname(from);
  if (above === from) {
    throw new Fault('terminal', `no package.json above ${import.meta.dirname}`, { reason: 'NoPackage' });
  }
  return packageRoot(above);
}

/** The entry of `workload-rebalancer/plan-rebalance` is functions/workload-rebalancer/plan-rebalance.lambda.ts. */
export function entryOf(name: string): string {
  return `functions/${name}.lambda.ts`;
}

/** The bundle of `workload-rebalancer/plan-rebalance` is dist/functions/workload-rebalancer-plan-rebalance. */
export function bundleFolderOf(name: string): string {
  return join('dist', 'functions', name.replace('/', '-'));
}

/** The last part of a function's name; it is its visible name on AWS. */
export function shortNameOf(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** The server of the page. It is not in the table of functions, because it decides nothing and only calls two of them. */
export const SERVE_CONSOLE = 'console-api/serve-console';
