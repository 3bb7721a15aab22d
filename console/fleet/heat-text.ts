/** A cell of the heat map as text, for the line below it and for screen readers. */
import { keyOf } from '../format.ts';
import type { FleetView } from './fleet-view.ts';
import type { CellPlace } from './heat-geometry.ts';

export type WorkloadShare = FleetView['rows'][number]['workload']['shares'][number];

function shareAt({ rows, columns }: FleetView, { row, column }: CellPlace): WorkloadShare | undefined {
  const place = columns[column]?.place;
  return rows[row]?.workload.shares.find(([of]) => of === place);
}

export function cellText(view: FleetView, place: CellPlace): string {
  const workload = view.rows[place.row]?.workload;
  const cluster = view.columns[place.column]?.cluster;
  if (workload === undefined || cluster === undefined) return '';
  const where = `${keyOf(workload)} on ${cluster.name}`;
  const share = shareAt(view, place);
  if (share === undefined) return `${where}: none`;
  const [, assigned, ready, held] = share;
  return `${where}: ${assigned} assigned, ${ready} ready${held > 0 ? `, ${held} held until replaced` : ''}`;
}
