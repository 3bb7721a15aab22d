/** Output of rows: `-o table|wide|json|yaml|name`, the same for all of `evenkeel get`. */
import { Option } from 'commander';
import { stringify } from 'yaml';
import { aligned } from '../aligned.ts';

export type Output = 'table' | 'wide' | 'json' | 'yaml' | 'name';

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
  /** For JSON and YAML: the response unchanged. */
  readonly document: object;
  /** The text if there are no rows. */
  readonly none: string;
}

export function outputOption(): Option {
  return new Option('-o, --output <form>', 'how to print')
    .choices(['table', 'wide', 'json', 'yaml', 'name'])
    .default('table');
}

/** Rows as text, whatever they were made of: lists of several hubs are joined in this form. */
export interface PrintedList extends Pick<Rows<unknown>, 'document' | 'none'> {
  readonly columns: readonly Omit<PrintedColumn<unknown>, 'of'>[];
  readonly lines: readonly { readonly cells: readonly string[]; readonly name: string }[];
}

export function printedListOf<R>({ rows, columns, name, document, none }: Rows<R>): PrintedList {
  const lines = rows.map((row) => ({ cells: columns.map(({ of }) => of(row)), name: name(row) }));
  return { columns, lines, document, none };
}

/** The lists of several hubs as one, with the hub in front of each row. */
export function joined(lists: readonly { readonly hub: string; readonly listing: PrintedList }[]): PrintedList {
  const [first] = lists;
  return {
    columns: [{ head: 'HUB' }, ...(first?.listing.columns ?? [])],
    lines: lists.flatMap(({ hub, listing }) =>
      listing.lines.map(({ cells, name }) => ({ cells: [hub, ...cells], name: `hub/${hub}/${name}` })),
    ),
    document: { hubs: lists.map(({ hub, listing }) => ({ hub, ...listing.document })) },
    none: first?.listing.none ?? 'The deployment has no hubs; evenkeel hub add registers one.',
  };
}

export function printed<R>(rows: Rows<R>, output: Output): string {
  return printedList(printedListOf(rows), output);
}

export function printedList({ columns, lines, document, none }: PrintedList, output: Output): string {
  if (output === 'json') return JSON.stringify(document, undefined, 2);
  if (output === 'yaml') return stringify(document).trimEnd();
  if (output === 'name') return lines.map(({ name }) => name).join('\n');
  if (lines.length === 0) return none;
  const shown = [...columns.keys()].filter((i) => !columns[i]?.wide || output === 'wide');
  const table = [columns.map(({ head }) => head), ...lines.map(({ cells }) => cells)];
  const text = shown.findIndex((i) => columns[i]?.text === true);
  const right = shown.flatMap((i, place) => (columns[i]?.right ? [place] : []));
  return aligned(
    table.map((cells) => shown.map((i) => cells[i] ?? '')),
    { right, ...(text >= 0 && { text }) },
  ).join('\n');
}
