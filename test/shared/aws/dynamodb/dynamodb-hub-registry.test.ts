import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DynamoDbHubRegistry } from '../../../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { registryActions } from '../../../../shared/bus/table-actions.ts';
import type { Fault } from '../../../../shared/core/fault.ts';
import type { HubRegistry } from '../../../../shared/kubernetes/hub-registry.ts';
import { at } from '../../../builders.ts';
import { hubRegistryContract } from '../../../contracts/hub-registry.contract.ts';
import { hubRecord } from '../../../fakes/hub-records.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

const TABLE = 'evenkeel';
let table: StrictTable;
let client: DynamoDBClient;
/** Past the strict table, as a user edits a row in the AWS console. */
let editor: DynamoDBDocumentClient;
const actions = new RecordedActions<HubRegistry>(registryActions);

beforeAll(async () => {
  table = await startStrictTable();
  const local = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  client = new DynamoDBClient({ ...local, endpoint: table.strictEndpoint });
  editor = DynamoDBDocumentClient.from(new DynamoDBClient({ ...local, endpoint: table.endpoint }));
});
afterAll(async () => {
  client.destroy();
  editor.destroy();
  await table.close();
  actions.expectDeclared();
});

let tables = 0;
/** Each in a table of its own. */
async function emptyRegistry(onUnreadable: (hub: string, fault: Fault) => void = () => undefined) {
  const name = `${TABLE}-hubs-${++tables}`;
  await table.makeTable(name);
  return { name, registry: new DynamoDbHubRegistry(client, name, onUnreadable) };
}

hubRegistryContract('DynamoDB, over the wire to dynalite', async () =>
  actions.of((await emptyRegistry()).registry, table.sent),
);

describe('a registry with a row that is no record', () => {
  let registry: DynamoDbHubRegistry;
  let name: string;
  let reported: [string, Fault][];
  const put = (Item: object) => editor.send(new PutCommand({ TableName: name, Item: { pk: 'HUBS', ...Item } }));
  const { name: _, ...stored } = hubRecord('karmada');

  beforeEach(async () => {
    reported = [];
    ({ name, registry } = await emptyRegistry((hub, fault) => reported.push([hub, fault])));
    await registry.write(hubRecord('edge'), 0);
  });

  it.each([
    ['a half-written one', {}, 'state must be'],
    ['an unknown state', { ...stored, revision: 4, state: 'Gone' }, "state must be 'Active' or 'Removing'"],
    ['a token in place of a digest', tokenInPlace(), 'callers.tokenDigests.0 is not a SHA-256 digest in hex'],
    [
      'a pause since a text',
      { ...stored, revision: 4, pause: { since: 'monday', reason: '' } },
      'pause.since must be a number',
    ],
    ['no revision', stored, 'revision must be a number'],
    ['a revision that is no count', { ...stored, revision: 'x' }, 'revision must be a number'],
  ])(
    'lists the other hubs and reports it, names hub, field and remedy on a read, and replaces it on an addition: %s',
    async (_, row, what) => {
      await put({ sk: 'karmada', ...row });
      expect((await registry.list()).map((record) => record.name)).toEqual(['edge']);
      const fault = await registry.read('karmada').catch((thrown: unknown) => thrown as Fault);
      expect(fault).toMatchObject({ retryClass: 'terminal', reason: 'InvalidHubRecord' });
      const { message } = fault as Fault;
      expect(message).toContain(`the record of hub karmada cannot be used: ${what}`);
      expect(message).toContain('evenkeel hub add karmada writes it again');
      expect(message).not.toContain('a-secret-hook-token');
      expect(reported.map(([hub, { message }]) => [hub, message])).toEqual([['karmada', message]]);
      expect(await registry.write(hubRecord('karmada'), 0)).toBe('done');
      const revision = typeof row === 'object' && 'revision' in row && row.revision === 4 ? 5 : 1;
      expect(await registry.read('karmada')).toEqual({ ...hubRecord('karmada'), revision });
    },
  );

  it('reports a name that no hub can have', async () => {
    await put({ sk: 'No Hub', ...stored, revision: 1 });
    expect((await registry.list()).map((record) => record.name)).toEqual(['edge']);
    expect(reported.map(([hub]) => hub)).toEqual(['No Hub']);
  });

  it('ignores features of a later version, and fields that it does not know', async () => {
    await put({ sk: 'karmada', ...stored, features: ['policies', 'teleport'], revision: 1, more: 1 });
    expect(await registry.read('karmada')).toEqual({
      ...hubRecord('karmada', { features: ['policies'] }),
      revision: 1,
    });
    expect(reported).toEqual([]);
  });

  it('replaces a time of publication that is no number', async () => {
    const Item = { pk: 'SCHEDULES', sk: 'PUBLISHED', until: 'yesterday' };
    await editor.send(new PutCommand({ TableName: name, Item }));
    expect(await registry.publishedUntil()).toBe(undefined);
    expect(await registry.markPublished(undefined, at(60))).toBe('done');
    expect(await registry.publishedUntil()).toBe(at(60));
  });
});

function tokenInPlace(): object {
  const { name: _, ...stored } = hubRecord('karmada');
  return { ...stored, revision: 4, callers: { ...stored.callers, tokenDigests: ['a-secret-hook-token'] } };
}

describe('a list of more than one page', () => {
  it('is read to its end, strongly consistent', async () => {
    const { name, registry } = await emptyRegistry();
    const subjects = ['x'.repeat(300_000)];
    const records = ['a', 'b', 'c', 'd'].map((hub) =>
      hubRecord(hub, { callers: { tokenDigests: [], reviewKeyDigests: [], subjects } }),
    );
    for (const record of records) await registry.write(record, 0);
    expect((await registry.list()).map((record) => record.name)).toEqual(['a', 'b', 'c', 'd']);
    const queries = table.sent.filter(({ operation, request }) => operation === 'Query' && request.TableName === name);
    expect(queries.map(({ request }) => [request.ConsistentRead, request.ExclusiveStartKey !== undefined])).toEqual([
      [true, false],
      [true, true],
    ]);
  });
});

describe('a row of a hub', () => {
  it('contains no name besides its key, and no credential', async () => {
    const { name, registry } = await emptyRegistry();
    await registry.write(hubRecord('karmada'), 0);
    const { Items = [] } = await editor.send(
      new QueryCommand({
        TableName: name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': 'HUBS' },
      }),
    );
    const { name: hub, ...record } = hubRecord('karmada');
    expect(Items).toEqual([{ pk: 'HUBS', sk: hub, ...record, revision: 1, format: 1 }]);
  });
});
