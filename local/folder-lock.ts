/** The lock of a folder, so that one process at a time writes to it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '../shared/core/fault.ts';

/**
 * Returns what releases it. The lock of a killed process is ignored. A process that was killed while it wrote its lock leaves a partial
 * number, which may be another process's: a complete lock ends with a newline. `unusable` makes the error.
 */
export function lockFolder(folder: string, unusable: (what: string) => Fault): () => void {
  const lock = join(folder, 'lock');
  const found = existsSync(lock) ? /^(\d+)\n$/.exec(readFileSync(lock, 'utf8')) : null;
  const holder = Number(found?.[1]);
  if (isAlive(holder)) throw unusable(`process ${holder} is using it; end that one, or name another folder`);
  rmSync(lock, { force: true });
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw unusable(code === 'EEXIST' ? 'another process has just taken it' : `its lock cannot be written (${code})`);
  }
  return () => rmSync(lock, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}
