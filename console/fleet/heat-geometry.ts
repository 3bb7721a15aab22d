/** Where the parts of the heat map are, and the colour step of a cell. */
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

/** Step 0: no replicas. */
export const HEAT_STEPS = 5;
/** The minimum top of the scale, so that a few replicas are never the darkest step. */
const LEAST_MOST = 10;

/**
 * A square root scale: of workloads with 2, 20 and 200 replicas the first would be invisible on a linear scale.
 * One replica has at least the first step.
 */
export function heatStep(replicas: number, most: number): number {
  if (!(replicas > 0) || !(most > 0)) return 0;
  return Math.min(HEAT_STEPS, Math.max(1, Math.ceil(Math.sqrt(replicas / Math.max(most, LEAST_MOST)) * HEAT_STEPS)));
}
