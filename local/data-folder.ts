/** The data folder of a local run, with the version of its layout. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../shared/core/fault.ts';
import { writeWhole } from './whole-file.ts';

const VERSION = '2';

export interface DataFolder {
  readonly path: string;
  /** Releases the lock; removes the folder if it is temporary. */
  discard(): void;
}

/** Opens the named folder, or a temporary one. Throws a Fault if its version differs, or if it cannot be written. */
export function openDataFolder(named: string | undefined): DataFolder {
  if (named === undefined) {
    const path = mkdtempSync(join(tmpdir(), 'evenkeel-'));
    return { path, discard: () => rmSync(path, { recursive: true, force: true }) };
  }
  try {
    mkdirSync(named, { recursive: true });
  } catch (thrown) {
    throw unusable(named, (thrown as NodeJS.ErrnoException).code ?? 'it cannot be made');
  }
  const file = join(named, 'version');
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  if (found === undefined) writeVersion(named, file);
  else if (found !== VERSION) {
    throw unusable(
      named,
      `it holds version ${found.slice(0, 20)} of the layout, this is version ${VERSION}; name another folder, or remove it`,
    );
  }
  const lock = join(named, 'lock');
  takeLock(named, lock);
  return { path: named, discard: () => rmSync(lock, { force: true }) };
}

/**
 * One process at a time, since two would write the same table. The lock of a killed process is ignored. A process that was
 * killed while it wrote its lock leaves a partial number, which may be another process's: a complete lock ends with a newline.
 */
function takeLock(named: string, lock: string): void {
  const found = existsSync(lock) ? /^(\d+)\n$/.exec(readFileSync(lock, 'utf8')) : null;
  const holder = Number(found?.[1]);
  if (isAlive(holder)) throw unusable(named, `process ${holder} is using it; end that one, or name another folder`);
  rmSync(lock, { force: true });
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' });
  } catch {
    throw unusable(named, 'another process has just taken it');
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function writeVersion(named: string, file: string): void {
  try {
    writeWhole(file, `${VERSION}\n`);
  } catch (thrown) {
    throw unusable(named, (thrown as NodeJS.ErrnoException).code ?? 'it cannot be written');
  }
}

function unusable(path: string, what: string): Fault {
  return new Fault('terminal', `data folder ${path} cannot be used: ${what}`, { reason: 'UnusableDataFolder' });
}
