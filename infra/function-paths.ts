/** Where a function's entry and its bundle lie, by the function's name: for the bundler, and for the stack that ships the bundles. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../shared/model/fault.ts';

/** The folder with package.json: from here up, so that it is found from the sources and from a published build alike. */
export function packageRoot(from: string = import.meta.dirname): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const above = dirname(from);
  if (above === from) {
    throw new Fault('terminal', `no package.json above ${import.meta.dirname}`, { reason: 'NoPackage' });
  }
  return packageRoot(above);
}

/** `workload-rebalancer/plan-rebalance` begins in functions/workload-rebalancer/plan-rebalance.lambda.ts. */
export function entryOf(name: string): string {
  return `functions/${name}.lambda.ts`;
}

/** `workload-rebalancer/plan-rebalance` is shipped from dist/functions/workload-rebalancer-plan-rebalance. */
export function bundleFolderOf(name: string): string {
  return join('dist', 'functions', name.replace('/', '-'));
}

/** The part of a function's name that says what it does; it names what a person sees of the function on AWS. */
export function shortNameOf(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** The server of the page: beside the functions of the table, since it decides nothing and only asks two of them. */
export const SERVE_CONSOLE = 'operator/serve-console';
