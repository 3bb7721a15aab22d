/** The moves that count against the budgets of a hub, on DynamoDB: one row for each hub. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LedgerMove, MoveLedger, StoredMoves } from '../../move-budget/move-ledger.ts';
import { rowFormats } from './row-formats.ts';
import { type RowKey, seconds, stillOf, Table, tableStore } from './table.ts';

export class DynamoDbMoveLedger implements MoveLedger {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table, rowFormats.ledger);
  }

  async read(hub: string): Promise<StoredMoves | undefined> {
    const row = await this.#table.read(rowKey(hub));
    if (row === undefined) return undefined;
    const moves = JSON.parse(gunzipSync(row.packed as Uint8Array).toString()) as readonly LedgerMove[];
    return { moves, version: row.version as number };
  }

  /** Compressed: a row is limited to 400 kB, and thousands of moves as text are more. */
  save(
    hub: string,
    moves: readonly LedgerMove[],
    { before, expiresAt }: Parameters<MoveLedger['save']>[2],
  ): Promise<boolean> {
    const version = before?.version ?? 0;
    const packed = gzipSync(JSON.stringify(moves));
    const row = { ...rowKey(hub), packed, version: version + 1, expiresAt: seconds(expiresAt) };
    return this.#table.put(row, stillOf(version));
  }
}

function rowKey(hub: string): RowKey {
  return { pk: `MOVES#${hub}`, sk: 'LEDGER' };
}

export const awsMoveLedger = tableStore<MoveLedger>(DynamoDbMoveLedger);
