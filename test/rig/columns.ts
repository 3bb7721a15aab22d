/** The columns of `npm run test:versions`: each is a folder of tools/versions with another version of one product, and runs the core of the suites that depend on it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolsOf, versionsFolder } from './cache/go-binaries.ts';
import type { Part } from './command-line.ts';

/** What a user of that version would notice first. */
const CORE = {
  hub: ['admission', 'contract', 'graceful-reduction', 'hub-port', 'main-job', 'rbac', 'rebalance-policy'],
  karmada: [
    ...['aggregated', 'descheduler', 'failback', 'graceful-reduction', 'lost-triggers', 'rebalance-policy', 'story'],
  ],
  ocm: ['elastic-kinds', 'elastic-workload', 'facts', 'placements', 'scores'],
} as const;

export type Suite = keyof typeof CORE;

interface Product {
  /** The start of its programs' packages. */
  readonly module: string;
  readonly part: Part;
  readonly suites: readonly Suite[];
}

const PRODUCTS: readonly Product[] = [
  { module: 'k8s.io/kubernetes', part: 'hub', suites: ['hub'] },
  // The hub suite applies Karmada's CRDs.
  { module: 'github.com/karmada-io/karmada', part: 'karmada', suites: ['hub', 'karmada'] },
  { module: 'open-cluster-management.io/ocm', part: 'ocm', suites: ['ocm'] },
];

export interface Column extends Product {
  /** Its folder. */
  readonly name: string;
  /** Of the product, such as v1.34.1. */
  readonly version: string;
}

export const columns: readonly Column[] = readdirSync(versionsFolder).sort().map(columnOf);

function columnOf(name: string): Column {
  const folder = join(versionsFolder, name);
  const tools = toolsOf(folder);
  const product = PRODUCTS.find(({ module }) => tools.some((tool) => tool.startsWith(`${module}/`)));
  const pins = readFileSync(join(folder, 'go.mod'), 'utf8');
  const version = new RegExp(`${product?.module} (v\\S+)`).exec(pins)?.[1];
  if (product === undefined || version === undefined)
    throw new Error(`${folder}/go.mod: must require and name as a tool a program of ${modules()}`);
  return { ...product, name, version };
}

const modules = () => PRODUCTS.map(({ module }) => module).join(', ');

/** The test files of a suite that a column runs. */
export function coreOf(suite: Suite): readonly string[] {
  return CORE[suite].map((name) => `test/rig/suites/${suite}/${name}.test.ts`);
}

/** The columns in turn: as many consecutive commits as there are columns select each of them once. */
export function columnOfCommit<T>(all: readonly T[], commits: number): T {
  const column = all[commits % all.length];
  if (column === undefined) throw new Error(`${commits} commits select none of ${all.length} columns`);
  return column;
}
