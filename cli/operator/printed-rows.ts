/** Output of rows: `-o table|wide|json|yaml|name|jsonpath=…|custom-columns=…`, the same for all of `evenkeel get`. */
import { InvalidArgumentError, Option } from 'commander';
import { aligned } from '../aligned.ts';
import { documentText } from '../document-text.ts';
import { jsonPathFinder } from './json-path.ts';
import { columnCells, parseColumns, parseTemplate, templateText } from './output-template.ts';

type Template = `jsonpath=${string}` | `custom-columns=${string}`;
export type Output = 'table' | 'wide' | 'json' | 'yaml' | 'name' | Template;

export interface PrintedColumn<R> {
  readonly head: string;
  readonly of: (row: R) => string;
  readonly right?: true;
  /** Only with -o wide. */
  readonly wide?: true;
  /** Free text, which may be truncated to fit a terminal. */
  readonly text?: true;
}

export interface Rows<R> {
  readonly rows: readonly R[];
  readonly columns: readonly PrintedColumn<R>[];
  /** "task/come-home", as kubectl names things. */
  readonly name: (row: R) => string;
  /** For JSON, YAML and jsonpath: the response. */
  readonly document: object;
  /** For custom-columns: the row as it is in the document; the row itself unless given. */
  readonly item?: (row: R) => unknown;
  /** The text if there are no rows. */
  readonly none: string;
}

const forms = ['table', 'wide', 'json', 'yaml', 'name'];
const templates = ['jsonpath=', 'custom-columns='];

export function outputOption(): Option {
  return new Option('-o, --output <form>', 'how to print')
    .choices([...forms, ...templates])
    .argParser(outputOf)
    .default('table');
}

function outputOf(text: string): Output {
  const template = templates.find((each) => text.startsWith(each));
  if (template === undefined && !forms.includes(text))
    throw new InvalidArgumentError(
      `Supported values: ${forms.join(', ')}, jsonpath={.PATH}, custom-columns=HEADER:.PATH,….`,
    );
  if (text === template) throw new InvalidArgumentError(`Write the template after ${template}.`);
  if (template === 'jsonpath=') parseTemplate(text.slice(template.length));
  if (template === 'custom-columns=') parseColumns(text.slice(template.length));
  return text as Output;
}

/** Rows as text, whatever they were made of: lists of several hubs are joined in this form. */
export interface PrintedList extends Pick<Rows<unknown>, 'document' | 'none'> {
  readonly columns: readonly Omit<PrintedColumn<unknown>, 'of'>[];
  readonly lines: readonly PrintedLine[];
}

interface PrintedLine {
  readonly cells: readonly string[];
  readonly name: string;
  readonly item: unknown;
}

export function printedListOf<R>({ rows, columns, name, document, item, none }: Rows<R>): PrintedList {
  const lines = rows.map((row) => ({
    cells: columns.map(({ of }) => of(row)),
    name: name(row),
    item: item === undefined ? row : item(row),
  }));
  return { columns, lines, document, none };
}

export function noHubs(search?: string): string {
  return search === undefined
    ? 'The deployment has no hubs; evenkeel hub add registers one.'
    : `The deployment has no hub whose name contains ${JSON.stringify(search)}.`;
}

/** The lists of several hubs as one, with the hub in front of each row. */
export function joined(lists: readonly { readonly hub: string; readonly listing: PrintedList }[]): PrintedList {
  const [first] = lists;
  return {
    columns: [{ head: 'HUB' }, ...(first?.listing.columns ?? [])],
    lines: lists.flatMap(({ hub, listing }) =>
      listing.lines.map(({ cells, name, item }) => ({
        cells: [hub, ...cells],
        name: `hub/${hub}/${name}`,
        item: { hub, ...(item as object) },
      })),
    ),
    document: { hubs: lists.map(({ hub, listing }) => ({ hub, ...listing.document })) },
    none: first?.listing.none ?? noHubs(),
  };
}

export function printed<R>(rows: Rows<R>, output: Output): Promise<string> {
  return printedList(printedListOf(rows), output);
}

export async function printedList(list: PrintedList, output: Output): Promise<string> {
  const { lines, document } = list;
  const ofDocument = await printedDocument(document, output);
  if (ofDocument !== undefined) return ofDocument;
  if (output === 'name') return lines.map(({ name }) => name).join('\n');
  const columns = templateOf('custom-columns=', output);
  if (columns === undefined) return tableText(list, output === 'wide');
  const items = lines.map(({ item }) => item);
  return aligned([...columnCells(parseColumns(columns), items, await jsonPathFinder())]).join('\n');
}

/** Undefined for the outputs of rows. */
async function printedDocument(document: object, output: Output): Promise<string | undefined> {
  if (output === 'json' || output === 'yaml') return documentText(document, output);
  const path = templateOf('jsonpath=', output);
  return path === undefined ? undefined : templateText(parseTemplate(path), document, await jsonPathFinder());
}

function templateOf(prefix: string, output: Output): string | undefined {
  return output.startsWith(prefix) ? output.slice(prefix.length) : undefined;
}

function tableText({ columns, lines, none }: PrintedList, isWide: boolean): string {
  if (lines.length === 0) return none;
  const shown = [...columns.keys()].filter((i) => !columns[i]?.wide || isWide);
  const table = [columns.map(({ head }) => head), ...lines.map(({ cells }) => cells)];
  const text = shown.findIndex((i) => columns[i]?.text === true);
  const right = shown.flatMap((i, place) => (columns[i]?.right ? [place] : []));
  return aligned(
    table.map((cells) => shown.map((i) => cells[i] ?? '')),
    { right, ...(text >= 0 && { text }) },
  ).join('\n');
}
