/** The visible row and column headings of the heat map. */
import { keyOf } from '../format.ts';
import { Icon } from '../parts/icon.tsx';
import { type FleetRow, type FleetView, stateOf } from './fleet-view.ts';
import { type CellPlace, type Geometry, HEAD_ROW, type InView, ROW } from './heat-geometry.ts';
import { cellText } from './heat-text.ts';

export interface ColumnHeadsProps {
  readonly view: FleetView;
  readonly geometry: Geometry;
  readonly inView: InView;
  readonly left: number;
}

export function ColumnHeads({ view, geometry, inView, left }: ColumnHeadsProps) {
  const { nameWidth, columnWidth, headHeight, isAcross } = geometry;
  return (
    <div
      class={`heat-columns ${isAcross ? 'across' : 'along'}`}
      role="row"
      aria-rowindex={1}
      style={{ height: `${headHeight}px` }}
    >
      <span class="heat-corner" role="columnheader" style={{ width: `${nameWidth}px` }}>
        <span>Workload</span>
        <span>Ready</span>
      </span>
      <span class="heat-strip" role="presentation" style={{ left: `${nameWidth}px` }}>
        {view.columns.slice(inView.columns.from, inView.columns.to).map(({ cluster }, place) => {
          const column = inView.columns.from + place;
          const state = stateOf(cluster);
          return (
            <span
              key={cluster.name}
              role="columnheader"
              aria-colindex={column + 2}
              title={`${cluster.name}: ${state}`}
              class="heat-column"
              style={{ width: `${columnWidth}px`, transform: `translateX(${column * columnWidth - left}px)` }}
            >
              <span class="heat-column-name">
                {state !== 'ready' && (
                  <Icon
                    name={state === 'not ready' ? 'cross' : 'warning'}
                    tone={state === 'not ready' ? 'bad' : 'warn'}
                  />
                )}
                <span>{cluster.name}</span>
                {state !== 'ready' && <span class="sr-only">({state})</span>}
              </span>
            </span>
          );
        })}
      </span>
    </div>
  );
}

export interface RowHeadsProps {
  readonly view: FleetView;
  readonly geometry: Geometry;
  readonly inView: InView;
  readonly top: number;
  readonly cursor: CellPlace;
  readonly hrefOf: (row: FleetRow) => string;
}

export function RowHeads({ view, geometry, inView, top, cursor, hrefOf }: RowHeadsProps) {
  const visible = indices(inView.rows.from, inView.rows.to);
  // aria-activedescendant needs the active cell in the page, even if it is scrolled out of view.
  const drawn = visible.includes(cursor.row) ? visible : [...visible, cursor.row];
  return (
    <div
      class="heat-rows"
      role="rowgroup"
      style={{ top: `${geometry.headHeight}px`, width: `${geometry.nameWidth}px` }}
    >
      {drawn.map((index) => {
        const row = view.rows[index];
        if (row === undefined) return null;
        const { workload, ready } = row;
        return (
          <div
            key={`${workload.kind}/${workload.namespace}/${workload.name}`}
            role="row"
            aria-rowindex={index + 1 + HEAD_ROW}
            class={`heat-row ${index === cursor.row ? 'is-cursor' : ''}`}
            style={{ height: `${ROW}px`, transform: `translateY(${index * ROW - top}px)` }}
          >
            <span role="rowheader" class="heat-name">
              <a href={hrefOf(row)} tabIndex={-1} title={`${workload.kind} ${keyOf(workload)}`}>
                {workload.namespace !== '' && <span class="muted">{workload.namespace}/</span>}
                {workload.name}
              </a>
            </span>
            <span role="gridcell" class={`heat-total number ${row.behind > 0 ? 'is-behind' : ''}`}>
              {ready.toLocaleString()}/{workload.replicas.toLocaleString()}
            </span>
            {index === cursor.row && (
              <span
                role="gridcell"
                id="heat-cursor"
                aria-colindex={cursor.column + 2}
                aria-selected="true"
                class="sr-only"
              >
                {cellText(view, cursor)}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}

function indices(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place);
}
