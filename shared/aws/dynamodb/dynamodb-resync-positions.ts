/** Positions of resyncs on DynamoDB: one row for each hub and function. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type PositionKey,
  positionFunctions,
  type ResyncPosition,
  type ResyncPositions,
  type StoredPosition,
} from '../../karmada/resync-position.ts';
import { rowFormats } from './row-formats.ts';
import { type RowKey, Table, tableStore, type WriteCondition } from './table.ts';

export class DynamoDbResyncPositions implements ResyncPositions {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table, rowFormats.positions);
  }

  async read(key: PositionKey): Promise<StoredPosition | undefined> {
    const row = await this.#table.read(rowKey(key));
    if (row === undefined) return undefined;
    const { versions, open, context, listedAt, rest, revision } = row as unknown as StoredPosition;
    return { versions, open, context, listedAt, revision, ...(rest && { rest }) };
  }

  save(key: PositionKey, position: ResyncPosition, before: StoredPosition | undefined): Promise<boolean> {
    const { revision = 0 } = before ?? {};
    return this.#table.put({ ...rowKey(key), ...position, revision: revision + 1 }, stillAt(revision));
  }

  async forget(hub: string): Promise<void> {
    const present = { condition: 'attribute_exists(pk)' };
    await Promise.all(positionFunctions.map((name) => this.#table.delete(rowKey({ hub, function: name }), present)));
  }
}

function stillAt(revision: number): WriteCondition {
  if (revision === 0) return { condition: 'attribute_not_exists(pk)' };
  return { condition: 'revision = :revision', values: { ':revision': revision } };
}

function rowKey({ hub, function: name }: PositionKey): RowKey {
  return { pk: `POSITION#${hub}`, sk: name };
}

export const awsPositions = tableStore<ResyncPositions>(DynamoDbResyncPositions);
