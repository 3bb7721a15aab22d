/** Recent assignments of our scheduler on DynamoDB: one row for each hub. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type {
  AssignmentStore,
  RecentAssignments,
  StoredAssignments,
} from '../../karmada/assignment/recent-assignments.ts';
import { rowFormats } from './row-formats.ts';
import { type RowKey, seconds, stillOf, Table, tableStore } from './table.ts';

export class DynamoDbAssignmentStore implements AssignmentStore {
  readonly #table: Table;

  constructor(client: DynamoDBClient, table: string) {
    this.#table = new Table(client, table, rowFormats.assignments);
  }

  async read(hub: string): Promise<StoredAssignments | undefined> {
    const row = await this.#table.read(rowKey(hub));
    if (row === undefined) return undefined;
    return { recent: JSON.parse(row.recent as string) as RecentAssignments, version: row.version as number };
  }

  /** As text: a row has a thousand clusters, and reading them as attributes takes longer than parsing. */
  save(
    hub: string,
    recent: RecentAssignments,
    { before, expiresAt }: Parameters<AssignmentStore['save']>[2],
  ): Promise<boolean> {
    const version = before?.version ?? 0;
    const row = {
      ...rowKey(hub),
      recent: JSON.stringify(recent),
      version: version + 1,
      expiresAt: seconds(expiresAt),
    };
    return this.#table.put(row, stillOf(version));
  }
}

function rowKey(hub: string): RowKey {
  return { pk: `ASSIGNMENTS#${hub}`, sk: 'RECENT' };
}

export const awsAssignments = tableStore<AssignmentStore>(DynamoDbAssignmentStore);
