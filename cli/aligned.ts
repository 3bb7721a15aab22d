/** Tables for a terminal. */
import { widthOf } from './terminal.ts';

interface Shape {
  /** Columns that end where their head ends. */
  readonly right?: readonly number[];
  /** Columns of free text, which may be cut to fit a terminal, the first one first; names and numbers never are. */
  readonly text?: number | readonly number[];
  /** Of the terminal; undefined where nothing is cut. */
  readonly width?: number | undefined;
}

const GAP = 2;
/** So much of a text is left, however narrow the terminal is: a line that wraps is better than one that says nothing. */
const LEAST = 12;

/** Columns two spaces apart. */
export function aligned(
  rows: readonly (readonly string[])[],
  { right = [], text, width = widthOf() }: Shape = {},
): string[] {
  const columns = text === undefined ? [] : [text].flat();
  const shown = width === undefined ? rows : columns.reduce((so, column) => fitting(so, column, width), rows);
  const widths = widthsOf(shown);
  return shown.map((row) =>
    row
      .map((cell, i) => (right.includes(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
}

function fitting(rows: readonly (readonly string[])[], text: number, width: number): readonly (readonly string[])[] {
  const others = widthsOf(rows).reduce((sum, each, i) => (i === text ? sum : sum + each + GAP), 0);
  const room = Math.max(width - others, rows[0]?.[text]?.length ?? 0, LEAST);
  return rows.map((row) => row.map((cell, i) => (i === text ? cut(cell, room) : cell)));
}

/** "Unschedulable: no clus…". */
export function cut(text: string, room: number): string {
  return text.length <= room ? text : `${text.slice(0, Math.max(0, room - 1)).trimEnd()}…`;
}
