/** The replicas of each cluster over time, stacked, with those that are ready, and marks for writes. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Moment } from '../../shared/console-api/operations/fleet.ts';
import { coloursOf } from '../colours.ts';
import { useColourChange } from '../theme.tsx';
import { type Sample, type StackedSamples, stacked } from './samples.ts';

const HEIGHT = 220;
const LAYERS = 8;
const DAY_SECONDS = 86_400;
const names = [
  'layer-1',
  'layer-2',
  'layer-3',
  'layer-4',
  'layer-5',
  'layer-6',
  'layer-7',
  'layer-8',
  'text',
  'muted',
  'line',
  'surface',
  'accent',
] as const;
type ChartColours = ReturnType<typeof coloursOf<(typeof names)[number]>>;

export interface DistributionChartProps {
  readonly samples: readonly Sample[];
  readonly history: readonly Moment[];
}

export function DistributionChart({ samples, history }: DistributionChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<{ readonly plot: uPlot; readonly layers: string }>(undefined);
  const written = useRef<readonly number[]>([]);
  written.current = history.filter(({ what }) => what === 'written').map(({ at }) => Date.parse(at) / 1000);
  const stack = stacked(samples, LAYERS);
  const colours = useRef<ChartColours>(undefined);
  useColourChange(() => {
    colours.current = undefined;
    drawn.current?.plot.destroy();
    drawn.current = undefined;
  });
  useEffect(() => {
    const element = place.current;
    if (element === null || stack.times.length === 0) return;
    colours.current ??= coloursOf(names);
    const layers = stack.names.join(' ');
    if (drawn.current?.layers !== layers) {
      drawn.current?.plot.destroy();
      const plot = new uPlot(
        optionsOf(stack, { colours: colours.current, marks: written, width: element.clientWidth }),
        dataOf(stack),
        element,
      );
      drawn.current = { plot, layers };
    } else drawn.current.plot.setData(dataOf(stack));
  });
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const resized = new ResizeObserver(() =>
      drawn.current?.plot.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    resized.observe(element);
    return () => {
      resized.disconnect();
      drawn.current?.plot.destroy();
      drawn.current = undefined;
    };
  }, []);
  const last = samples.at(-1)?.shares ?? {};
  const numbers = Object.entries(last)
    .map(([name, share]) => `${name} ${share}`)
    .join(', ');
  return (
    <figure class="chart">
      <div
        class="chart-place"
        ref={place}
        role="img"
        aria-label={`Replicas by cluster, now: ${numbers === '' ? 'none' : numbers}`}
      />
      <figcaption class="chart-legend">
        {stack.names.map((name, layer) => (
          <span key={name}>
            <i class="swatch" style={{ background: `var(--layer-${layer + 1})` }} aria-hidden="true" />
            {name} <span class="number">{last[name] ?? ''}</span>
          </span>
        ))}
        <span>
          <i class="swatch-ready" aria-hidden="true" />
          ready <span class="number">{samples.at(-1)?.ready ?? ''}</span>
        </span>
        <span>
          <i class="swatch-line" aria-hidden="true" />
          written by us or the scheduler
        </span>
      </figcaption>
    </figure>
  );
}

/** The tallest sum is painted first; the visible part of each sum is its own layer. */
function dataOf({ times, sums, ready }: StackedSamples): uPlot.AlignedData {
  return [[...times], ...sums.map((sum) => [...sum]).toReversed(), [...ready]];
}

/** A day and more has the date at each time. */
function timesText(times: readonly number[]): readonly string[] {
  const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) >= DAY_SECONDS / 2;
  const day: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' };
  return times.map((time) =>
    isLong ? new Date(time * 1000).toLocaleString([], day) : new Date(time * 1000).toLocaleTimeString(),
  );
}

interface Look {
  readonly colours: ChartColours;
  readonly marks: { readonly current: readonly number[] };
  readonly width: number;
}

function optionsOf(stack: StackedSamples, { colours, marks, width }: Look): uPlot.Options {
  const font = '11px Inter, ui-sans-serif, system-ui, sans-serif';
  const axis: uPlot.Axis = {
    stroke: colours.muted,
    font,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1, size: 4 },
  };
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 34, 0, 0],
    scales: {
      // A range of less than a minute would not be readable.
      x: { time: true, range: (_, least, most) => [Math.min(least, most - 60), most] },
      y: { range: (_, __, most) => [0, Math.max(1, most) * 1.08] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        space: 92,
        values: (_, times) => [...timesText(times)],
      },
      { ...axis, size: 36, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] },
    ],
    series: [
      {},
      ...stack.names
        .map((name, layer) => {
          const colour = colours[`layer-${layer + 1}` as (typeof names)[number]];
          return {
            label: name,
            stroke: colours.surface,
            width: 1.5,
            fill: colour,
            points: { show: false },
            ...(stepped && { paths: stepped }),
          };
        })
        .toReversed(),
      {
        label: 'ready',
        stroke: colours.text,
        width: 2,
        points: { show: false },
        ...(stepped && { paths: stepped }),
      },
    ],
    hooks: { draw: [(plot) => drawMarks(plot, marks.current, colours.text)] },
  };
}

function drawMarks(plot: uPlot, marks: readonly number[], colour: string): void {
  const { ctx: pen, bbox, scales } = plot;
  pen.save();
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = devicePixelRatio;
  pen.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const mark of marks) {
    if (mark < (scales.x?.min ?? 0) || mark > (scales.x?.max ?? 0)) continue;
    const x = plot.valToPos(mark, 'x', true);
    pen.beginPath();
    pen.moveTo(x, bbox.top);
    pen.lineTo(x, bbox.top + bbox.height);
    pen.stroke();
    pen.beginPath();
    pen.arc(x, bbox.top + 2, 3 * devicePixelRatio, 0, 2 * Math.PI);
    pen.fill();
  }
  pen.restore();
}
