/** The stores on a DynamoDB of this machine (dynalite, DynamoDB Local): the table is made if it isn't there. For the local run and for tests. */
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { tasksByHub } from '../../core/environment.ts';
import { DynamoDbAssignmentStore } from './dynamodb-assignment-store.ts';
import { DynamoDbDeschedulingStore } from './dynamodb-descheduling-store.ts';
import { DynamoDbElasticStore } from './dynamodb-elastic-store.ts';
import { DynamoDbExternalEventStore } from './dynamodb-external-event-store.ts';
import { DynamoDbHistoryStore } from './dynamodb-history-store.ts';
import { DynamoDbHubBudgets } from './dynamodb-hub-budgets.ts';
import { DynamoDbHubCircuits } from './dynamodb-hub-circuits.ts';
import { DynamoDbMoveLedger } from './dynamodb-move-ledger.ts';
import { DynamoDbPolicyStore } from './dynamodb-policy-store.ts';
import { DynamoDbResyncPositions } from './dynamodb-resync-positions.ts';
import { DynamoDbTaskStore } from './dynamodb-task-store.ts';

/** Every store, each on this table. */
export function storesOn(client: DynamoDBClient, table: string) {
  return {
    tasks: new DynamoDbTaskStore(client, table),
    descheduling: new DynamoDbDeschedulingStore(client, table),
    policies: new DynamoDbPolicyStore(client, table),
    elastic: new DynamoDbElasticStore(client, table),
    positions: new DynamoDbResyncPositions(client, table),
    assignments: new DynamoDbAssignmentStore(client, table),
    ledger: new DynamoDbMoveLedger(client, table),
    externalEvents: new DynamoDbExternalEventStore(client, table),
    history: new DynamoDbHistoryStore(client, table),
    circuits: new DynamoDbHubCircuits(client, table),
    budgets: new DynamoDbHubBudgets(client, table),
  };
}

export type TableStores = ReturnType<typeof storesOn>;

export interface LocalTable extends TableStores {
  close(): void;
}

const TABLE = 'evenkeel';

export async function openLocalTable(endpoint: string): Promise<LocalTable> {
  const client = new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  await ensureTable(client);
  return { ...storesOn(client, TABLE), close: () => client.destroy() };
}

async function ensureTable(client: DynamoDBClient): Promise<void> {
  const describe = new DescribeTableCommand({ TableName: TABLE });
  const exists = await client.send(describe).then(
    () => true,
    (thrown: unknown) => {
      if (thrown instanceof ResourceNotFoundException) return false;
      throw thrown;
    },
  );
  if (exists) return;
  await client.send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
        { AttributeName: tasksByHub.key, AttributeType: 'S' },
        { AttributeName: tasksByHub.sort, AttributeType: 'N' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: tasksByHub.name,
          KeySchema: [
            { AttributeName: tasksByHub.key, KeyType: 'HASH' },
            { AttributeName: tasksByHub.sort, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...tasksByHub.holds] },
        },
      ],
    }),
  );
  // Until the table is active, it answers each other request with ResourceNotFoundException.
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 0.005, maxDelay: 0.1 }, { TableName: TABLE });
}
