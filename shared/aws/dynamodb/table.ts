/** The one table, as the stores use it: rows by partition and sort key, conditional writes, AWS's errors as Faults. */
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { readEnvironment } from '../../core/environment.ts';
import { Fault } from '../../core/fault.ts';
import type { InvocationContext } from '../../core/invocation.ts';
import { type Instant, SECOND } from '../../core/time.ts';
import { awsFault } from '../aws-fault.ts';
import { clientConfig, type Environment } from '../client-config.ts';

export type TableRow = Record<string, unknown>;

export interface RowKey {
  readonly pk: string;
  readonly sk: string;
}

export interface TableIndex {
  readonly name: string;
  readonly key: string;
  readonly sort: string;
}

export interface SortRange {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly after?: string | undefined;
}

export interface WriteCondition {
  readonly condition: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

interface QueryOptions {
  readonly newestFirst?: boolean;
  readonly onNewer?: (row: TableRow, newer: Fault) => void;
}

type StoreClass<S> = new (client: DynamoDBClient, table: string) => S;

/** The store on the table of the deployment, as the functions get it. */
export function tableStore<S>(Store: StoreClass<S>): (invocation: InvocationContext, environment: Environment) => S {
  return (_, environment) => new Store(new DynamoDBClient(clientConfig), readEnvironment(environment, 'tableName'));
}

/** A time as the TTL of DynamoDB takes it. */
export function seconds(at: Instant): number {
  return Math.ceil(at / SECOND);
}

/** Version 0 names a row that is not there yet. */
export function stillOf(version: number): WriteCondition {
  if (version === 0) return { condition: 'attribute_not_exists(pk)' };
  return { condition: '#version = :version', names: { '#version': 'version' }, values: { ':version': version } };
}

/** Of every write: a row of a later version of Evenkeel is never overwritten, not even by a write without a condition of its own. */
export const FORMAT_CONDITION = '(attribute_not_exists(#format) OR #format <= :format)';

export class Table {
  readonly #client: DynamoDBDocumentClient;
  readonly #name: string;
  readonly #format: number;

  /** `format`: that of the rows that it writes, and the latest that it reads. */
  constructor(client: DynamoDBClient, name: string, format: number) {
    this.#client = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
    this.#name = name;
    this.#format = format;
  }

  /** Strongly consistent. */
  async read({ pk, sk }: RowKey): Promise<TableRow | undefined> {
    const answer = await this.#send(new GetCommand({ TableName: this.#name, Key: { pk, sk }, ConsistentRead: true }));
    const { Item: row } = answer as { Item?: TableRow };
    return row && this.#readable(row);
  }

  /**
   * Rows of a partition, or those of them whose sort keys begin so, in order, page by page; strongly consistent. A row of a newer format is
   * omitted if there is an `onNewer`, and ends the query otherwise.
   */
  async *query(
    pk: string,
    prefix = '',
    { newestFirst = false, onNewer }: QueryOptions = {},
  ): AsyncIterable<readonly TableRow[]> {
    let from: TableRow | undefined;
    do {
      const page = (await this.#send(
        new QueryCommand({
          TableName: this.#name,
          ConsistentRead: true,
          // The value of a key must not be empty, so an empty prefix is omitted.
          KeyConditionExpression: prefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':pk': pk, ...(prefix !== '' && { ':prefix': prefix }) },
          ScanIndexForward: !newestFirst,
          ExclusiveStartKey: from,
        }),
      )) as { Items: TableRow[]; LastEvaluatedKey?: TableRow };
      yield page.Items.flatMap((row) => {
        const newer = this.#newer(row);
        if (newer === undefined) return [withoutFormat(row)];
        if (onNewer === undefined) throw newer;
        onNewer(row, newer);
        return [];
      });
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
  }

  /** Rows of a partition with sort keys from `from` to `to`, both included, the last first: at most `limit` after the sort key `after`. Strongly consistent. */
  async page(
    pk: string,
    { from, to, limit, after }: SortRange,
  ): Promise<{ readonly rows: readonly TableRow[]; readonly next?: string }> {
    const { Items, LastEvaluatedKey } = (await this.#send(
      new QueryCommand({
        TableName: this.#name,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
        ScanIndexForward: false,
        Limit: limit,
        ExclusiveStartKey: after === undefined ? undefined : { pk, sk: after },
      }),
    )) as { Items: TableRow[]; LastEvaluatedKey?: TableRow };
    return {
      rows: Items.map((row) => this.#readable(row)),
      ...(LastEvaluatedKey && { next: LastEvaluatedKey.sk as string }),
    };
  }

  /** Rows of an index, which has no formats, the last in its order first, page by page; as of a moment ago. */
  async *queryIndex({ name, key }: TableIndex, value: string, limit: number): AsyncIterable<readonly TableRow[]> {
    let from: TableRow | undefined;
    do {
      const page = (await this.#send(
        new QueryCommand({
          TableName: this.#name,
          IndexName: name,
          KeyConditionExpression: '#key = :value',
          ExpressionAttributeNames: { '#key': key },
          ExpressionAttributeValues: { ':value': value },
          ScanIndexForward: false,
          Limit: limit,
          ExclusiveStartKey: from,
        }),
      )) as { Items: TableRow[]; LastEvaluatedKey?: TableRow };
      yield page.Items;
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
  }

  /** False if the condition failed. */
  async put(row: TableRow & RowKey, expression?: WriteCondition): Promise<boolean> {
    const Item = { ...row, format: this.#format };
    const command = new PutCommand({ TableName: this.#name, Item, ...this.#guarded(expression) });
    return (await this.#attempt(command, row)) !== undefined;
  }

  /** The updated row; undefined if the condition failed. */
  async update({ pk, sk }: RowKey, update: string, expression: WriteCondition): Promise<TableRow | undefined> {
    const answer = await this.#attempt(
      new UpdateCommand({
        TableName: this.#name,
        Key: { pk, sk },
        UpdateExpression: update,
        ...this.#guarded(expression),
        ReturnValues: 'ALL_NEW',
      }),
      { pk, sk },
    );
    return answer && this.#readable((answer as { Attributes?: TableRow }).Attributes ?? {});
  }

  /** False if the condition failed. */
  async delete({ pk, sk }: RowKey, expression: WriteCondition): Promise<boolean> {
    const command = new DeleteCommand({ TableName: this.#name, Key: { pk, sk }, ...this.#guarded(expression) });
    return (await this.#attempt(command, { pk, sk })) !== undefined;
  }

  #guarded({ condition, names, values }: Partial<WriteCondition> = {}) {
    return {
      ConditionExpression: condition === undefined ? FORMAT_CONDITION : `(${condition}) AND ${FORMAT_CONDITION}`,
      ExpressionAttributeNames: { ...names, '#format': 'format' },
      ExpressionAttributeValues: { ...values, ':format': this.#format },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
  }

  /** The row without its format; throws if that is newer. */
  #readable(row: TableRow): TableRow {
    const newer = this.#newer(row);
    if (newer !== undefined) throw newer;
    return withoutFormat(row);
  }

  /** The Fault of a row whose format this version does not know; a row without a format is of the first. */
  #newer({ pk, sk, format = 1 }: TableRow): Fault | undefined {
    if (typeof format === 'number' && format <= this.#format) return undefined;
    return new Fault(
      'retryable',
      `row ${String(pk)} ${String(sk)} has format ${String(format)}, and this version of Evenkeel reads formats up to ${this.#format}: deploy the version that wrote it, then redrive the dead-letter messages`,
      { reason: 'NewerRow' },
    );
  }

  /** Undefined if the condition failed. */
  async #attempt(command: UpdateCommand | PutCommand | DeleteCommand, { pk, sk }: RowKey): Promise<object | undefined> {
    try {
      return await this.#client.send(command as UpdateCommand);
    } catch (thrown) {
      if (thrown instanceof ConditionalCheckFailedException) {
        const newer = this.#newer({ pk, sk, format: Number(thrown.Item?.format?.N ?? 1) });
        if (newer !== undefined) throw newer;
        return undefined;
      }
      throw awsFault('DynamoDB', thrown);
    }
  }

  async #send(command: GetCommand | QueryCommand): Promise<object> {
    try {
      return await this.#client.send(command as GetCommand);
    } catch (thrown) {
      throw awsFault('DynamoDB', thrown);
    }
  }
}

function withoutFormat({ format: _, ...row }: TableRow): TableRow {
  return row;
}
