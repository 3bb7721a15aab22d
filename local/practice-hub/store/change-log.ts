/**
 * Persists the practice hub's objects: a file of changes, one JSON line each, written before the response to a write.
 * A kill -9 at any time loses no acknowledged write: the kernel has the line. (A power cut may: nothing is synced.)
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { keyOf, keyText } from './object-collection.ts';
import type { ChangeLog } from './object-store.ts';
import type { KubeObject, StoreChange } from './objects.ts';

interface Line {
  readonly type: StoreChange['type'] | 'REVISION';
  readonly plural: string;
  readonly object?: KubeObject;
  readonly key?: string;
  readonly revision?: number;
}

export interface FileChangeLog extends ChangeLog {
  close(): void;
}

/** Replays and compacts the journal in `directory`, which is created if missing. Throws if the file is not a journal. */
export function openChangeLog(directory: string): FileChangeLog {
  mkdirSync(directory, { recursive: true });
  const file = path.join(directory, 'practice-hub.jsonl');
  const { revision, objects } = replay(file);
  compact(file, revision, objects);
  const descriptor = openSync(file, 'a');
  let size = fstatSync(descriptor).size;
  return {
    load: () => ({ revision, objects: [...objects.values()].map(({ object }) => object) }),
    append: (change, json) => {
      const text = changeLine(change, json);
      try {
        appendFileSync(descriptor, text);
      } catch (error) {
        // A partial line (a full disk) would make the next one unreadable.
        ftruncateSync(descriptor, size);
        throw error;
      }
      size += Buffer.byteLength(text);
    },
    close: () => closeSync(descriptor),
  };
}

function changeLine({ type, plural, object }: Pick<StoreChange, 'type' | 'plural' | 'object'>, json: string): string {
  const head = `{"type":"${type}","plural":"${plural}"`;
  if (type !== 'DELETED') return `${head},"object":${json}}\n`;
  return `${head},"key":${JSON.stringify(keyText(keyOf(object)))},"revision":${object.metadata.resourceVersion}}\n`;
}

type ReplayedObjects = ReadonlyMap<string, { readonly plural: string; readonly object: KubeObject }>;

function replay(file: string): { revision: number; objects: ReplayedObjects } {
  const objects = new Map<string, { plural: string; object: KubeObject }>();
  let revision = 0;
  const lines = readLines(file);
  // The last line of a complete file is empty; anything else is a partial line, of a write that was never acknowledged.
  for (const [index, text] of lines.slice(0, -1).entries()) {
    const line = parse(text, `${file}:${index + 1}`);
    if (line.object) {
      objects.set(`${line.plural} ${keyText(keyOf(line.object))}`, { plural: line.plural, object: line.object });
    } else if (line.type === 'DELETED') {
      objects.delete(`${line.plural} ${line.key}`);
    }
    revision = Math.max(revision, line.revision ?? Number(line.object?.metadata.resourceVersion ?? 0));
  }
  return { revision, objects };
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function parse(text: string, where: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch (error) {
    throw new Error(
      `${where}: not a line of the practice hub's journal; move the file away to start with an empty hub`,
      {
        cause: error,
      },
    );
  }
}

/** Replaces the file atomically with one that has only the remaining objects. */
function compact(file: string, revision: number, objects: ReplayedObjects): void {
  const head = `${JSON.stringify({ type: 'REVISION', plural: '', revision })}\n`;
  const lines = [...objects.values()].map(({ plural, object }) =>
    changeLine({ type: 'ADDED', plural, object }, JSON.stringify(object)),
  );
  writeFileSync(`${file}.new`, [head, ...lines].join(''));
  renameSync(`${file}.new`, file);
}
