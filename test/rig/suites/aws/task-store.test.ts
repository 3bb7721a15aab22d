/** The contracts of the stores on two more engines, with the table definition of the state stack. */
import { randomUUID } from 'node:crypto';
import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { DynamoDbAssignmentStore } from '../../../../shared/aws/dynamodb/dynamodb-assignment-store.ts';
import { DynamoDbDeschedulingStore } from '../../../../shared/aws/dynamodb/dynamodb-descheduling-store.ts';
import { DynamoDbElasticStore } from '../../../../shared/aws/dynamodb/dynamodb-elastic-store.ts';
import { DynamoDbHubBudgets } from '../../../../shared/aws/dynamodb/dynamodb-hub-budgets.ts';
import { DynamoDbHubCircuits } from '../../../../shared/aws/dynamodb/dynamodb-hub-circuits.ts';
import { DynamoDbHubRegistry } from '../../../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { DynamoDbMoveLedger } from '../../../../shared/aws/dynamodb/dynamodb-move-ledger.ts';
import { DynamoDbPolicyStore } from '../../../../shared/aws/dynamodb/dynamodb-policy-store.ts';
import { DynamoDbResyncPositions } from '../../../../shared/aws/dynamodb/dynamodb-resync-positions.ts';
import { DynamoDbTaskStore } from '../../../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { assignmentStoreContract } from '../../../contracts/assignment-store.contract.ts';
import { deschedulingStoreContract } from '../../../contracts/descheduling-store.contract.ts';
import { elasticStoreContract } from '../../../contracts/elastic-store.contract.ts';
import { hubBudgetsContract } from '../../../contracts/hub-budgets.contract.ts';
import { hubCircuitsContract } from '../../../contracts/hub-circuits.contract.ts';
import { hubRegistryContract } from '../../../contracts/hub-registry.contract.ts';
import { moveLedgerContract } from '../../../contracts/move-ledger.contract.ts';
import { policyStoreContract } from '../../../contracts/policy-store.contract.ts';
import { resyncPositionsContract } from '../../../contracts/resync-positions.contract.ts';
import { taskStoreContract } from '../../../contracts/task-store.contract.ts';
import { only, resourcesOf, synthesize } from '../../../infra/stacks.ts';
import { startAwsEmulator } from '../../parts/aws-emulator.ts';
import { startDynamoDbLocal } from '../../parts/dynamodb-local.ts';
import { rigOfSuite } from '../rig-of-suite.ts';
import { type Deployed, startDeployed } from './deployed.ts';

interface TableDefinition {
  readonly KeySchema: KeySchemaElement[];
  readonly AttributeDefinitions: AttributeDefinition[];
  readonly GlobalSecondaryIndexes?: GlobalSecondaryIndex[];
  readonly BillingMode: 'PAY_PER_REQUEST';
}

const rig = rigOfSuite();
const tables = resourcesOf(synthesize().state, 'AWS::DynamoDB::Table');
const hasIndex = ({ properties }: (typeof tables)[number]) => properties.GlobalSecondaryIndexes !== undefined;
const definitionOf = (of: typeof tables) => only(of, 'tables').properties as unknown as TableDefinition;
const ofTasks = definitionOf(tables.filter(hasIndex));
const ofHubs = definitionOf(tables.filter((table) => !hasIndex(table)));

const engines: Readonly<Record<string, () => Promise<DynamoDBClientConfig>>> = {
  'DynamoDB Local': async () => {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    return { endpoint: await startDynamoDbLocal(rig), region: 'local', credentials };
  },
  MiniStack: async () => (await startAwsEmulator(rig)).client(),
};

for (const [name, config] of Object.entries(engines)) {
  taskStoreContract(name, async () => {
    const { client, table } = await tableIn(await config());
    return new DynamoDbTaskStore(client, table);
  });
  deschedulingStoreContract(name, async () => {
    const { client, table } = await tableIn(await config());
    return new DynamoDbDeschedulingStore(client, table);
  });
  policyStoreContract(name, async () => {
    const { client, table } = await tableIn(await config());
    return new DynamoDbPolicyStore(client, table);
  });
  elasticStoreContract(name, async () => {
    const { client, table } = await tableIn(await config());
    return new DynamoDbElasticStore(client, table);
  });
  hubCircuitsContract(name, async () => {
    const { client, table } = await tableIn(await config());
    return new DynamoDbHubCircuits(client, table);
  });
  hubBudgetsContract(name, async () => {
    const { client, table } = await tableIn(await config());
    return new DynamoDbHubBudgets(client, table);
  });
  hubRegistryContract(name, async () => {
    const { client, table } = await tableIn(await config(), ofHubs);
    return new DynamoDbHubRegistry(client, table, (_, fault) => {
      throw fault;
    });
  });
  resyncPositionsContract(name, async () => {
    const { client, table } = await tableIn(await config());
    return new DynamoDbResyncPositions(client, table);
  });
  assignmentStoreContract(name, async () => {
    const { client, table } = await tableIn(await config());
    return new DynamoDbAssignmentStore(client, table);
  });
  moveLedgerContract(name, async () => {
    const { client, table } = await tableIn(await config());
    return new DynamoDbMoveLedger(client, table);
  });
}

describe('the deployed table', () => {
  let deployed: Deployed;
  beforeAll(async () => {
    deployed = await startDeployed();
  });

  it('has the definition on which the contract ran, and expires rows at expiresAt', async () => {
    const client = new DynamoDBClient(deployed.aws.emulator.client());
    const { tableName: TableName } = deployed.aws.deployment;
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table?.KeySchema).toEqual(ofTasks.KeySchema);
    expect(Table?.AttributeDefinitions).toEqual(ofTasks.AttributeDefinitions);
    expect(Table?.GlobalSecondaryIndexes).toMatchObject(
      (ofTasks.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
    );
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' });
  });
});

/** In a separate table without expiry: the rows of the contract may be in the past. */
async function tableIn(
  config: DynamoDBClientConfig,
  definition = ofTasks,
): Promise<{ client: DynamoDBClient; table: string }> {
  const client = new DynamoDBClient(config);
  const TableName = `contract-${randomUUID()}`;
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode } = definition;
  const indexes = GlobalSecondaryIndexes && { GlobalSecondaryIndexes };
  await client.send(new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, BillingMode, ...indexes }));
  await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 10 }, { TableName });
  return { client, table: TableName };
}
