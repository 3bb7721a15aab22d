/** The data folder of a local run, with the version of its layout. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fault } from '../shared/core/fault.ts';
import { lockFolder } from './folder-lock.ts';
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
  // Two processes would write the same table.
  return { path: named, discard: lockFolder(named, (what) => unusable(named, what)) };
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
