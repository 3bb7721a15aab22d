/** Rows as DynamoDB keeps them: what its TTL deletes, and what its sets give back. */
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbDeschedulingStore } from '../../../../shared/aws/dynamodb/dynamodb-descheduling-store.ts';
import { openLocalTable } from '../../../../shared/aws/dynamodb/local-table.ts';
import { Table } from '../../../../shared/aws/dynamodb/table.ts';
import type { DeschedulingDecision, DeschedulingRun } from '../../../../shared/descheduling/descheduling.ts';
import type { ElasticRow } from '../../../../shared/elastic-workload/elastic-store.ts';
import type { PolicyState, Wave } from '../../../../shared/rebalance-policy/policy-run.ts';
import { at, chunk, task } from '../../../builders.ts';
import { type AwsCall, startAwsEndpoint } from '../../../fakes/aws-endpoint.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

const config = (endpoint: string): DynamoDBClientConfig => ({
  endpoint,
  region: 'local',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
});

const web = { namespace: 'shop', name: 'web-deployment' };
const decision = { hub: 'h', run: 'run-1', binding: web, outcome: 'Planned' } as unknown as DeschedulingDecision;
const run = {
  hub: 'h',
  run: 'run-1',
  state: 'Working',
  pendingChunks: [10, 2, 1],
  assumed: {},
} as unknown as DeschedulingRun;
const elastic = { hub: 'h', uid: 'uid-1', version: 0, memory: { strategy: '', observations: {} } } satisfies ElasticRow;
const state = { hub: 'h', uid: 'uid-1', name: 'p', version: 0, answered: {} } as unknown as PolicyState;
const wave = { hub: 'h', uid: 'uid-1', run: 'run-1', number: 0, workloads: [] } satisfies Wave;

describe('rows of the table', () => {
  let table: StrictTable;
  beforeAll(async () => {
    table = await startStrictTable();
  });
  afterAll(() => table.close());

  const row = async (pk: string, sk: string) => {
    const client = new DynamoDBClient(config(table.endpoint));
    const { Item } = await DynamoDBDocumentClient.from(client).send(
      new GetCommand({ TableName: 'evenkeel', Key: { pk, sk } }),
    );
    client.destroy();
    return Item;
  };
  /** Half a second after: a TTL is in whole seconds, and never early. */
  const late = at(3600) + 500;
  const ttl = at(3601) / 1000;

  it.each<[string, string, string, () => Promise<unknown>]>([
    [
      'a task',
      'TASK#h#ttl',
      'META',
      () => table.tasks.commitPlan(task({ hub: 'h', uid: 'ttl', expiresAt: late }), undefined),
    ],
    [
      'a chunk of a task',
      'TASK#h#ttl',
      'PLAN#plan-1#CHUNK#00000',
      () => table.tasks.writeChunks([chunk([], { task: { hub: 'h', uid: 'ttl' } })], late),
    ],
    [
      'a chunk of candidates',
      'DESCHEDULING#h',
      'RUN#run-1#CHUNK#00003',
      () => table.descheduling.writeChunk({ hub: 'h', run: 'run-1', number: 3, bindings: [] }, late),
    ],
    [
      'the last decision',
      'DESCHEDULING#h#shop/web-deployment',
      'LAST',
      () => table.descheduling.record(decision, undefined, late),
    ],
    [
      'a decision in the history',
      'DESCHEDULING#h',
      'DECISION#run-1#shop/web-deployment',
      () => table.descheduling.settle(decision, late),
    ],
    ['a deleted ElasticWorkload', 'ELASTIC-WORKLOAD#h#uid-1', 'MEMORY', () => table.elastic.save(elastic, late)],
    [
      'a deleted policy',
      'REBALANCE-POLICIES#h',
      'POLICY#uid-1',
      () => table.policies.saveState({ ...state, expiresAt: late }),
    ],
    ['a wave', 'REBALANCE-POLICIES#h', 'RUN#run-1#uid-1#WAVE#00000', () => table.policies.writeWave(wave, 1, late)],
    [
      'skipped workloads',
      'REBALANCE-POLICIES#h',
      'RUN#run-1#uid-1#SKIPPED#00000',
      () => table.policies.writeSkipped(wave, late),
    ],
    [
      'a run in the history',
      'REBALANCE-POLICIES#h',
      'HISTORY#run-1#uid-1',
      () => table.policies.recordRun('h', { hub: 'h', uid: 'uid-1', name: 'p', run: { run: 'run-1' } as never }, late),
    ],
  ])('give %s a TTL in whole seconds, not before it expires', async (_, pk, sk, write) => {
    await write();
    expect(await row(pk, sk)).toMatchObject({ pk, sk, expiresAt: ttl });
  });

  it.each<[string, string, string, () => Promise<unknown>]>([
    [
      'an ElasticWorkload',
      'ELASTIC-WORKLOAD#h#uid-2',
      'MEMORY',
      () => table.elastic.save({ ...elastic, uid: 'uid-2' }),
    ],
    ['a policy', 'REBALANCE-POLICIES#h', 'POLICY#uid-2', () => table.policies.saveState({ ...state, uid: 'uid-2' })],
  ])('give %s that is not deleted no TTL', async (_, pk, sk, write) => {
    await write();
    expect(Object.keys((await row(pk, sk)) ?? {})).not.toContain('expiresAt');
    expect(await row(pk, sk)).toMatchObject({ pk, sk });
  });

  it('give pending chunks back in order, whatever the order in the set', async () => {
    const subject = task({ hub: 'h', uid: 'order', pendingChunks: [10, 2, 1] });
    await table.tasks.commitPlan(subject, undefined);
    await table.descheduling.beginRun(run, at(0));
    expect((await table.tasks.readTask(subject))?.pendingChunks).toEqual([1, 2, 10]);
    expect((await table.descheduling.readRun('h'))?.pendingChunks).toEqual([1, 2, 10]);
  });

  it('leave out fields that are undefined', async () => {
    const client = new DynamoDBClient(config(table.endpoint));
    const here = { pk: 'undefined', sk: 'X' };
    expect(await new Table(client, 'evenkeel', 1).put({ ...here, gone: undefined, nested: { gone: undefined } })).toBe(
      true,
    );
    client.destroy();
    expect(await row('undefined', 'X')).toEqual({ ...here, nested: {}, format: 1 });
  });

  it('are read page by page, and no further than a limit asks', async () => {
    for (const name of ['1', '2', '3'])
      await table.tasks.commitPlan(task({ hub: 'pages', uid: name, name, updatedAt: at(Number(name)) }), undefined);
    const queries = () => table.sent.filter(({ operation }) => operation === 'Query').length;
    const before = queries();
    expect((await table.tasks.recent('pages', 2)).map(({ name }) => name)).toEqual(['3', '2']);
    expect(queries() - before).toBe(1);
    for (const each of ['run-1', 'run-2', 'run-3', 'run-4', 'run-5', 'run-6']) {
      await table.descheduling.settle({ ...decision, hub: 'pages', run: each, reason: 'x'.repeat(380_000) }, late);
      const record = {
        hub: 'pages',
        uid: 'uid-1',
        name: 'p',
        run: { run: each, message: 'x'.repeat(380_000) } as never,
      };
      await table.policies.recordRun('pages', record, late);
    }
    // Three rows fill a page.
    for (const limit of [2, 3])
      for (const list of [
        () => table.descheduling.decisions('pages', limit),
        () => table.policies.runs('pages', limit),
      ]) {
        const sent = queries();
        expect(await list()).toHaveLength(limit);
        expect(queries() - sent).toBe(1);
      }
  });

  it('are those of a table that is there already', async () => {
    await table.tasks.markCompared('again', at(5));
    const again = await openLocalTable(table.endpoint);
    expect(await again.tasks.comparedAt('again')).toBe(at(5));
    again.close();
  });
});

describe('a table that answers with an error', () => {
  const store = async (answer: (call: AwsCall, index: number) => { error?: string; body?: object }) => {
    const endpoint = await startAwsEndpoint(answer);
    const client = new DynamoDBClient(config(endpoint.config.endpoint));
    return { endpoint, table: new Table(client, 't', 1), descheduling: new DynamoDbDeschedulingStore(client, 't') };
  };
  const key = { pk: 'p', sk: 's' };
  const drain = async (pages: AsyncIterable<unknown>) => {
    for await (const _ of pages);
  };

  it.each<[string, (table: Table) => Promise<unknown>]>([
    ['read', (table) => table.read(key)],
    ['query', (table) => drain(table.query('p', 's'))],
    ['index query', (table) => drain(table.queryIndex({ name: 'i', key: 'k', sort: 's' }, 'v', 1))],
    ['put', (table) => table.put(key, { condition: 'attribute_not_exists(pk)' })],
    ['update', (table) => table.update(key, 'SET a = b', { condition: 'attribute_exists(pk)' })],
  ])('fails a %s with a Fault that names the service and the error', async (_, ask) => {
    for (const [error, retryClass] of [
      ['ProvisionedThroughputExceededException', 'limited'],
      ['InternalServerError', 'retryable'],
    ] as const) {
      const { endpoint, table } = await store(() => ({ error }));
      await expect(ask(table)).rejects.toMatchObject({
        retryClass,
        reason: error,
        message: `DynamoDB: ${error}: ${error}`,
      });
      await endpoint.close();
    }
  });

  it('begins a run again if the lease that was in its way has expired meanwhile', async () => {
    const { endpoint, descheduling } = await store((_, index) =>
      index === 0 ? { error: 'ConditionalCheckFailedException' } : {},
    );
    expect(await descheduling.beginRun(run, at(0))).toEqual({ begun: true });
    expect(endpoint.calls.map(({ operation }) => operation)).toEqual(['PutItem', 'GetItem', 'PutItem']);
    await endpoint.close();
  });

  it('is not taken for a table that is missing', async () => {
    const { endpoint } = await store(() => ({ error: 'AccessDeniedException' }));
    await expect(openLocalTable(endpoint.config.endpoint)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(endpoint.calls.map(({ operation }) => operation)).toEqual(['DescribeTable']);
    await endpoint.close();
  });
});
