/** Draws the visible cells of the heat map. */
import { coloursOf } from '../colours.ts';
import type { FleetView } from './fleet-view.ts';
import { type CellPlace, type Geometry, HEAT_STEPS, heatStep, type InView, ROW } from './heat-geometry.ts';
import type { WorkloadShare } from './heat-text.ts';

export interface HeatPicture {
  readonly view: FleetView;
  readonly geometry: Geometry;
  readonly inView: InView;
  readonly scrolled: { readonly left: number; readonly top: number };
  readonly cursor: CellPlace;
}

const names = [
  ...[
    'heat-1',
    'heat-2',
    'heat-3',
    'heat-4',
    'heat-5',
    'on-heat-1',
    'on-heat-2',
    'on-heat-3',
    'on-heat-4',
    'on-heat-5',
  ],
  ...['line-soft', 'text', 'warn', 'surface', 'focus', 'hatch'],
] as const;
type HeatColours = Readonly<Record<string, string>>;

const GAP = 2;
const FONT = '500 11.5px Inter, ui-sans-serif, system-ui, sans-serif';

let worn: { readonly key: string; readonly colours: HeatColours } | undefined;

/** Reading colours forces a layout, so it is done once per theme and not per frame. */
function colours(): HeatColours {
  const key =
    getComputedStyle(document.documentElement).colorScheme + String(matchMedia('(prefers-color-scheme: dark)').matches);
  if (worn?.key !== key) worn = { key, colours: coloursOf(names) };
  return worn.colours;
}

export function paintHeat(canvas: HTMLCanvasElement, picture: HeatPicture): void {
  const { bodyWidth, bodyHeight } = picture.geometry;
  const scale = devicePixelRatio;
  const width = Math.round(bodyWidth * scale);
  const height = Math.round(bodyHeight * scale);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
    canvas.style.width = `${bodyWidth}px`;
    canvas.style.height = `${bodyHeight}px`;
  }
  const pen = canvas.getContext('2d');
  if (pen === null || width === 0 || height === 0) return;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, bodyWidth, bodyHeight);
  pen.font = FONT;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fontKerning = 'none';
  paintCells(pen, picture, colours());
}

function paintCells(
  pen: CanvasRenderingContext2D,
  { view, geometry, inView, scrolled, cursor }: HeatPicture,
  worn: HeatColours,
): void {
  const { columnWidth, bodyWidth } = geometry;
  const end = Math.min(bodyWidth, view.columns.length * columnWidth - scrolled.left);
  for (let row = inView.rows.from; row < inView.rows.to; row++) {
    const y = row * ROW - scrolled.top;
    pen.fillStyle = worn['line-soft'] ?? '';
    pen.fillRect(0, y + ROW - 1, end, 1);
    for (const share of view.rows[row]?.workload.shares ?? []) {
      const column = view.columnOfPlace[share[0]] ?? -1;
      if (column < inView.columns.from || column >= inView.columns.to) continue;
      paintCell(pen, { share, x: column * columnWidth - scrolled.left, y, width: columnWidth, most: view.most }, worn);
    }
  }
  paintCursor(
    pen,
    { x: cursor.column * columnWidth - scrolled.left, y: cursor.row * ROW - scrolled.top, width: columnWidth },
    worn,
  );
}

interface HeatCell {
  readonly share: WorkloadShare;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly most: number;
}

/** The filled part of a cell shows ready replicas, the hollow part unready ones; the text has both numbers. */
function paintCell(pen: CanvasRenderingContext2D, { share, x, y, width, most }: HeatCell, worn: HeatColours): void {
  const [, assigned, ready, held] = share;
  const step = Math.max(1, Math.min(HEAT_STEPS, heatStep(Math.max(assigned, held), most)));
  const colour = worn[`heat-${step}`] ?? '';
  const box = { x: x + GAP / 2, y: y + GAP / 2, width: width - GAP, height: ROW - GAP - 1 };
  const isWhole = ready >= assigned && assigned > 0;
  const filled = assigned > 0 ? Math.min(1, ready / assigned) * box.width : 0;
  pen.fillStyle = isWhole ? colour : (worn.hatch ?? '');
  rounded(pen, box);
  pen.fill();
  if (!isWhole) {
    pen.save();
    rounded(pen, box);
    pen.clip();
    // The lightest step is drawn under the number, so that it is readable on both parts.
    pen.fillStyle = worn['heat-1'] ?? '';
    pen.fillRect(box.x, box.y, filled, box.height);
    pen.fillStyle = colour;
    pen.fillRect(box.x, box.y + box.height - 3, filled, 3);
    pen.restore();
    pen.strokeStyle = worn.warn ?? '';
    pen.lineWidth = 1;
    rounded(pen, { x: box.x + 0.5, y: box.y + 0.5, width: box.width - 1, height: box.height - 1 });
    pen.stroke();
  }
  if (held > 0) paintHeld(pen, box, worn);
  pen.fillStyle = (isWhole ? worn[`on-heat-${step}`] : worn.text) ?? '';
  const text = isWhole ? String(assigned) : `${ready}/${assigned}`;
  pen.fillText(text, x + width / 2, y + ROW / 2, box.width - 2);
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function rounded(pen: CanvasRenderingContext2D, { x, y, width, height }: Box): void {
  pen.beginPath();
  pen.roundRect(x, y, width, height, 3);
}

/** A corner mark for held replicas. */
function paintHeld(pen: CanvasRenderingContext2D, { x, y, width }: Box, worn: HeatColours): void {
  const right = x + width;
  pen.beginPath();
  pen.moveTo(right - 10, y);
  pen.lineTo(right, y);
  pen.lineTo(right, y + 10);
  pen.closePath();
  pen.fillStyle = worn.warn ?? '';
  pen.fill();
  pen.strokeStyle = worn.surface ?? '';
  pen.lineWidth = 1;
  pen.stroke();
}

function paintCursor(
  pen: CanvasRenderingContext2D,
  { x, y, width }: Pick<Box, 'x' | 'y' | 'width'>,
  worn: HeatColours,
): void {
  pen.strokeStyle = worn.focus ?? '';
  pen.lineWidth = 2;
  rounded(pen, { x: x + 1, y: y + 1, width: width - 2, height: ROW - 3 });
  pen.stroke();
}
