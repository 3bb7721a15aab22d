/** What is remembered of ElasticWorkloads on DynamoDB: one row each. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Memory } from '../../model/elastic-workload/balance-replicas.ts';
import { type Instant, SECOND } from '../../model/time.ts';
import type { ElasticRow, ElasticRowKey, ElasticStore } from '../../ports/elastic-store.ts';
import { type RowKey, stillOf, Table } from './table.ts';

export class DynamoDbElasticStore implements ElasticStore {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table);
  }

  async read({ hub, uid }: ElasticRowKey): Promise<ElasticRow | undefined> {
    const row = await this.#table.read(rowKey({ hub, uid }));
    if (row === undefined) return undefined;
    const memory = JSON.parse(gunzipSync(row.packed as Uint8Array).toString()) as Memory;
    return { hub, uid, version: row.version as number, memory };
  }

  /** Packed: as text 5,000 clusters would weigh 500 KB, and a row may weigh 400. */
  save({ version, memory, ...key }: ElasticRow, expiresAt?: Instant): Promise<boolean> {
    const packed = gzipSync(JSON.stringify(memory));
    const forgotten = expiresAt !== undefined && { expiresAt: Math.ceil(expiresAt / SECOND) };
    const row = { ...rowKey(key), version: version + 1, packed, ...forgotten };
    return this.#table.put(row, stillOf(version));
  }
}

/** A partition each: many look at theirs at once. */
function rowKey({ hub, uid }: ElasticRowKey): RowKey {
  return { pk: `ELASTIC-WORKLOAD#${hub}#${uid}`, sk: 'MEMORY' };
}
