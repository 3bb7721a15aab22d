/** Reads the objects of -f: files, folders and stdin, YAML or JSON, many documents, lists unpacked. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { LineCounter, parseAllDocuments } from 'yaml';
import { invalidOption } from '../../shared/core/fault.ts';
import { jsonStream } from './json-stream.ts';

export interface HubDocument {
  readonly object: Readonly<Record<string, unknown>>;
  /** The source: "fleet.yaml, document 2, item 3". */
  readonly where: string;
  /** The line of a field in the file; undefined if unknown. */
  readonly lineOf: (path: readonly PropertyKey[]) => number | undefined;
}

const STDIN = '-';
const extensions = ['.yaml', '.yml', '.json'];

/** Throws a terminal Fault that names the file, the document, the line and the remedy. */
export async function readDocuments(files: readonly string[], stdin: NodeJS.ReadableStream): Promise<HubDocument[]> {
  const twice = files.find((file, i) => files.indexOf(file) !== i);
  if (twice !== undefined) throw invalidOption(`-f ${twice} is given twice; give it once`);
  const documents: HubDocument[] = [];
  for (const file of files.flatMap(filesOf)) {
    const [name, text] = file === STDIN ? ['stdin', await textOf(stdin)] : [file, read(file)];
    // No spread: a file may hold more objects than a call takes arguments.
    for (const document of documentsOf(name, text)) documents.push(document);
  }
  return documents;
}

function filesOf(given: string): readonly string[] {
  if (given === STDIN) return [given];
  const stat = statSync(given, { throwIfNoEntry: false });
  if (stat === undefined)
    throw invalidOption(`-f ${given}: file or folder not found; give an existing one, or - for stdin`);
  if (!stat.isDirectory()) return [given];
  const inside = attempt(given, () => readdirSync(given).sort());
  const files = inside.filter((name) => extensions.some((extension) => name.endsWith(extension)));
  if (files.length > 0) return files.map((name) => join(given, name));
  throw invalidOption(
    `-f ${given}: the folder has no file that ends in ${extensions.join(', ')}; name the files themselves`,
  );
}

function read(file: string): string {
  return attempt(file, () => readFileSync(file, 'utf8'));
}

function attempt<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    const { code = 'unknown error' } = thrown as NodeJS.ErrnoException;
    throw invalidOption(`-f ${file} cannot be read (${code}); name a file or folder that can`);
  }
}

function documentsOf(file: string, text: string): HubDocument[] {
  const documents = jsonStream(text)?.map(withoutLines) ?? yamlDocuments(file, text);
  return documents.flatMap(({ value, line }, i) => {
    const where = `${file}, document ${i + 1}`;
    if (value === null || value === undefined) return [];
    if (!isObject(value)) {
      const what = Array.isArray(value) ? 'a list' : `the ${typeof value} ${JSON.stringify(value).slice(0, 40)}`;
      throw invalidOption(
        `${where}: it is ${what}, not an object; for many objects write documents, or kind: List with items`,
      );
    }
    return unpacked({ object: value, where, lineOf: line });
  });
}

interface Parsed {
  readonly value: unknown;
  readonly line: HubDocument['lineOf'];
}

function withoutLines(value: unknown): Parsed {
  return { value, line: () => undefined };
}

function yamlDocuments(file: string, text: string): Parsed[] {
  return parsedYaml(text).map((document, i) => {
    const [error] = document.errors;
    if (error !== undefined) {
      const { line = 0, col = 0 } = error.linePos?.[0] ?? {};
      const what = error.message.split(/ at line \d+/)[0] ?? '';
      const none = text.trimStart().startsWith('{') ? 'neither JSON nor YAML' : 'not YAML';
      throw invalidOption(
        `${file}, document ${i + 1}, line ${line}, column ${col}: it is ${none}: ${what}; fix it there`,
      );
    }
    return { value: valueOf(document, `${file}, document ${i + 1}`), line: (path) => lineIn(text, i, path) };
  });
}

type YamlDocument = ReturnType<typeof parsedYaml>[number];

function parsedYaml(text: string, lineCounter?: LineCounter) {
  const parsed = parseAllDocuments(text, { merge: true, prettyErrors: true, ...(lineCounter && { lineCounter }) });
  return [...parsed];
}

/** An alias with a missing or too large target fails only when the value is built. */
function valueOf(document: YamlDocument, where: string): unknown {
  try {
    return document.toJS() as unknown;
  } catch (thrown) {
    throw invalidOption(
      `${where}: it cannot be made an object: ${(thrown as Error).message}; write it without the alias`,
    );
  }
}

/** Parses again instead of caching: the node tree is many times larger than the text, and only errors need it. */
function lineIn(text: string, index: number, path: readonly PropertyKey[]): number | undefined {
  const lines = new LineCounter();
  const document = parsedYaml(text, lines)[index];
  for (let length = path.length; length >= 0; length--) {
    const node = document?.getIn(path.slice(0, length), true) as { range?: readonly number[] } | undefined;
    if (node?.range?.[0] !== undefined) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

/** The items of a list, each as a document. The items of a typed list have no kind of their own. */
function unpacked({ object, where, lineOf }: HubDocument): HubDocument[] {
  const { kind, items } = object;
  if (typeof kind !== 'string' || !kind.endsWith('List') || items === undefined) return [{ object, where, lineOf }];
  if (items === null) return [];
  if (!Array.isArray(items))
    throw invalidOption(`${where}: items of ${kind} is no list; write the objects under items`);
  const typed = kind === 'List' ? {} : { apiVersion: object.apiVersion, kind: kind.slice(0, -'List'.length) };
  return (items as readonly unknown[]).flatMap((item, i) => {
    const at = `${where}, item ${i + 1}`;
    if (!isObject(item))
      throw invalidOption(`${at}: it is not an object; write the object there, or take the item out`);
    return unpacked({ object: { ...typed, ...item }, where: at, lineOf: (path) => lineOf(['items', i, ...path]) });
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
