/**
 * Saves the results of a benchmark.
 *
 *   const bench = begin('assignment');     first: records the load before the benchmark adds its own
 *   …
 *   await bench.keep({ versions, figures: [figure('ours', 'ms', times)], ratios: [ratio('ours to theirs', { values, base, … })] });
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { toTimestamp } from '../shared/core/time.ts';
import { rounded } from './figures.ts';
import { ratiosTable } from './ratios-table.ts';
import { type Result, resultSchema } from './result.ts';

/** The folder of committed results; an environment variable selects another. */
export const RESULTS = join(import.meta.dirname, 'results');
export const RESULTS_FOLDER = 'EVENKEEL_BENCH_RESULTS';

type MeasuredFigures = Pick<Result, 'figures' | 'ratios' | 'details'> & { readonly versions?: Result['versions'] };

export interface Bench {
  /** Writes the result, prints its ratios and returns it. */
  keep(measured: MeasuredFigures): Promise<Result>;
}

export function begin(name: string): Bench {
  const [loadBefore = Number.NaN] = loadavg();
  const machine = {
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    cpu: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    loadBefore: rounded(loadBefore),
  };
  return {
    async keep({ versions = {}, ...measured }) {
      const command = commandOf(name, process.argv.slice(2));
      const measuredAt = toTimestamp(Date.now());
      const result = resultSchema.parse({ bench: name, command, measuredAt, machine, versions, ...measured });
      const folder = process.env[RESULTS_FOLDER] ?? RESULTS;
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
      console.log(ratiosTable([result]));
      return result;
    },
  };
}

/** The command without local paths: files of this machine are replaced by a letter. */
function commandOf(name: string, args: readonly string[]): string {
  return ['node', `bench/${name}.ts`, ...args.map((arg) => (arg.includes('/') ? 'F' : arg))].join(' ');
}

/** All results in a folder, sorted by name. Throws for an invalid file. */
export async function readResults(folder: string): Promise<readonly Result[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (file) => {
      const read = resultSchema.safeParse(JSON.parse(await readFile(join(folder, file), 'utf8')));
      if (read.success) return read.data;
      const why = z.prettifyError(read.error);
      throw new Error(
        `${basename(folder)}/${file} is no result: ${why}; run: npm run bench -- ${basename(file, '.json')}`,
      );
    }),
  );
}
