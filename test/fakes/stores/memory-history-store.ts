/** Recorded placements in memory; the same contract as those on DynamoDB. */
import type { Instant } from '../../../shared/core/time.ts';
import { keyText, type ObjectKey } from '../../../shared/kubernetes/object-key.ts';
import type { ClusterStateRow } from '../../../shared/placement-history/cluster-row.ts';
import type {
  HistoryPage,
  HistoryRange,
  HistoryStore,
  NewPlacement,
} from '../../../shared/placement-history/history-store.ts';
import type { ClusterMove, PlacementRow } from '../../../shared/placement-history/placement-row.ts';

interface Keyed {
  readonly at: Instant;
  readonly version: string;
}

export class MemoryHistoryStore implements HistoryStore {
  readonly #placements = new Map<string, Map<string, PlacementRow>>();
  readonly #states = new Map<string, Map<string, ClusterStateRow>>();
  readonly #moves = new Map<string, Map<string, ClusterMove>>();

  async lastPlacement(hub: string, binding: ObjectKey, until?: Instant): Promise<PlacementRow | undefined> {
    return lastOf(this.#placements.get(`${hub} ${keyText(binding)}`), until);
  }

  async recordPlacement(hub: string, { row, moves }: NewPlacement): Promise<void> {
    for (const move of moves)
      put(this.#moves, `${hub} ${move.cluster}`, `${textOf(move)} ${keyText(move.binding)}`, move);
    const place = `${hub} ${keyText(row.binding)}`;
    const present = this.#placements.get(place)?.get(textOf(row));
    if (present !== undefined && BigInt(present.lastVersion) > BigInt(row.lastVersion)) return;
    put(this.#placements, place, textOf(row), row);
  }

  async placements(hub: string, binding: ObjectKey, range: HistoryRange): Promise<HistoryPage<PlacementRow>> {
    return pageOf(this.#placements.get(`${hub} ${keyText(binding)}`), range);
  }

  async lastCluster(hub: string, cluster: string, until?: Instant): Promise<ClusterStateRow | undefined> {
    return lastOf(this.#states.get(`${hub} ${cluster}`), until);
  }

  async recordCluster(hub: string, row: ClusterStateRow): Promise<void> {
    put(this.#states, `${hub} ${row.cluster}`, textOf(row), row);
  }

  async clusterStates(hub: string, cluster: string, range: HistoryRange): Promise<HistoryPage<ClusterStateRow>> {
    return pageOf(this.#states.get(`${hub} ${cluster}`), range);
  }

  async clusterMoves(hub: string, cluster: string, range: HistoryRange): Promise<HistoryPage<ClusterMove>> {
    return pageOf(this.#moves.get(`${hub} ${cluster}`), range);
  }
}

function put<Row>(rows: Map<string, Map<string, Row>>, place: string, key: string, row: Row): void {
  const present = rows.get(place) ?? new Map<string, Row>();
  rows.set(place, present.set(key, structuredClone(row)));
}

function textOf({ at, version }: Keyed): string {
  return `${String(Math.floor(at / 1000)).padStart(12, '0')} ${version.padStart(20, '0')}`;
}

/** Newest first, with their keys. */
function sorted<Row extends Keyed>(rows: ReadonlyMap<string, Row> | undefined): readonly (readonly [string, Row])[] {
  return structuredClone([...(rows ?? [])].sort(([a], [b]) => (a < b ? 1 : -1)));
}

function second(at: Instant): number {
  return Math.floor(at / 1000);
}

function lastOf<Row extends Keyed>(rows: ReadonlyMap<string, Row> | undefined, until = Infinity): Row | undefined {
  return sorted(rows).find(([, { at }]) => second(at) <= second(until))?.[1];
}

function pageOf<Row extends Keyed>(
  rows: ReadonlyMap<string, Row> | undefined,
  { from, to, limit, next }: HistoryRange,
): HistoryPage<Row> {
  const within = sorted(rows).filter(([, { at }]) => second(at) >= second(from) && second(at) <= second(to));
  const rest = within.filter(([key]) => next === undefined || key < next);
  const page = rest.slice(0, limit);
  const last = page.at(-1)?.[0];
  return { rows: page.map(([, row]) => row), ...(rest.length > limit && last !== undefined && { next: last }) };
}
