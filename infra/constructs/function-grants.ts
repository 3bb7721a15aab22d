/** What a function's role may do: exactly what its definition names, on this deployment's own parts. */
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { tasksByHub } from '../../shared/wiring.ts';
import { type FunctionPlace, readsHubSecrets } from './surroundings.ts';

/** Actions on the key that DynamoDB uses in the name of whoever reads, or writes, a table under a key of the customer. */
const keyToRead = ['kms:Decrypt', 'kms:DescribeKey'];
const keyToWrite = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

export function grantsOf(place: FunctionPlace, logs: ILogGroup): PolicyStatement[] {
  return [
    allow('OwnLog', ['logs:CreateLogStream', 'logs:PutLogEvents'], [logs.logGroupArn]),
    ...tableGrants(place),
    ...hubGrants(place),
    ...busGrants(place),
    ...scheduleGrants(place),
    ...queueGrants(place),
    ...everyQueueGrants(place),
    ...journalGrants(place),
  ];
}

/** The table only, and its index where the definition says so: no function decides from that. */
function tableGrants({ definition, state }: FunctionPlace): PolicyStatement[] {
  if (definition.table.length === 0) return [];
  const writes = definition.table.some((action) => action === 'PutItem' || action === 'UpdateItem');
  return [
    allow(
      'TaskTable',
      definition.table.map((action) => `dynamodb:${action}`),
      [state.table.tableArn],
    ),
    ...(definition.readsIndex
      ? [allow('TaskIndex', ['dynamodb:Query'], [`${state.table.tableArn}/index/${tasksByHub.name}`])]
      : []),
    through(
      'dynamodb',
      allow('TaskTableKey', [...keyToRead, ...(writes ? keyToWrite : [])], [state.key.keyArn]),
      state.key.stack,
    ),
  ];
}

function hubGrants({ definition, state }: FunctionPlace): PolicyStatement[] {
  if (!readsHubSecrets(definition)) return [];
  const secrets = [...state.hubSecrets.values()];
  // A write is put beside what is there, and then moved into its place if that is still what was read.
  const writes = definition.writesConnections ? ['PutSecretValue', 'UpdateSecretVersionStage'] : [];
  const key = definition.writesConnections ? ['kms:Decrypt', 'kms:GenerateDataKey'] : ['kms:Decrypt'];
  return [
    allow(
      'HubSecrets',
      ['GetSecretValue', ...writes].map((action) => `secretsmanager:${action}`),
      secrets.map(({ secretArn }) => secretArn),
    ),
    through('secretsmanager', allow('HubSecretsKey', key, [state.key.keyArn]), state.key.stack),
  ];
}

function busGrants({ definition, state }: FunctionPlace): PolicyStatement[] {
  return definition.says.length === 0 ? [] : [allow('Bus', ['events:PutEvents'], [state.bus.eventBusArn])];
}

/** Any schedule of the one group. */
export function schedulesArn({ oneTimeSchedules: { group } }: FunctionPlace): string {
  return Stack.of(group).formatArn({
    service: 'scheduler',
    resource: 'schedule',
    resourceName: `${group.scheduleGroupName}/*`,
  });
}

/** Schedules of the one group, and the one role that they run as. Scheduler deletes them by itself once they are due. */
function scheduleGrants(place: FunctionPlace): PolicyStatement[] {
  if (place.definition.schedules.length === 0) return [];
  const passRole = allow('ScheduleRole', ['iam:PassRole'], [place.oneTimeSchedules.role.roleArn]);
  passRole.addCondition('StringEquals', { 'iam:PassedToService': 'scheduler.amazonaws.com' });
  const actions = ['scheduler:CreateSchedule', 'scheduler:UpdateSchedule'];
  return [allow('Schedules', actions, [schedulesArn(place)]), passRole];
}

function queueGrants({ routes }: FunctionPlace): PolicyStatement[] {
  if (routes.length === 0) return [];
  const receive = ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'];
  return [
    allow(
      'OwnQueues',
      receive.map((action) => `sqs:${action}`),
      routes.map(({ queue }) => queue.queueArn),
    ),
    allow(
      'OwnDeadLetters',
      ['sqs:SendMessage'],
      routes.map(({ deadLetters }) => deadLetters.queueArn),
    ),
  ];
}

/** A look takes letters in hand for a moment and gives them back; having them delivered again moves them. */
function everyQueueGrants({ definition, hops }: FunctionPlace): PolicyStatement[] {
  if (definition.queues === undefined) return [];
  const queues = hops.map(({ queue }) => queue.queueArn);
  const deadLetters = hops.map((hop) => hop.deadLetters.queueArn);
  const look = ['sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];
  if (definition.queues === 'reads')
    return [allow('EveryQueue', ['sqs:GetQueueAttributes'], queues), allow('EveryDeadLetter', look, deadLetters)];
  return [
    allow('EveryQueue', ['sqs:SendMessage'], queues),
    allow('EveryDeadLetter', [...look, 'sqs:DeleteMessage'].toSorted(), deadLetters),
  ];
}

/** Of those behind queues: what they told, and nobody else's log. */
function journalGrants({ definition, journal }: FunctionPlace): PolicyStatement[] {
  if (!definition.readsLogs) return [];
  return [
    allow(
      'Journal',
      ['logs:StartQuery'],
      journal.map(({ logGroupArn }) => logGroupArn),
    ),
    allow('JournalResults', ['logs:GetQueryResults'], ['*']),
  ];
}

function allow(sid: string, actions: string[], resources: string[]): PolicyStatement {
  return new PolicyStatement({ sid, actions, resources });
}

/** The key opens only for requests that the service makes in the function's name. */
function through(service: string, statement: PolicyStatement, { region }: Stack): PolicyStatement {
  statement.addCondition('StringEquals', { 'kms:ViaService': `${service}.${region}.amazonaws.com` });
  return statement;
}
