/** Events from outside on DynamoDB: one partition, one row for each incident. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { digest } from '../../core/digest.ts';
import type { Instant } from '../../core/time.ts';
import { type ExternalEvent, expiryOf } from '../../external-events/external-event.ts';
import type { ExternalEventStore, StoredEvent } from '../../external-events/external-event-store.ts';
import { rowFormats } from './row-formats.ts';
import { type RowKey, seconds, stillOf, Table, type TableRow, tableStore } from './table.ts';

const PARTITION = 'EXTERNAL-EVENTS';

export class DynamoDbExternalEventStore implements ExternalEventStore {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table, rowFormats.externalEvents);
  }

  /** DynamoDB deletes expired rows some time after they expire. */
  async list(now: Instant): Promise<readonly ExternalEvent[]> {
    const found: ExternalEvent[] = [];
    for await (const page of this.#table.query(PARTITION)) found.push(...page.map(eventOf));
    return found.filter((event) => expiryOf(event) > now);
  }

  async read(id: string): Promise<StoredEvent | undefined> {
    const row = await this.#table.read(rowKey(id));
    return row && { version: row.version as number, event: eventOf(row) };
  }

  save(event: ExternalEvent, version: number): Promise<boolean> {
    const expiresAt = seconds(expiryOf(event));
    const row = { ...rowKey(event.id), version: version + 1, event: textOf(event), expiresAt };
    return this.#table.put(row, stillOf(version));
  }
}

/** The release before knows one EKS cluster, `eksCluster`: without it, an event would concern all clusters of its region there. */
function textOf({ eksClusters, ...event }: ExternalEvent): string {
  return JSON.stringify({ ...event, ...(eksClusters && { eksClusters, eksCluster: eksClusters[0] }) });
}

function eventOf({ event }: TableRow): ExternalEvent {
  const { eksCluster, ...read } = JSON.parse(event as string) as ExternalEvent & { readonly eksCluster?: string };
  return eksCluster === undefined ? read : { eksClusters: [eksCluster], ...read };
}

/** Ids have the lengths of their sources. */
function rowKey(id: string): RowKey {
  return { pk: PARTITION, sk: digest(id) };
}

export const awsExternalEvents = tableStore<ExternalEventStore>(DynamoDbExternalEventStore);
