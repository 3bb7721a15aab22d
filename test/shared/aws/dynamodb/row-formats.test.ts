/** Rows of a later version of Evenkeel: read by no function of this one, overwritten by none. */
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DynamoDbHubRegistry } from '../../../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { rowFormats } from '../../../../shared/aws/dynamodb/row-formats.ts';
import { Table } from '../../../../shared/aws/dynamodb/table.ts';
import { hubRecord } from '../../../fakes/hub-records.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';
import { RawTable, rowSamples, type SampledStores } from '../../../row-samples.ts';

const REGISTRY = 'hubs';
const read = rowSamples.filter((sample) => sample.read !== undefined);

let table: StrictTable;
let stores: SampledStores;
let raw: { readonly main: RawTable; readonly registry: RawTable };
let client: DynamoDBClient;
const unreadable: string[] = [];

beforeAll(async () => {
  table = await startStrictTable();
  await table.makeTable(REGISTRY);
  client = new DynamoDBClient({
    endpoint: table.strictEndpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const registry = new DynamoDbHubRegistry(client, REGISTRY, (hub, { reason }) => unreadable.push(`${hub} ${reason}`));
  stores = { ...table, registry };
  raw = { main: new RawTable(table.endpoint, 'evenkeel'), registry: new RawTable(table.endpoint, REGISTRY) };
  for (const sample of rowSamples) await sample.write(stores);
});
afterAll(async () => {
  raw.main.close();
  raw.registry.close();
  client.destroy();
  await table.close();
});

const tableOf = (store: string) => (store === 'registry' ? raw.registry : raw.main);

describe('a row', () => {
  it.each(read)('is of the first format if it has none, as an older version wrote it: $kind', async (sample) => {
    const written = await sample.read?.(stores);
    const { format: _, ...row } = (await tableOf(sample.store).row(sample.key)) ?? {};
    await tableOf(sample.store).put(row);
    expect(await sample.read?.(stores)).toEqual(written);
    expect(written).toBeDefined();
  });

  it.each(read)(
    'of a newer format ends its read with an error that names row, format and way out: $kind',
    async (sample) => {
      const row = (await tableOf(sample.store).row(sample.key)) ?? {};
      const format = rowFormats[sample.store] + 1;
      await tableOf(sample.store).put({ ...row, format });
      const ended = sample.read?.(stores);
      await expect(ended).rejects.toMatchObject({ reason: 'NewerRow', retryClass: 'retryable' });
      await expect(ended).rejects.toThrow(
        `row ${String(row.pk)} ${String(row.sk)} has format ${format}, and this version of Evenkeel reads formats up to ${format - 1}: deploy the version that wrote it, then redrive the dead-letter messages`,
      );
      await tableOf(sample.store).put(row);
    },
  );

  it.each(rowSamples)('of a newer format is not overwritten: $kind', async (sample) => {
    const row = (await tableOf(sample.store).row(sample.key)) ?? {};
    const newer = { ...row, format: rowFormats[sample.store] + 1, added: 'by a later version' };
    await tableOf(sample.store).put(newer);
    await sample.write(stores).catch(() => undefined);
    expect(await tableOf(sample.store).row(sample.key)).toEqual(newer);
    await tableOf(sample.store).put(row);
  });
});

describe('a hub whose record is of a newer format', () => {
  it('is omitted from the list with a log line, and the other hubs are listed', async () => {
    await stores.registry.write(hubRecord('another'), 0);
    const key = { pk: 'HUBS', sk: 'samples' };
    const row = (await raw.registry.row(key)) ?? {};
    await raw.registry.put({ ...row, format: rowFormats.registry + 1 });
    expect((await stores.registry.list()).map(({ name }) => name)).toEqual(['another']);
    expect(unreadable).toEqual(['samples NewerRow']);
    await raw.registry.put(row);
  });
});

describe('a write that DynamoDB rejects', () => {
  const failing = (item?: object) => {
    const failed = new ConditionalCheckFailedException({
      message: 'failed',
      $metadata: {},
      ...(item && { Item: item as never }),
    });
    const broken = new DynamoDBClient({ region: 'local', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
    broken.middlewareStack.add(() => () => Promise.reject(failed), { step: 'finalizeRequest', priority: 'high' });
    return new Table(broken, 't', 1);
  };
  const key = { pk: 'p', sk: 's' };
  const condition = { condition: 'attribute_exists(pk)' };

  beforeEach(() => expect.hasAssertions());

  it.each<[string, (table: Table) => Promise<unknown>]>([
    ['put', (each) => each.put(key)],
    ['update', (each) => each.update(key, 'SET a = :a', { ...condition, values: { ':a': 1 } })],
    ['delete', (each) => each.delete(key, condition)],
  ])('over a row of a newer format ends with an error, and over another with its result: %s', async (_, write) => {
    await expect(write(failing({ format: { N: '2' } }))).rejects.toMatchObject({ reason: 'NewerRow' });
    expect(await write(failing({ format: { N: '1' } }))).toBeFalsy();
    expect(await write(failing())).toBeFalsy();
  });
});
