import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import type { PolicyStore } from '../../../../shared/rebalance-policy/policy-store.ts';
import { at } from '../../../builders.ts';
import { policyStoreContract } from '../../../contracts/policy-store.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';

let table: StrictTable;
const actions = new RecordedActions<PolicyStore>(tableActions.policies);
beforeAll(async () => {
  table = await startStrictTable();
});
afterAll(async () => {
  await table.close();
  actions.expectDeclared();
});

policyStoreContract('DynamoDB, over the wire to dynalite', async () => actions.of(table.policies, table.sent));

describe('rows of leases', () => {
  const web = { namespace: 'shop', name: 'web-deployment' };
  const row = async (hub: string) => {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = new DynamoDBClient({ endpoint: table.endpoint, region: 'local', credentials });
    const Key = { pk: `REBALANCE-POLICIES#${hub}#shop/web-deployment`, sk: 'LEASE' };
    const { Item } = await DynamoDBDocumentClient.from(client).send(new GetCommand({ TableName: 'evenkeel', Key }));
    client.destroy();
    return Item;
  };

  it('are forgotten a day after their end, given back or not', async () => {
    const expiresAt = at(600) / 1000 + 24 * 3600;
    await table.policies.takeLease('leases', web, { run: 'run-1', until: at(600) }, at(0));
    expect(await row('leases')).toMatchObject({ run: 'run-1', until: at(600), expiresAt });
    await table.policies.releaseLease('leases', web, 'run-1');
    expect(await row('leases')).toMatchObject({ run: 'run-1', until: 0, expiresAt });
  });

  it('are not created by the release of a lease that was never acquired', async () => {
    await table.policies.releaseLease('unknown', web, 'run-1');
    expect(await row('unknown')).toBe(undefined);
  });
});
