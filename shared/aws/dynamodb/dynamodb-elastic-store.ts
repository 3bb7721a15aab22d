/** What is remembered of ElasticWorkloads on DynamoDB: one row each. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Instant } from '../../core/time.ts';
import type { ElasticRow, ElasticRowKey, ElasticStore } from '../../elastic-workload/elastic-store.ts';
import type { ReconcilerState } from '../../elastic-workload/replica-balance.ts';
import { rowFormats } from './row-formats.ts';
import { type RowKey, seconds, stillOf, Table, tableStore } from './table.ts';

export class DynamoDbElasticStore implements ElasticStore {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table, rowFormats.elastic);
  }

  async read({ hub, uid }: ElasticRowKey): Promise<ElasticRow | undefined> {
    const row = await this.#table.read(rowKey({ hub, uid }));
    if (row === undefined) return undefined;
    const memory = JSON.parse(gunzipSync(row.packed as Uint8Array).toString()) as ReconcilerState;
    return { hub, uid, version: row.version as number, memory };
  }

  /** Packed: as text 5,000 clusters would weigh 500 KB, and a row may weigh 400. */
  save({ version, memory, ...key }: ElasticRow, expiresAt?: Instant): Promise<boolean> {
    const packed = gzipSync(JSON.stringify(memory));
    const forgotten = expiresAt !== undefined && { expiresAt: seconds(expiresAt) };
    const row = { ...rowKey(key), version: version + 1, packed, ...forgotten };
    return this.#table.put(row, stillOf(version));
  }
}

/** One partition per ElasticWorkload, because many are reconciled concurrently. */
function rowKey({ hub, uid }: ElasticRowKey): RowKey {
  return { pk: `ELASTIC-WORKLOAD#${hub}#${uid}`, sk: 'MEMORY' };
}

export const awsElastic = tableStore<ElasticStore>(DynamoDbElasticStore);
