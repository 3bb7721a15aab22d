/**
 * Calls that a function's role allows, and similar calls that it denies. Each is harmless if it is allowed, and has a rule, read from the
 * table of functions, that determines which functions are granted it.
 */
import {
  type AttributeValue,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand, PutRuleCommand } from '@aws-sdk/client-eventbridge';
import * as scheduler from '@aws-sdk/client-scheduler';
import {
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import * as sqs from '@aws-sdk/client-sqs';
import { REAL_HUB as HUB } from '../../../../local/run.ts';
import {
  type FunctionDefinition,
  type FunctionName,
  functions,
  registryCallsOf,
  storeCallsOf,
} from '../../../../shared/bus/functions.ts';
import { routes } from '../../../../shared/bus/routes.ts';
import { registryActionsOf, type TableAction, tableActionsOf } from '../../../../shared/bus/table-actions.ts';
import { connectionSecretName } from '../../../../shared/core/environment.ts';
import { DEPLOYMENT, type Deployment } from '../../parts/aws-deployment.ts';
import { ACCOUNT_ID, type AwsEmulator, type Credentials, REGION } from '../../parts/aws-emulator.ts';

export interface Clients {
  readonly table: DynamoDBClient;
  readonly events: EventBridgeClient;
  readonly schedules: scheduler.SchedulerClient;
  readonly secrets: SecretsManagerClient;
  readonly queues: sqs.SQSClient;
}

export function clientsOf(emulator: AwsEmulator, credentials: Credentials): Clients {
  // One attempt: a denied call is denied.
  const config = { ...emulator.client(credentials), maxAttempts: 1 };
  return {
    table: new DynamoDBClient(config),
    events: new EventBridgeClient(config),
    schedules: new scheduler.SchedulerClient(config),
    secrets: new SecretsManagerClient(config),
    queues: new sqs.SQSClient(config),
  };
}

export interface Probe {
  readonly call: string;
  readonly isGranted: (name: FunctionName) => boolean;
  readonly make: (clients: Clients) => Promise<unknown>;
}

type Rule = Probe['isGranted'];
type Make = Probe['make'];

export function probesOn(emulator: AwsEmulator, deployment: Deployment): readonly Probe[] {
  return [
    ...tableProbes(deployment),
    ...busProbes(deployment),
    ...hubsTableProbes(deployment),
    ...secretProbes(deployment),
    ...scheduleProbes(),
    ...routes.flatMap(({ name }) => queueProbes(name, emulator)),
  ];
}

const noFunction: Rule = () => false;

function whose(rule: (definition: FunctionDefinition) => boolean): Rule {
  return (name) => rule(functions[name]);
}

function probe(call: string, isGranted: Rule, make: Make): Probe {
  return { call, isGranted, make };
}

/** Writes are conditional on a row that does not exist. */
function tableProbes({ tableName: TableName }: Deployment): readonly Probe[] {
  const Key: Record<string, AttributeValue> = { pk: { S: 'PROBE' }, sk: { S: 'PROBE' } };
  const item = { TableName, Key };
  const onlyIf = { ConditionExpression: 'attribute_exists(pk)' };
  const equal = (key: string) => ({
    TableName,
    KeyConditionExpression: `${key} = :value`,
    ExpressionAttributeValues: { ':value': { S: 'PROBE' } },
  });
  const does = (action: TableAction) =>
    whose((definition) => tableActionsOf(storeCallsOf(definition)).includes(action));
  return [
    probe('GetItem', does('GetItem'), ({ table }) => table.send(new GetItemCommand(item))),
    probe('Query', does('Query'), ({ table }) => table.send(new QueryCommand(equal('pk')))),
    probe('PutItem', does('PutItem'), ({ table }) =>
      table.send(new PutItemCommand({ TableName, Item: Key, ...onlyIf })),
    ),
    probe('UpdateItem', does('UpdateItem'), ({ table }) => table.send(new UpdateItemCommand({ ...item, ...onlyIf }))),
    probe('DeleteItem', does('DeleteItem'), ({ table }) => table.send(new DeleteItemCommand({ ...item, ...onlyIf }))),
    probe('Scan', noFunction, ({ table }) => table.send(new ScanCommand({ TableName, Limit: 1 }))),
    probe('DescribeTable', noFunction, ({ table }) => table.send(new DescribeTableCommand({ TableName }))),
    probe('Query of the index', does('IndexQuery'), ({ table }) =>
      table.send(new QueryCommand({ ...equal('hub'), IndexName: 'tasksByHub' })),
    ),
    probe('GetItem of another table', noFunction, ({ table }) =>
      table.send(new GetItemCommand({ Key, TableName: 'another' })),
    ),
  ];
}

/** From a source that no rule matches. */
function busProbes({ busName: EventBusName }: Deployment): readonly Probe[] {
  const event = { Source: 'rig-probe', DetailType: 'Probe', Detail: '{}' };
  const put =
    (bus: string): Make =>
    ({ events }) =>
      events.send(new PutEventsCommand({ Entries: [{ ...event, EventBusName: bus }] }));
  return [
    probe(
      'PutEvents',
      whose(({ publishes }) => publishes.length > 0),
      put(EventBusName),
    ),
    probe('PutEvents on the default bus', noFunction, put('default')),
    probe('PutRule', noFunction, ({ events }) =>
      events.send(new PutRuleCommand({ Name: 'probe', EventBusName, EventPattern: '{"source":["rig-probe"]}' })),
    ),
  ];
}

/** Writes are conditional on a row that does not exist. */
function hubsTableProbes({ hubsTableName: TableName }: Deployment): readonly Probe[] {
  const Key: Record<string, AttributeValue> = { pk: { S: 'HUBS' }, sk: { S: 'probe' } };
  const item = { TableName, Key };
  const onlyIf = { ConditionExpression: 'attribute_exists(pk)' };
  const hubs = {
    TableName,
    KeyConditionExpression: 'pk = :hubs',
    ExpressionAttributeValues: { ':hubs': { S: 'HUBS' } },
    Limit: 1,
  };
  const does = (action: TableAction) =>
    whose((definition) => registryActionsOf(registryCallsOf(definition)).includes(action));
  return [
    probe('GetItem of a hub', does('GetItem'), ({ table }) => table.send(new GetItemCommand(item))),
    probe('Query of hubs', does('Query'), ({ table }) => table.send(new QueryCommand(hubs))),
    probe('PutItem of a hub', does('PutItem'), ({ table }) =>
      table.send(new PutItemCommand({ TableName, Item: Key, ...onlyIf })),
    ),
    probe('DeleteItem of a hub', does('DeleteItem'), ({ table }) =>
      table.send(new DeleteItemCommand({ ...item, ...onlyIf })),
    ),
    probe('UpdateItem of a hub', does('UpdateItem'), ({ table }) =>
      table.send(new UpdateItemCommand({ ...item, ...onlyIf })),
    ),
    probe('Scan of hubs', noFunction, ({ table }) => table.send(new ScanCommand({ TableName, Limit: 1 }))),
  ];
}

function secretProbes({ secretName }: Deployment): readonly Probe[] {
  const get =
    (SecretId: string): Make =>
    ({ secrets }) =>
      secrets.send(new GetSecretValueCommand({ SecretId }));
  const callsHubs = whose(({ hub }) => hub.length > 0);
  const writes = whose(({ writesConnections }) => writesConnections === true);
  const noVersions = { MoveToVersionId: 'a'.repeat(32), RemoveFromVersionId: 'b'.repeat(32) };
  return [
    probe("GetSecretValue of the hub's", callsHubs, get(secretName)),
    probe('GetSecretValue of a hub that is not registered', callsHubs, get(connectionSecretName(DEPLOYMENT, 'probe'))),
    probe("GetSecretValue of another deployment's", noFunction, get(connectionSecretName('another', HUB))),
    probe('GetSecretValue beside the hubs', noFunction, get(`evenkeel/${DEPLOYMENT}/another`)),
    // With a stage other than AWSCURRENT, and with a version that does not exist.
    probe("PutSecretValue of the hub's", writes, ({ secrets }) =>
      secrets.send(new PutSecretValueCommand({ SecretId: secretName, SecretString: '{}', VersionStages: ['PROBE'] })),
    ),
    probe("UpdateSecretVersionStage of the hub's", writes, ({ secrets }) =>
      secrets.send(new UpdateSecretVersionStageCommand({ SecretId: secretName, VersionStage: 'PROBE', ...noVersions })),
    ),
    probe("DescribeSecret of the hub's", noFunction, ({ secrets }) =>
      secrets.send(new DescribeSecretCommand({ SecretId: secretName })),
    ),
    probe('DeleteSecret', noFunction, ({ secrets }) =>
      secrets.send(new DeleteSecretCommand({ SecretId: connectionSecretName(DEPLOYMENT, 'probe') })),
    ),
    probe('ListSecrets', noFunction, ({ secrets }) => secrets.send(new ListSecretsCommand({}))),
  ];
}

const anotherRole = `arn:aws:iam::${ACCOUNT_ID}:role/another`;

/** Without a target, which every schedule needs. */
function scheduleProbes(): readonly Probe[] {
  const group = { Name: 'probe', GroupName: 'evenkeel-one-time-schedules' };
  const wrong: Omit<scheduler.CreateScheduleCommandInput, 'Name' | 'GroupName'> = {
    ScheduleExpression: 'at(2030-01-01T00:00:00)',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { Arn: '', RoleArn: '' },
  };
  const create =
    (GroupName: string): Make =>
    ({ schedules }) =>
      schedules.send(new scheduler.CreateScheduleCommand({ Name: 'probe', GroupName, ...wrong }));
  const createsSchedules = whose(({ schedules }) => schedules.length > 0);
  return [
    probe('CreateSchedule', createsSchedules, create(group.GroupName)),
    probe('UpdateSchedule', createsSchedules, ({ schedules }) =>
      schedules.send(new scheduler.UpdateScheduleCommand({ ...group, ...wrong })),
    ),
    probe('CreateSchedule in the default group', noFunction, create('default')),
    probe("CreateSchedule among resync's", noFunction, create('evenkeel-resync-schedules')),
    probe('CreateSchedule as another role', noFunction, ({ schedules }) => {
      const Target = { Arn: `arn:aws:events:${REGION}:${ACCOUNT_ID}:event-bus/evenkeel`, RoleArn: anotherRole };
      return schedules.send(new scheduler.CreateScheduleCommand({ ...group, ...wrong, Target }));
    }),
    probe('GetSchedule', noFunction, ({ schedules }) => schedules.send(new scheduler.GetScheduleCommand(group))),
    probe('DeleteSchedule', noFunction, ({ schedules }) => schedules.send(new scheduler.DeleteScheduleCommand(group))),
  ];
}

/** With the receipt handle of no message, and with an invalid body. */
function queueProbes(route: string, { port }: AwsEmulator): readonly Probe[] {
  const owner: Rule = (name) => routes.some((known) => known.name === route && known.function === name);
  const QueueUrl = `https://localhost:${port}/${ACCOUNT_ID}/evenkeel-${route}`;
  const deadLetters = { QueueUrl: `${QueueUrl}-dead-letters` };
  const usesDeadLetters = whose(({ queues }) => queues !== undefined);
  const redrives = whose(({ queues }) => queues === 'redrives');
  const ownerOrReader: Rule = (name) => owner(name) || whose(({ queues }) => queues === 'reads')(name);
  const receipt = { QueueUrl, ReceiptHandle: 'no-receipt' };
  const noBody = { MessageBody: '' };
  return [
    probe(`GetQueueAttributes of ${route}`, ownerOrReader, ({ queues }) =>
      queues.send(new sqs.GetQueueAttributesCommand({ QueueUrl })),
    ),
    probe(`DeleteMessage from ${route}`, owner, ({ queues }) => queues.send(new sqs.DeleteMessageCommand(receipt))),
    probe(`ChangeMessageVisibility in ${route}`, owner, ({ queues }) =>
      queues.send(new sqs.ChangeMessageVisibilityCommand({ ...receipt, VisibilityTimeout: 0 })),
    ),
    probe(
      `SendMessage to ${route}`,
      (name) => owner(name) || redrives(name),
      ({ queues }) => queues.send(new sqs.SendMessageCommand({ QueueUrl, ...noBody })),
    ),
    probe(`PurgeQueue ${route}`, noFunction, ({ queues }) => queues.send(new sqs.PurgeQueueCommand({ QueueUrl }))),
    probe(`SendMessage to the dead letters of ${route}`, owner, ({ queues }) =>
      queues.send(new sqs.SendMessageCommand({ ...deadLetters, ...noBody })),
    ),
    probe(`GetQueueAttributes of the dead letters of ${route}`, usesDeadLetters, ({ queues }) =>
      queues.send(new sqs.GetQueueAttributesCommand(deadLetters)),
    ),
    probe(`ReceiveMessage from the dead letters of ${route}`, usesDeadLetters, ({ queues }) =>
      queues.send(new sqs.ReceiveMessageCommand({ ...deadLetters, VisibilityTimeout: 0 })),
    ),
    probe(`DeleteMessage from the dead letters of ${route}`, redrives, ({ queues }) =>
      queues.send(new sqs.DeleteMessageCommand({ ...deadLetters, ReceiptHandle: 'no-receipt' })),
    ),
    probe(`PurgeQueue of the dead letters of ${route}`, noFunction, ({ queues }) =>
      queues.send(new sqs.PurgeQueueCommand(deadLetters)),
    ),
  ];
}
