/** Permissions of a function's role: exactly those of its definition, on this deployment's own resources. */
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { tableActionsOf } from '../../shared/bus/table-actions.ts';
import { tasksByHub } from '../../shared/core/environment.ts';
import { type FunctionPlace, readsHookAccess, readsHubSecrets } from './function-context.ts';

/** KMS actions that DynamoDB needs on behalf of a caller that reads, or writes, a table with a customer managed key. */
const keyToRead = ['kms:Decrypt', 'kms:DescribeKey'];
const keyToWrite = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

export function grantsOf(place: FunctionPlace, logs: ILogGroup): PolicyStatement[] {
  return [
    allow('OwnLog', ['logs:CreateLogStream', 'logs:PutLogEvents'], [logs.logGroupArn]),
    ...tableGrants(place),
    ...hubGrants(place),
    ...hookAccessGrants(place),
    ...busGrants(place),
    ...scheduleGrants(place),
    ...queueGrants(place),
    ...everyQueueGrants(place),
    ...logGroupGrants(place),
  ];
}

/** Only the table, and its index if the definition requires it: no function decides from the index. */
function tableGrants({ definition, state }: FunctionPlace): PolicyStatement[] {
  const actions = tableActionsOf(definition.stores);
  if (actions.length === 0) return [];
  const writes = actions.some((action) => action === 'PutItem' || action === 'UpdateItem');
  return [
    allow(
      'TaskTable',
      actions.flatMap((action) => (action === 'IndexQuery' ? [] : [`dynamodb:${action}`])),
      [state.table.tableArn],
    ),
    ...(actions.includes('IndexQuery')
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
  if (!readsHubSecrets(definition) || state.hubSecrets.size === 0) return [];
  const secrets = [...state.hubSecrets.values()];
  // A new version is created next to the current one, and then becomes current if that is still the version that was read.
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

function hookAccessGrants({ definition, state }: FunctionPlace): PolicyStatement[] {
  if (!readsHookAccess(definition) || state.hookAccess.size === 0) return [];
  const lists = [...state.hookAccess.values()].map(({ secretArn }) => secretArn);
  return [
    allow('HookAccess', ['secretsmanager:GetSecretValue'], lists),
    through('secretsmanager', allow('HookAccessKey', ['kms:Decrypt'], [state.key.keyArn]), state.key.stack),
  ];
}

function busGrants({ definition, state }: FunctionPlace): PolicyStatement[] {
  return definition.publishes.length === 0 ? [] : [allow('Bus', ['events:PutEvents'], [state.bus.eventBusArn])];
}

/** All schedules of the group. */
export function schedulesArn({ oneTimeSchedules: { group } }: FunctionPlace): string {
  return Stack.of(group).formatArn({
    service: 'scheduler',
    resource: 'schedule',
    resourceName: `${group.scheduleGroupName}/*`,
  });
}

/** Schedules of the group, and the role that they assume. EventBridge Scheduler deletes them after they fire. */
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

/** Listing receives messages and makes them visible again; a redrive moves them. */
function everyQueueGrants({ definition, allRoutes }: FunctionPlace): PolicyStatement[] {
  if (definition.queues === undefined) return [];
  const queues = allRoutes.map(({ queue }) => queue.queueArn);
  const deadLetters = allRoutes.map((route) => route.deadLetters.queueArn);
  const list = ['sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];
  if (definition.queues === 'reads')
    return [allow('EveryQueue', ['sqs:GetQueueAttributes'], queues), allow('EveryDeadLetter', list, deadLetters)];
  return [
    allow('EveryQueue', ['sqs:SendMessage'], queues),
    allow('EveryDeadLetter', [...list, 'sqs:DeleteMessage'].toSorted(), deadLetters),
  ];
}

/** Log groups of functions behind queues only. */
function logGroupGrants({ definition, logGroups }: FunctionPlace): PolicyStatement[] {
  if (!definition.readsLogs) return [];
  return [
    allow(
      'Journal',
      ['logs:StartQuery'],
      logGroups.map(({ logGroupArn }) => logGroupArn),
    ),
    allow('JournalResults', ['logs:GetQueryResults'], ['*']),
  ];
}

function allow(sid: string, actions: string[], resources: string[]): PolicyStatement {
  return new PolicyStatement({ sid, actions, resources });
}

/** The key may only be used through the service on the function's behalf. */
function through(service: string, statement: PolicyStatement, { region }: Stack): PolicyStatement {
  statement.addCondition('StringEquals', { 'kms:ViaService': `${service}.${region}.amazonaws.com` });
  return statement;
}
