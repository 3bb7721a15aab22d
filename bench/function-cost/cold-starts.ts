/** The size of each function's bundle, its load time in a separate Node process, and the memory of that process. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { asShipped, bundleFunctions } from '../../infra/bundling/bundle.ts';

export interface ColdStarts {
  readonly name: string;
  readonly bytes: number;
  /** One per round. */
  readonly ms: readonly number[];
  readonly residentMb: readonly number[];
}

/** The largest dependency of nearly every function, and the base of the comparison. */
const BASE = '@aws-sdk/client-dynamodb alone';

export interface AllColdStarts {
  readonly functions: readonly ColdStarts[];
  readonly base: ColdStarts;
}

export async function coldStarts(rounds: number): Promise<AllColdStarts> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-bench-'));
  try {
    const bundles = [await baseBundle(folder), ...(await bundleFunctions())];
    const starts = bundles.map(({ name, file, bytes }) => ({
      name,
      file,
      bytes,
      ms: [] as number[],
      residentMb: [] as number[],
    }));
    // In turn, one after another: concurrent runs would affect each other.
    for (let round = 0; round < rounds; round += 1)
      for (const each of starts) {
        const { ms, residentMb } = await coldStart(each.file);
        each.ms.push(ms);
        each.residentMb.push(residentMb);
      }
    const [base, ...functions] = starts.map(({ name, bytes, ms, residentMb }) => ({ name, bytes, ms, residentMb }));
    if (base === undefined) throw new Error('there is nothing to compare with');
    return { functions, base };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function baseBundle(folder: string) {
  const file = join(folder, 'base.mjs');
  const contents = "export { DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';";
  const resolveDir = resolve(import.meta.dirname, '..', '..');
  const stdin = { contents, resolveDir, loader: 'ts' } as const;
  const { metafile } = await build({ stdin, outfile: file, ...asShipped, metafile: true, logLevel: 'warning' });
  const bytes = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined)?.bytes ?? Number.NaN;
  return { name: BASE, file, bytes };
}

async function coldStart(file: string): Promise<{ readonly ms: number; readonly residentMb: number }> {
  const script = `const began = performance.now(); await import(${JSON.stringify(pathToFileURL(file).href)});
    console.log(JSON.stringify({ ms: performance.now() - began, residentMb: process.memoryUsage.rss() / 1e6 }));`;
  const env = { PATH: process.env.PATH, AWS_REGION: 'eu-central-1' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { readonly ms: number; readonly residentMb: number };
}
