/** Where the parts of the heat map are. */
import { type IndexRange, spanInView } from '../virtual-window.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export const ROW = 26;
/** The row of the clusters' names, by the grid's count. */
export const HEAD_ROW = 1;

const WIDEST = 200;
const NARROWEST = 34;
/** From this column width on, a cluster's name is written horizontally, below it vertically. */
const ACROSS = 84;
/** Height of a letter in a vertical name. */
const CHARACTER = 7;

export interface Geometry {
  readonly nameWidth: number;
  readonly columnWidth: number;
  readonly headHeight: number;
  readonly isAcross: boolean;
  readonly bodyWidth: number;
  readonly bodyHeight: number;
  readonly fullWidth: number;
}

/** `longest` is the length of the longest name. */
export function geometryOf({ width, height }: Size, columns: number, longest: number): Geometry {
  const nameWidth = width < 560 ? Math.min(150, Math.floor(width * 0.44)) : 280;
  const extent = Math.max(0, width - nameWidth);
  const columnWidth = Math.max(NARROWEST, Math.min(WIDEST, Math.floor(extent / Math.max(1, columns))));
  const isAcross = columnWidth >= ACROSS;
  const headHeight = isAcross ? 32 : Math.max(64, Math.min(160, 52 + longest * CHARACTER));
  return {
    nameWidth,
    columnWidth,
    headHeight,
    isAcross,
    bodyWidth: extent,
    bodyHeight: Math.max(0, height - headHeight),
    fullWidth: nameWidth + columns * columnWidth,
  };
}

export interface InView {
  readonly rows: IndexRange;
  readonly columns: IndexRange;
}

export function viewIn(
  { columnWidth, bodyWidth, bodyHeight }: Geometry,
  of: { readonly rows: number; readonly columns: number },
  scrolled: { readonly left: number; readonly top: number },
): InView {
  return {
    rows: spanInView({ count: of.rows, size: ROW }, scrolled.top, bodyHeight),
    columns: spanInView({ count: of.columns, size: columnWidth }, scrolled.left, bodyWidth),
  };
}
