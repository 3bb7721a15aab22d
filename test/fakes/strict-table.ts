/**
 * Dynalite behind a proxy that rejects requests whose defect dynalite cannot show: dynalite answers every read strongly consistent, and a
 * write without a condition only loses data in a race. Exceptions are listed here, each with its reason.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { startTable } from '../../local/table.ts';
import { type LocalTable, openLocalTable } from '../../shared/aws/dynamodb/local-table.ts';
import { FORMAT_CONDITION } from '../../shared/aws/dynamodb/table.ts';
import { tasksByHub } from '../../shared/core/environment.ts';

interface TableRequest {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly ExclusiveStartKey?: object;
  readonly ConditionExpression?: string;
  readonly Key?: { readonly sk: { readonly S: string } };
  readonly Item?: { readonly sk: { readonly S: string } };
}

/** A request as it was sent. */
export interface SentRequest {
  readonly operation: string;
  readonly request: TableRequest;
}

const READS = ['GetItem', 'Query'];
const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem'];
const CONTROL = ['DescribeTable', 'CreateTable'];

/** Index → why it may be behind its table. */
const EVENTUALLY_CONSISTENT: Readonly<Record<string, string>> = {
  [tasksByHub.name]: 'a global secondary index has no strongly consistent reads; only lists for users are read from it',
};

/** Forms of sort keys → why their rows are written without a condition. */
const UNCONDITIONAL: readonly (readonly [RegExp, string])[] = [
  [/^RUN#[^#]+#CHUNK#\d{5}$/, 'the run names its chunks, and each binding of a chunk has a conditional row of its own'],
  [/^DECISION#/, 'every decision has a key of its own; the conditional row of its binding is written beside it'],
  [
    /^RUN#[^#]+#[^#]+#SKIPPED#\d{5}$/,
    'every planner of a run skips the same workloads; the conditional state names the run',
  ],
  [/^MOVE#/, 'a move has a key of its binding and version, so that a repetition writes the same row'],
  [/^HISTORY#/, 'the holder of the conditional state records its run after it saved that state'],
];

/** What is wrong with a request; undefined if nothing is. */
export function violationOf(operation: string, request: TableRequest): string | undefined {
  if (CONTROL.includes(operation)) return undefined;
  const { IndexName = '', ConsistentRead = false, ConditionExpression = '' } = request;
  if (READS.includes(operation)) {
    if (ConsistentRead || EVENTUALLY_CONSISTENT[IndexName] !== undefined) return undefined;
    return `${operation} is not strongly consistent`;
  }
  if (!WRITES.includes(operation)) return `${operation} is not checked here`;
  const sortKey = (request.Item ?? request.Key)?.sk.S ?? '';
  if (sortKey === '') return `${operation} has an empty sort key`;
  const isConditional = ConditionExpression !== '' && ConditionExpression !== FORMAT_CONDITION;
  if (isConditional || UNCONDITIONAL.some(([form]) => form.test(sortKey))) return undefined;
  return `${operation} of ${sortKey} has no condition`;
}

/** The stores on it, what they sent, and dynalite itself for what a test reads past them. */
export interface StrictTable extends Omit<LocalTable, 'close'> {
  readonly endpoint: string;
  /** Of the proxy. */
  readonly strictEndpoint: string;
  readonly sent: readonly SentRequest[];
  /** Another table, with the keys of the registry of hubs. */
  makeTable(name: string): Promise<void>;
  close(): Promise<void>;
}

export async function startStrictTable(): Promise<StrictTable> {
  const behind = await startTable();
  const sent: SentRequest[] = [];
  const forward = async (from: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of from) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString('utf8');
    const operation = String(from.headers['x-amz-target']).split('.')[1] ?? '';
    const request = JSON.parse(body) as TableRequest;
    sent.push({ operation, request });
    const violation = violationOf(operation, request);
    const answer = violation === undefined ? await sameTo(behind.endpoint, from, body) : rejection(violation);
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(await answer.text());
  };
  const server = http.createServer((request, response) => void forward(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const strictEndpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stores = await openLocalTable(strictEndpoint);
  return {
    ...stores,
    endpoint: behind.endpoint,
    strictEndpoint,
    makeTable: (name) => makeTable(strictEndpoint, name),
    sent,
    close: async () => {
      stores.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await behind.close();
    },
  };
}

async function makeTable(endpoint: string, name: string): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'local', credentials });
  const keys = ['pk', 'sk'];
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 0.005, maxDelay: 0.1 }, { TableName: name });
  client.destroy();
}

function sameTo(endpoint: string, { headers }: http.IncomingMessage, body: string): Promise<Response> {
  const { 'x-amz-target': target, 'content-type': type, 'x-amz-date': date, authorization } = headers;
  const sent = { 'x-amz-target': target, 'content-type': type, 'x-amz-date': date, authorization };
  return fetch(endpoint, { method: 'POST', headers: sent as Record<string, string>, body });
}

function rejection(message: string): Response {
  return Response.json({ __type: 'com.amazon.coral.validate#ValidationException', message }, { status: 400 });
}
