/** Clusters × workloads on a canvas: draws only the visible cells. Arrows move a cursor, Enter opens its workload. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hrefOf, routeOf } from '../route.ts';
import { useColourChange } from '../theme.tsx';
import { scrolledTo } from '../virtual-window.ts';
import type { FleetView } from './fleet-view.ts';
import { type CellPlace, geometryOf, HEAD_ROW, ROW, type Size, viewIn } from './heat-geometry.ts';
import { ColumnHeads, RowHeads } from './heat-heads.tsx';
import { paintHeat } from './heat-paint.ts';
import { cellText } from './heat-text.ts';

export interface HeatMapProps {
  readonly hub: string;
  readonly view: FleetView;
  readonly onOpen: (row: number) => void;
}

export function HeatMap({ hub, view, onOpen }: HeatMapProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  const [scrolled, setScrolled] = useState({ left: 0, top: 0 });
  const [cursor, setCursor] = useState<CellPlace>({ row: 0, column: 0 });
  const [pointed, setPointed] = useState<CellPlace>();
  const longest = Math.max(0, ...view.columns.map(({ cluster }) => cluster.name.length));
  const geometry = geometryOf(size, view.columns.length, longest);
  const inView = viewIn(geometry, { rows: view.rows.length, columns: view.columns.length }, scrolled);
  const at = within(cursor, view);
  useSizeOf(scroller, setSize);
  useLayoutEffect(() => {
    if (canvas.current !== null) paintHeat(canvas.current, { view, geometry, inView, scrolled, cursor: at });
  });
  useColourChange(() => setScrolled((last) => ({ ...last })));

  const moveTo = (next: CellPlace): void => {
    const place = within(next, view);
    setCursor(place);
    setPointed(undefined);
    const element = scroller.current;
    if (element === null) return;
    const { bodyWidth, bodyHeight, columnWidth } = geometry;
    const rows = { count: view.rows.length, size: ROW };
    const columns = { count: view.columns.length, size: columnWidth };
    element.scrollTop = scrolledTo(rows, place.row, { scrolled: element.scrollTop, extent: bodyHeight });
    element.scrollLeft = scrolledTo(columns, place.column, { scrolled: element.scrollLeft, extent: bodyWidth });
  };
  const onKey = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(geometry.bodyHeight / ROW) - 1);
    const next = placeAfter(event, at, { page, rows: view.rows.length, columns: view.columns.length });
    if (event.key === 'Enter') onOpen(at.row);
    else if (next !== undefined) moveTo(next);
    else return;
    event.preventDefault();
  };
  const placeOf = (event: MouseEvent): CellPlace | undefined => {
    const box = scroller.current?.getBoundingClientRect();
    if (box === undefined) return undefined;
    const x = event.clientX - box.left - geometry.nameWidth;
    const y = event.clientY - box.top - geometry.headHeight;
    const place = {
      row: Math.floor((y + scrolled.top) / ROW),
      column: Math.floor((x + scrolled.left) / geometry.columnWidth),
    };
    const fits = x >= 0 && y >= 0 && place.row < view.rows.length && place.column < view.columns.length;
    return fits ? place : undefined;
  };
  const detailed = pointed !== undefined && pointed.row < view.rows.length ? within(pointed, view) : at;
  return (
    <div class="heat-frame">
      <div
        class="heat"
        ref={scroller}
        role="grid"
        aria-label="Replicas by workload and cluster"
        aria-rowcount={view.rows.length + HEAD_ROW}
        aria-colcount={view.columns.length + 1}
        aria-activedescendant="heat-cursor"
        tabIndex={0}
        onScroll={(event) => setScrolled({ left: event.currentTarget.scrollLeft, top: event.currentTarget.scrollTop })}
        onKeyDown={onKey}
        onMouseMove={(event) => setPointed(placeOf(event))}
        onMouseLeave={() => setPointed(undefined)}
        onClick={(event) => {
          const place = placeOf(event);
          if (place !== undefined) moveTo(place);
        }}
        onDblClick={(event) => {
          const place = placeOf(event);
          if (place !== undefined) onOpen(place.row);
        }}
      >
        <div
          role="presentation"
          style={{ width: `${geometry.fullWidth}px`, height: `${geometry.headHeight + view.rows.length * ROW}px` }}
        >
          <div class="heat-layer" role="presentation" style={{ width: `${size.width}px`, height: `${size.height}px` }}>
            <canvas
              ref={canvas}
              aria-hidden="true"
              style={{ left: `${geometry.nameWidth}px`, top: `${geometry.headHeight}px` }}
            />
            <ColumnHeads view={view} geometry={geometry} inView={inView} left={scrolled.left} />
            <RowHeads
              view={view}
              geometry={geometry}
              inView={inView}
              top={scrolled.top}
              cursor={at}
              hrefOf={(row) => hrefOf(routeOf(hub, row.workload))}
            />
          </div>
        </div>
      </div>
      <p class="heat-detail" aria-hidden="true">
        <span>{cellText(view, detailed)}</span>
        <kbd>↑↓←→</kbd> move <kbd>Enter</kbd> opens
      </p>
    </div>
  );
}

function within({ row, column }: CellPlace, { rows, columns }: FleetView): CellPlace {
  return {
    row: Math.max(0, Math.min(row, rows.length - 1)),
    column: Math.max(0, Math.min(column, columns.length - 1)),
  };
}

interface CursorStep {
  readonly page: number;
  readonly rows: number;
  readonly columns: number;
}

function placeAfter(
  { key, ctrlKey }: KeyboardEvent,
  { row, column }: CellPlace,
  reach: CursorStep,
): CellPlace | undefined {
  const steps: Readonly<Record<string, CellPlace>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - reach.page, column },
    PageDown: { row: row + reach.page, column },
    Home: { row: ctrlKey ? 0 : row, column: 0 },
    End: { row: ctrlKey ? reach.rows - 1 : row, column: reach.columns - 1 },
  };
  return steps[key];
}

function useSizeOf(ref: { readonly current: HTMLElement | null }, set: (size: Size) => void): void {
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = (): void => set({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [ref, set]);
}
