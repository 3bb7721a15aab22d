/** The files of a recording: JSON lines, one file for each day (UTC), each of which begins with all objects of the hub. */
import {
  appendFileSync,
  closeSync,
  createReadStream,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { invalidOption } from '../../shared/core/fault.ts';
import { fromTimestamp, type Instant } from '../../shared/core/time.ts';
import type { RecordedObject } from './recorded-object.ts';

/** Increased when older versions can't read a recording. */
export const RECORDING_FORMAT = 1;

/**
 * `SnapshotStarted` … `SnapshotEnded`: all objects; those that are not between the two are gone. `isFirst`: nothing was recorded between the line
 * before, which is `Stopped` unless the command has crashed, and this one.
 */
export type RecordedLine =
  | { readonly at: string; readonly event: 'SnapshotStarted'; readonly format: number; readonly isFirst?: true }
  | { readonly at: string; readonly event: 'SnapshotEnded' | 'Stopped' }
  | { readonly at: string; readonly object: RecordedObject }
  | { readonly at: string; readonly deleted: Pick<RecordedObject, 'kind' | 'metadata'> };

/** A line with its time; never earlier than the line before. */
export interface TimedLine {
  readonly at: Instant;
  readonly line: RecordedLine;
}

const FILE = /^\d{4}-\d\d-\d\d\.jsonl$/;
/** Longer than any line's time, and short enough to search a file's end for it. */
const TAIL = 4 * 1024 * 1024;

export class RecordingWriter {
  readonly #folder: string;
  #file = '';

  constructor(folder: string) {
    this.#folder = folder;
    written(folder, () => mkdirSync(folder, { recursive: true }));
  }

  /** Appends to the file of the first line's day. */
  write(lines: readonly RecordedLine[]): void {
    const [first] = lines;
    if (first === undefined) return;
    const file = join(this.#folder, `${first.at.slice(0, 'YYYY-MM-DD'.length)}.jsonl`);
    // A line that a crash has cut is ended, so that the next one can be read.
    const ending = file !== this.#file && isCut(file) ? '\n' : '';
    this.#file = file;
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    written(file, () => appendFileSync(file, `${ending}${text}\n`));
  }
}

/** Throws a terminal Fault: a recording must not go on without lines that could not be written. */
function written(path: string, act: () => unknown): void {
  try {
    act();
  } catch (thrown) {
    const { code = 'unknown error' } = thrown as NodeJS.ErrnoException;
    throw invalidOption(`${path} cannot be written (${code}); free space there, or name a folder that can`);
  }
}

function isCut(file: string): boolean {
  const last = lastBytes(file, 1);
  return last !== '' && last !== '\n';
}

function lastBytes(file: string, bytes: number): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(bytes, size));
    readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString();
  } finally {
    closeSync(descriptor);
  }
}

/** Paths of the files, the oldest first. Throws a terminal Fault if there is none. */
function filesOf(folder: string): readonly string[] {
  const found = filesIn(folder).filter((name) => FILE.test(name));
  if (found.length > 0) return found.sort().map((name) => join(folder, name));
  throw invalidOption(
    `--from ${folder}: no recording found, which has files like 2026-11-28.jsonl; make one with: evenkeel record ${folder}`,
  );
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export interface RecordedSpan {
  readonly from: Instant;
  readonly to: Instant;
}

/** When the recording begins and ends, without reading it. */
export async function spanOf(folder: string, warn: (warning: string) => void): Promise<RecordedSpan> {
  let from: Instant | undefined;
  const files = filesOf(folder);
  for await (const { at } of readRecording(folder, warn)) {
    from = at;
    break;
  }
  // The last file may have only a line that a crash has cut.
  let to: Instant | undefined;
  for (const file of files.toReversed()) {
    const times = [...lastBytes(file, TAIL).matchAll(/^\{"at":"([^"]+)"/gm)];
    to = fromTimestamp(times.at(-1)?.[1] ?? '');
    if (to !== undefined) break;
  }
  if (from === undefined || to === undefined)
    throw invalidOption(`--from ${folder}: the recording has no line yet; let evenkeel record run for longer`);
  return { from, to };
}

/** Line by line, so that a year needs no more memory than a day. A line that can't be read is one that a crash has cut: it is left out, with a warning. */
export async function* readRecording(folder: string, warn: (warning: string) => void): AsyncGenerator<TimedLine> {
  let last = Number.NEGATIVE_INFINITY;
  for (const file of filesOf(folder)) {
    let number = 0;
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      number += 1;
      const read = parsedLine(text);
      if (read === undefined) {
        if (text !== '') warn(`${file}, line ${number}: cut off, and left out`);
        continue;
      }
      if ('event' in read.line && read.line.event === 'SnapshotStarted' && read.line.format > RECORDING_FORMAT)
        throw invalidOption(
          `${file}, line ${number}: format: Unsupported value: ${read.line.format}: supported values: 1 to ${RECORDING_FORMAT}; it was recorded by a later version of evenkeel, which can read it`,
        );
      last = Math.max(last, read.at);
      yield { ...read, at: last };
    }
  }
}

function parsedLine(text: string): TimedLine | undefined {
  try {
    const line = JSON.parse(text) as RecordedLine;
    const at = fromTimestamp(line.at);
    return at === undefined ? undefined : { at, line };
  } catch {
    return undefined;
  }
}
