/** A cache of build results, keyed by the hash of their inputs; each is built once, by one process at a time. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { cacheFolder } from '../home.ts';

export interface Recipe {
  readonly name: string;
  /** Files whose content determines the result. */
  readonly pins: readonly string[];
  /** Other inputs: the version of the recipe, flags. */
  readonly salt?: string;
}

/** The folder of the results for these inputs. */
export function cached({ name, pins, salt = '' }: Recipe): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} ${salt}`);
  for (const file of pins) hash.update(`\n${basename(file)}\n`).update(readFileSync(file));
  return join(cacheFolder, `${name}-${hash.digest('hex').slice(0, 16)}`);
}

/**
 * Creates `target`, a file or folder, unless it exists. `make` writes to a temporary place, which is then renamed, so that `target` is always complete.
 * Returns `target`. If a result cannot be moved, `make` may write to `target` as its last step.
 */
export async function ensure(target: string, make: (place: string) => Promise<void>): Promise<string> {
  if (existsSync(target)) return target;
  mkdirSync(join(target, '..'), { recursive: true });
  const release = await lock(`${target}.lock`);
  try {
    if (existsSync(target)) return target;
    const place = `${target}.part`;
    rmSync(place, { recursive: true, force: true });
    const started = performance.now();
    await make(place);
    if (existsSync(place)) renameSync(place, target);
    console.error(`built ${basename(target)} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    return target;
  } finally {
    release();
  }
}

/** A lock file with the holder's pid; the lock of an ended process is taken over. */
async function lock(file: string): Promise<() => void> {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch {
      const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
      if (holder > 0 && !existsSync(`/proc/${holder}`)) rmSync(file, { force: true });
      else await wait(250);
    }
  }
}
