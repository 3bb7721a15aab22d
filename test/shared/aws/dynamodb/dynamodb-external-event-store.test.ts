import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tableActions } from '../../../../shared/bus/table-actions.ts';
import { digest } from '../../../../shared/core/digest.ts';
import type { ExternalEvent } from '../../../../shared/external-events/external-event.ts';
import type { ExternalEventStore } from '../../../../shared/external-events/external-event-store.ts';
import { at } from '../../../builders.ts';
import { externalEventStoreContract } from '../../../contracts/external-event-store.contract.ts';
import { RecordedActions } from '../../../fakes/recorded-actions.ts';
import { type StrictTable, startStrictTable } from '../../../fakes/strict-table.ts';
import { RawTable } from '../../../row-samples.ts';

let table: StrictTable;
const actions = new RecordedActions<ExternalEventStore>(tableActions.externalEvents);
beforeAll(async () => {
  table = await startStrictTable();
});
afterAll(async () => {
  await table.close();
  actions.expectDeclared();
});

externalEventStoreContract('DynamoDB, over the wire to dynalite', async () =>
  actions.of(table.externalEvents, table.sent),
);

describe('the row of an event of EKS clusters', () => {
  const issue: ExternalEvent = {
    ...{ id: 'HealthIssue/arn', type: 'HealthIssue', account: '1', region: 'r', startsAt: at(0), receivedAt: at(1) },
    eksClusters: ['prod', 'shop'],
  };

  it('has the first of them for the release before, which knows one, and is read as a list from either', async () => {
    const raw = new RawTable(table.endpoint, 'evenkeel');
    await table.externalEvents.save(issue, 0);
    const row = await raw.row({ pk: 'EXTERNAL-EVENTS', sk: digest(issue.id) });
    const stored = JSON.parse(row?.event as string) as Record<string, unknown>;
    expect(stored).toMatchObject({ eksCluster: 'prod', eksClusters: ['prod', 'shop'] });
    expect(await table.externalEvents.read(issue.id)).toEqual({ version: 1, event: issue });
    const { eksClusters: _, ...before } = stored;
    await raw.put({ ...row, event: JSON.stringify(before) });
    expect((await table.externalEvents.read(issue.id))?.event).toEqual({ ...issue, eksClusters: ['prod'] });
    raw.close();
  });
});
