/** Tables for a terminal. */
import { widthOf } from './terminal.ts';

interface AlignOptions {
  /** Right-aligned columns. */
  readonly right?: readonly number[];
  /** Columns of free text, which may be truncated to fit a terminal, the first one first; names and numbers are never truncated. */
  readonly text?: number | readonly number[];
  /** Of the terminal unless given; undefined there: nothing is truncated. */
  readonly width?: number | undefined;
}

const GAP = 2;
/** Minimum width of a truncated text. On a narrower terminal the line wraps, which is better than an unreadable text. */
const LEAST = 12;

/** Columns two spaces apart. */
export function aligned(
  rows: readonly (readonly string[])[],
  { right = [], text, width = widthOf() }: AlignOptions = {},
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

function fitting(rows: readonly (readonly string[])[], text: number, total: number): readonly (readonly string[])[] {
  const others = widthsOf(rows).reduce((sum, each, i) => (i === text ? sum : sum + each + GAP), 0);
  const width = Math.max(total - others, rows[0]?.[text]?.length ?? 0, LEAST);
  return rows.map((row) => row.map((cell, i) => (i === text ? cut(cell, width) : cell)));
}

/** "Unschedulable: no clus…". */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
}
