/** Runs dependency-cruiser with the house's rules over a folder. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export interface Cruise {
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[];
  readonly modules: number;
}

const root = resolve(import.meta.dirname, '..');
const bin = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');

/** `folder` is what the rules' paths are relative to. */
export async function cruiseTree(folder: string, rooms: readonly string[]): Promise<Cruise> {
  const args = [bin, '--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', ...rooms];
  const run = promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 256 * 1024 * 1024 });
  // It exits with the number of violations; the report is on stdout all the same.
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
