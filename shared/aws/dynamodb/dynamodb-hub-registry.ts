/** The registry of hubs on DynamoDB, in a table of its own, so that IAM can grant internet-facing functions reads of records and nothing else. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readEnvironment } from '../../core/environment.ts';
import { asFault, type Fault } from '../../core/fault.ts';
import type { InvocationContext } from '../../core/invocation.ts';
import type { Instant } from '../../core/time.ts';
import type { HubRecord, HubRegistry, NewHubRecord } from '../../kubernetes/hub-registry.ts';
import { clientConfig, type Environment } from '../client-config.ts';
import { fromHubRow, HUBS, hubKey, toHubRow } from './hub-row.ts';
import { rowFormats } from './row-formats.ts';
import { type RowKey, Table, type TableRow, type WriteCondition } from './table.ts';

/** Called for each record that a list omits because it is invalid. */
export type OnUnreadableRecord = (hub: string, fault: Fault) => void;

const PUBLISHED: RowKey = { pk: 'SCHEDULES', sk: 'PUBLISHED' };

export class DynamoDbHubRegistry implements HubRegistry {
  readonly #table: Table;
  readonly #onUnreadable: OnUnreadableRecord;

  constructor(client: DynamoDBClient, table: string, onUnreadable: OnUnreadableRecord) {
    this.#table = new Table(client, table, rowFormats.registry);
    this.#onUnreadable = onUnreadable;
  }

  /** Without invalid records: one that was edited by hand must not stop all hubs. */
  async list(): Promise<readonly HubRecord[]> {
    const records: HubRecord[] = [];
    const onNewer = (row: TableRow, newer: Fault) => this.#onUnreadable(String(row.sk), newer);
    for await (const page of this.#table.query(HUBS, '', { onNewer }))
      records.push(...page.flatMap((row) => this.#readable(row)));
    return records;
  }

  async read(name: string): Promise<HubRecord | undefined> {
    const row = await this.#table.read(hubKey(name));
    return row && fromHubRow(row);
  }

  async write(record: NewHubRecord, revision: number): Promise<'done' | 'changed'> {
    const condition = revision === 0 ? { condition: 'attribute_not_exists(pk)' } : atRevision(revision);
    if (await this.#table.put(toHubRow(record, revision + 1), condition)) return 'done';
    return revision === 0 ? this.#replaceUnreadable(record) : 'changed';
  }

  async delete(name: string, revision: number): Promise<'done' | 'changed'> {
    return (await this.#table.delete(hubKey(name), atRevision(revision))) ? 'done' : 'changed';
  }

  async publishedUntil(): Promise<Instant | undefined> {
    const row = await this.#table.read(PUBLISHED);
    return typeof row?.until === 'number' ? row.until : undefined;
  }

  async markPublished(from: Instant | undefined, until: Instant): Promise<'done' | 'changed'> {
    // Over a value that is no number too, which publishedUntil returns as undefined.
    const first = 'attribute_not_exists(pk) OR NOT attribute_type(#until, :number)';
    const isMarked = await this.#table.put(
      { ...PUBLISHED, until },
      {
        condition: from === undefined ? first : '#until = :from',
        names: { '#until': 'until' },
        values: from === undefined ? { ':number': 'N' } : { ':from': from },
      },
    );
    return isMarked ? 'done' : 'changed';
  }

  #readable(row: TableRow): readonly HubRecord[] {
    try {
      return [fromHubRow(row)];
    } catch (thrown) {
      this.#onUnreadable(String(row.sk), asFault(thrown));
      return [];
    }
  }

  /** No client can read the revision of an invalid record, so a new one replaces it. */
  async #replaceUnreadable(record: NewHubRecord): Promise<'done' | 'changed'> {
    const row = await this.#table.read(hubKey(record.name));
    if (row === undefined || isReadable(row)) return 'changed';
    const { revision } = row;
    const next = typeof revision === 'number' && Number.isSafeInteger(revision) && revision > 0 ? revision + 1 : 1;
    const isWritten = await this.#table.put(toHubRow(record, next), atRevision(revision));
    return isWritten ? 'done' : 'changed';
  }
}

function isReadable(row: TableRow): boolean {
  try {
    fromHubRow(row);
    return true;
  } catch {
    return false;
  }
}

/** Over an existing row with this revision; undefined is that of a half-written row. */
function atRevision(revision: unknown): WriteCondition {
  const names = { '#revision': 'revision' };
  if (revision === undefined) return { condition: 'attribute_exists(pk) AND attribute_not_exists(#revision)', names };
  return { condition: '#revision = :revision', names, values: { ':revision': revision } };
}

export function awsRegistry({ telemetry }: InvocationContext, environment: Environment): HubRegistry {
  const client = new DynamoDBClient(clientConfig);
  return new DynamoDbHubRegistry(client, readEnvironment(environment, 'hubsTableName'), (hub, { reason, message }) =>
    telemetry.outcome('EK202', { hub, reason, error: message }),
  );
}
