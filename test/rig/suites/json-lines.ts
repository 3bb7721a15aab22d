/** Logs of JSON lines that another process may be writing. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

interface ReadLog {
  /** Of the file's whole lines. */
  bytes: number;
  readonly lines: unknown[];
}

/** A suite's audit log has tens of megabytes, and is read ten times a second while something is awaited: parsing all of it takes the time of what is measured. */
const known = new Map<string, ReadLog>();

/** An incomplete last line is left for the next call. Empty if the file does not exist yet. */
export function readJsonLines<T>(file: string): readonly T[] {
  if (!existsSync(file)) return [];
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const before = known.get(file);
    // A shorter file is another one of that name.
    const log = before !== undefined && size >= before.bytes ? before : { bytes: 0, lines: [] };
    known.set(file, log);
    const added = Buffer.alloc(size - log.bytes);
    const read = added.subarray(0, readSync(descriptor, added, 0, added.length, log.bytes));
    const end = read.lastIndexOf('\n') + 1;
    for (const line of read.toString('utf8', 0, end).split('\n').slice(0, -1)) log.lines.push(JSON.parse(line));
    log.bytes += end;
    return log.lines as readonly T[];
  } finally {
    closeSync(descriptor);
  }
}
