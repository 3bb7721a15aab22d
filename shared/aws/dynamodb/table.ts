/** The one table, as the stores use it: rows by partition and sort key, conditional writes, AWS's errors as Faults. */
import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { awsFault } from '../aws-fault.ts';

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

/** Version 0 names a row that is not there yet. */
export function stillOf(version: number): WriteCondition {
  if (version === 0) return { condition: 'attribute_not_exists(pk)' };
  return { condition: '#version = :version', names: { '#version': 'version' }, values: { ':version': version } };
}

export class Table {
  readonly #client: DynamoDBDocumentClient;
  readonly #name: string;

  constructor(client: DynamoDBClient, name: string) {
    this.#client = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
    this.#name = name;
  }

  /** Strongly consistent. */
  async read({ pk, sk }: RowKey): Promise<TableRow | undefined> {
    const answer = await this.#send(new GetCommand({ TableName: this.#name, Key: { pk, sk }, ConsistentRead: true }));
    return (answer as { Item?: TableRow }).Item;
  }

  /** Rows of a partition, or those of them whose sort keys begin so, in order, page by page; strongly consistent. */
  async *query(pk: string, prefix = '', { newestFirst = false } = {}): AsyncIterable<readonly TableRow[]> {
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
      yield page.Items;
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
    return { rows: Items, ...(LastEvaluatedKey && { next: LastEvaluatedKey.sk as string }) };
  }

  /** Rows of an index, the last in its order first, page by page; as of a moment ago. */
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
    const { condition, names, values } = expression ?? {};
    const command = new PutCommand({
      TableName: this.#name,
      Item: row,
      ...(condition && { ConditionExpression: condition }),
      ...(names && { ExpressionAttributeNames: names }),
      ...(values && { ExpressionAttributeValues: values }),
    });
    return (await this.#attempt(command)) !== undefined;
  }

  /** The updated row; undefined if the condition failed. */
  async update(
    { pk, sk }: RowKey,
    update: string,
    { condition, names, values }: WriteCondition,
  ): Promise<TableRow | undefined> {
    const answer = await this.#attempt(
      new UpdateCommand({
        TableName: this.#name,
        Key: { pk, sk },
        UpdateExpression: update,
        ConditionExpression: condition,
        ...(names && { ExpressionAttributeNames: names }),
        ...(values && { ExpressionAttributeValues: values }),
        ReturnValues: 'ALL_NEW',
      }),
    );
    return answer && ((answer as { Attributes?: TableRow }).Attributes ?? {});
  }

  /** False if the condition failed. */
  async delete({ pk, sk }: RowKey, { condition, names, values }: WriteCondition): Promise<boolean> {
    const command = new DeleteCommand({
      TableName: this.#name,
      Key: { pk, sk },
      ConditionExpression: condition,
      ...(names && { ExpressionAttributeNames: names }),
      ...(values && { ExpressionAttributeValues: values }),
    });
    return (await this.#attempt(command)) !== undefined;
  }

  /** Undefined if the condition failed. */
  async #attempt(command: UpdateCommand | PutCommand | DeleteCommand): Promise<object | undefined> {
    try {
      return await this.#client.send(command as UpdateCommand);
    } catch (thrown) {
      if (thrown instanceof ConditionalCheckFailedException) return undefined;
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
