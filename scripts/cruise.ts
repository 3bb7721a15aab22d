/** Runs dependency-cruiser with the repository's rules over a folder. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export interface Cruise {
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[];
  readonly modules: number;
}

/** Top-level folders that the layering rules cover. */
export const checkedFolders = [
  'functions',
  'shared',
  'infra',
  'local',
  'bridge',
  'cli',
  'console',
  'bench',
  'scripts',
  'test',
];

const root = resolve(import.meta.dirname, '..');
const bin = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');

/** The rules' paths are relative to `folder`. */
export async function cruiseTree(folder: string, folders: readonly string[]): Promise<Cruise> {
  const args = [bin, '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', ...folders];
  const run = promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 256 * 1024 * 1024 });
  // It exits with the number of violations; the report is on stdout in any case.
  const { stdout } = await run.catch((thrown: { stdout?: string; stderr?: string }) => {
    if (thrown.stdout?.startsWith('{')) return { stdout: thrown.stdout };
    throw new Error(`dependency-cruiser did not run: ${thrown.stderr ?? ''}`);
  });
  const { summary } = JSON.parse(stdout) as {
    summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
  };
  return {
    modules: summary.totalCruised,
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}
