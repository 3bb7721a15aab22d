/** Recorded placements on DynamoDB: a partition for each workload, and one for each cluster with its states and with what moved to and from it. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { eachAtOnce } from '../../core/each-at-once.ts';
import { type Instant, toTimestamp } from '../../core/time.ts';
import { keyText, type ObjectKey } from '../../kubernetes/object-key.ts';
import type { ClusterStateRow } from '../../placement-history/cluster-row.ts';
import type { HistoryPage, HistoryRange, HistoryStore, NewPlacement } from '../../placement-history/history-store.ts';
import type { ClusterMove, PlacementRow } from '../../placement-history/placement-row.ts';
import { rowFormats } from './row-formats.ts';
import { type RowKey, seconds, Table, tableStore } from './table.ts';

type RowKind = 'PLACEMENT' | 'STATE' | 'MOVE';

/** resourceVersions are 64-bit numbers: with this many digits their texts sort as the numbers do. */
const VERSION_DIGITS = 20;
/** After every version in a sort key, and before every one. */
const [LAST, FIRST] = ['~', '!'];
/** After every time. */
const END_OF_TIME = '9999-12-31T23:59:59Z';
const MOVES_AT_ONCE = 16;

export class DynamoDbHistoryStore implements HistoryStore {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table, rowFormats.history);
  }

  lastPlacement(hub: string, binding: ObjectKey, until?: Instant): Promise<PlacementRow | undefined> {
    return this.#last(workloadPartition(hub, binding), 'PLACEMENT', until);
  }

  async recordPlacement(hub: string, { row, moves }: NewPlacement, expiresAt: Instant): Promise<void> {
    await eachAtOnce(moves, MOVES_AT_ONCE, (move) => this.#putMove(hub, move, expiresAt));
    const key = { pk: workloadPartition(hub, row.binding), sk: sortKey('PLACEMENT', row) };
    await this.#putNewer(key, row, { version: row.lastVersion, expiresAt });
  }

  placements(hub: string, binding: ObjectKey, range: HistoryRange): Promise<HistoryPage<PlacementRow>> {
    return this.#page(workloadPartition(hub, binding), 'PLACEMENT', range);
  }

  lastCluster(hub: string, cluster: string, until?: Instant): Promise<ClusterStateRow | undefined> {
    return this.#last(clusterPartition(hub, cluster), 'STATE', until);
  }

  async recordCluster(hub: string, row: ClusterStateRow, expiresAt: Instant): Promise<void> {
    const key = { pk: clusterPartition(hub, row.cluster), sk: sortKey('STATE', row) };
    await this.#putNewer(key, row, { version: row.version, expiresAt });
  }

  clusterStates(hub: string, cluster: string, range: HistoryRange): Promise<HistoryPage<ClusterStateRow>> {
    return this.#page(clusterPartition(hub, cluster), 'STATE', range);
  }

  clusterMoves(hub: string, cluster: string, range: HistoryRange): Promise<HistoryPage<ClusterMove>> {
    return this.#page(clusterPartition(hub, cluster), 'MOVE', range);
  }

  async #last<Row>(pk: string, kind: RowKind, until: Instant | undefined): Promise<Row | undefined> {
    const time = until === undefined ? END_OF_TIME : toTimestamp(until);
    const { rows } = await this.#table.page(pk, { from: `${kind}#`, to: `${kind}#${time}#${LAST}`, limit: 1 });
    return rows.map(({ row }) => JSON.parse(row as string) as Row)[0];
  }

  async #page<Row>(
    pk: string,
    kind: RowKind,
    { from, to, limit, next: after }: HistoryRange,
  ): Promise<HistoryPage<Row>> {
    const [first, last] = [`${kind}#${toTimestamp(from)}#${FIRST}`, `${kind}#${toTimestamp(to)}#${LAST}`];
    const { rows, next } = await this.#table.page(pk, { from: first, to: last, limit, after });
    const read = rows.map(({ row }) => JSON.parse(row as string) as Row);
    return { rows: read, ...(next !== undefined && { next }) };
  }

  /** The same row again if a delivery is repeated. */
  async #putMove(hub: string, move: ClusterMove, expiresAt: Instant): Promise<void> {
    const sk = `${sortKey('MOVE', move)}#${keyText(move.binding)}`;
    await this.#table.put({ pk: clusterPartition(hub, move.cluster), sk, ...contentOf(move, expiresAt) });
  }

  async #putNewer(
    key: RowKey,
    row: object,
    { version, expiresAt }: { readonly version: string; readonly expiresAt: Instant },
  ): Promise<void> {
    await this.#table.put(
      { ...key, version: padded(version), ...contentOf(row, expiresAt) },
      {
        condition: 'attribute_not_exists(pk) OR #version <= :version',
        names: { '#version': 'version' },
        values: { ':version': padded(version) },
      },
    );
  }
}

/** As text, so that `hub`, a key of the tasks' index, is no attribute of the row. */
function contentOf(row: object, expiresAt: Instant): { readonly row: string; readonly expiresAt: number } {
  return { row: JSON.stringify(row), expiresAt: seconds(expiresAt) };
}

function workloadPartition(hub: string, binding: ObjectKey): string {
  return `PLACEMENTS#${hub}#${keyText(binding)}`;
}

function clusterPartition(hub: string, cluster: string): string {
  return `CLUSTER-HISTORY#${hub}#${cluster}`;
}

function sortKey(kind: RowKind, { at, version }: { readonly at: Instant; readonly version: string }): string {
  return `${kind}#${toTimestamp(at)}#${padded(version)}`;
}

function padded(version: string): string {
  return version.padStart(VERSION_DIGITS, '0');
}

export const awsHistory = tableStore<HistoryStore>(DynamoDbHistoryStore);
