/** Curves of how many replicas were ready, a sample every 100 ms, as an SVG of fixed size: for the documentation. */

export interface Curve {
  readonly label: string;
  readonly color: string;
  readonly seen: readonly number[];
}

export interface Drawing {
  readonly title: string;
  /** What nothing should fall under. */
  readonly floor: number;
  readonly curves: readonly Curve[];
}

const WIDTH = 760;
const HEIGHT = 320;
const LEFT = 56;
const RIGHT = 20;
const TOP = 64;
const BOTTOM = 44;
const SAMPLES_A_SECOND = 10;
const FONT = 'font-family="system-ui, sans-serif"';

export function drawCurves({ title, floor, curves }: Drawing): string {
  const seconds = Math.max(...curves.map(({ seen }) => seen.length - 1)) / SAMPLES_A_SECOND;
  const top = Math.ceil(Math.max(...curves.flatMap(({ seen }) => seen)) / 4) * 4 + 2;
  const x = (second: number) => round(LEFT + (second / seconds) * (WIDTH - LEFT - RIGHT));
  const y = (ready: number) => round(HEIGHT - BOTTOM - (ready / top) * (HEIGHT - TOP - BOTTOM));
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text({ x: LEFT, y: 24, size: 15 }, title),
    ...marks(0, top, 4).flatMap((ready) => [
      `<path d="M${LEFT} ${y(ready)}H${WIDTH - RIGHT}" stroke="#e5e7eb"/>`,
      text({ x: LEFT - 10, y: y(ready) + 4, anchor: 'end' }, String(ready)),
    ]),
    ...marks(0, seconds, 5).map((second) =>
      text({ x: x(second), y: HEIGHT - BOTTOM + 20, anchor: 'middle' }, `${second} s`),
    ),
    `<path d="M${LEFT} ${y(floor)}H${WIDTH - RIGHT}" stroke="#374151" stroke-dasharray="6 5"/>`,
    text({ x: WIDTH - RIGHT, y: y(floor) - 6, anchor: 'end' }, 'min(before, after)'),
    ...curves.map(
      ({ color, seen }) => `<path d="${stairs(seen, x, y)}" fill="none" stroke="${color}" stroke-width="2.5"/>`,
    ),
    ...curves.flatMap(({ label, color }, i) => [
      `<path d="M${LEFT + i * 190} 46h24" stroke="${color}" stroke-width="2.5"/>`,
      text({ x: LEFT + 32 + i * 190, y: 50 }, label),
    ]),
    text({ x: LEFT, y: HEIGHT - 6 }, 'replicas ready in all clusters, sampled every 100 ms'),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}

/** A point where the number changes, and one at the end. */
function stairs(seen: readonly number[], x: (second: number) => number, y: (ready: number) => number): string {
  const steps = seen.flatMap((ready, i) =>
    i === 0 || ready === seen[i - 1] ? [] : [`H${x(i / SAMPLES_A_SECOND)}V${y(ready)}`],
  );
  return `M${x(0)} ${y(seen[0] ?? 0)}${steps.join('')}H${x((seen.length - 1) / SAMPLES_A_SECOND)}`;
}

function marks(from: number, to: number, step: number): readonly number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
}

interface At {
  readonly x: number;
  readonly y: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly size?: number;
}

function text({ x, y, anchor = 'start', size = 12 }: At, content: string): string {
  return `<text x="${x}" y="${y}" ${FONT} font-size="${size}" fill="#111827" text-anchor="${anchor}">${content}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
