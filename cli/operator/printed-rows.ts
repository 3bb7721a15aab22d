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

export function printed<R>({ rows, columns, name, document, none }: Rows<R>, output: Output): string {
  if (output === 'json') return JSON.stringify(document, undefined, 2);
  if (output === 'yaml') return stringify(document).trimEnd();
  if (output === 'name') return rows.map(name).join('\n');
  if (rows.length === 0) return none;
  const shown = columns.filter(({ wide }) => !wide || output === 'wide');
  const lines = [shown.map(({ head }) => head), ...rows.map((row) => shown.map(({ of }) => of(row)))];
  const text = shown.findIndex((column) => column.text === true);
  const right = shown.flatMap((column, i) => (column.right ? [i] : []));
  return aligned(lines, { right, ...(text >= 0 && { text }) }).join('\n');
}
