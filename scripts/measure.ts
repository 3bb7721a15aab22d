/** `npm run measure`: the size and the shape of the code, from its syntax trees and its imports. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { usesInTree } from './banned-words.ts';
import { checkedFolders, cruiseTree } from './cruise.ts';
import { linesOf, modulesLoadedBy, readSource, repeatedTypeNames, type SourceFile } from './source-files.ts';

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
const isCode = (path: string): boolean => /\.(ts|tsx|js|mjs|cjs|css|html)$/.test(path);
const isGenerated = (path: string): boolean => path.endsWith('_pb.ts');
const isTest = (path: string): boolean => path.startsWith('test/');

/** Pairs of top-level folders that reach each other by imports. */
function cyclesOf(files: readonly SourceFile[]): readonly string[] {
  const top = (path: string): string => path.split('/')[0] ?? '';
  const reaches = new Map<string, Set<string>>();
  for (const { path, imports } of files)
    for (const { to } of imports) reaches.set(top(path), (reaches.get(top(path)) ?? new Set()).add(top(to)));
  for (const middle of reaches.keys())
    for (const targets of reaches.values())
      if (targets.has(middle)) for (const further of reaches.get(middle) ?? []) targets.add(further);
  const folders = [...reaches.keys()].sort();
  return folders.flatMap((a) =>
    folders.filter((b) => a < b && reaches.get(a)?.has(b) && reaches.get(b)?.has(a)).map((b) => `${a} ↔ ${b}`),
  );
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return `${at(0.5)} / ${at(0.9)} / ${at(1)}`;
}

/** `shared` is counted by its folders, every other folder as a whole. */
function folderOf(path: string): string {
  const [first = '', second = '', third] = path.split('/');
  return first === 'shared' && third !== undefined ? `${first}/${second}` : first;
}

const code = tracked.filter((path) => isCode(path) && !isGenerated(path));
const parsed = code.filter((path) => /\.(ts|tsx)$/.test(path)).map(readSource);
const product = parsed.filter(({ path }) => !isTest(path));
const sum = (paths: readonly string[]): number =>
  paths.reduce((total, path) => total + linesOf(readFileSync(path, 'utf8')), 0);
const output: string[] = [];
const row = (name: string, value: string | number): void => void output.push(`${name.padEnd(56)} ${value}`);

const productPaths = code.filter((path) => !isTest(path));
row('product: lines', sum(productPaths));
row('product: files', productPaths.length);
row('tests: lines', sum(code.filter(isTest)));

output.push('\nmedian / p90 / max of lines       of files           of functions');
for (const [name, files = []] of Object.entries(Object.groupBy(product, ({ path }) => folderOf(path))).sort()) {
  const lengths = spread(files.map(({ lines }) => lines));
  output.push(`${name.padEnd(33)} ${lengths.padEnd(18)} ${spread(files.flatMap(({ functions }) => functions))}`);
}

const ofFunctions = product.filter(({ path }) => path.startsWith('functions/'));
const branches = (files: readonly SourceFile[]): number => files.reduce((total, file) => total + file.branches, 0);
/** Handlers, and the writes that several of them share. */
const isShell = ({ path }: SourceFile): boolean => /(\.lambda|\/write-[^/]*)\.ts$/.test(path);
const inShells = branches(ofFunctions.filter(isShell));
const decisions = ofFunctions.filter((file) => !isShell(file));
output.push('');
row(
  'branches of functions/ in shells',
  `${inShells} of ${branches(ofFunctions)} (${((100 * inShells) / branches(ofFunctions)).toFixed(1)} %)`,
);
row('decision files of functions/ with await', decisions.filter(({ awaits }) => awaits > 0).length);

const entry = 'functions/workload-rebalancer/expire-rebalancer.lambda.ts';
row(`modules loaded by ${entry.split('/').at(-1)}`, modulesLoadedBy(entry).size);

const users = new Map<string, Set<string>>();
for (const { path, imports } of product)
  for (const { to, names } of imports)
    for (const name of names) users.set(`${to}#${name}`, (users.get(`${to}#${name}`) ?? new Set()).add(path));
const exported = product.flatMap(({ path, exports }) => exports.map((name) => users.get(`${path}#${name}`)?.size ?? 0));
row(
  'exports of the product with one importing file',
  `${exported.filter((count) => count === 1).length} of ${exported.length}`,
);

row('type names that the product declares in several files', repeatedTypeNames(product).size);

const { violations } = await cruiseTree('.', checkedFolders);
row('imports against the layering rules', violations.length);
const cycles = cyclesOf(product);
row('cycles between top-level folders', cycles.length === 0 ? 0 : `${cycles.length}: ${cycles.join(', ')}`);
row('banned words', usesInTree().length);
// Written at once, so that a reader such as `head` may end before the last line.
console.log(output.join('\n'));
