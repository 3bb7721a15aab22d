/** Permissions of a function's role: exactly those of its definition, on this deployment's own resources. */
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { registryCallsOf, storeCallsOf } from '../../shared/bus/functions.ts';
import { registryActionsOf, type TableAction, tableActionsOf } from '../../shared/bus/table-actions.ts';
import { connectionSecretName, hubTag, tasksByHub, XRAY } from '../../shared/core/environment.ts';
import type { Deployment } from './deployment.ts';
import { type FunctionPlace, readsHubSecrets } from './function-context.ts';

/** KMS actions that DynamoDB needs on behalf of a caller that reads, or writes, a table with a customer managed key. */
const keyToRead = ['kms:Decrypt', 'kms:DescribeKey'];
const keyToWrite = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

export function grantsOf(place: FunctionPlace, logs: ILogGroup): PolicyStatement[] {
  return [
    allow('OwnLog', ['logs:CreateLogStream', 'logs:PutLogEvents'], [logs.logGroupArn]),
    ...tableGrants(place),
    ...hubGrants(place),
    ...registryGrants(place),
    ...busGrants(place),
    ...scheduleGrants(place),
    ...queueGrants(place),
    ...everyQueueGrants(place),
    ...logGroupGrants(place),
    // The APIs have no resources of their own.
    ...(exportsToXray(place.config) ? [allow('Traces', ['xray:PutTraceSegments'], ['*'])] : []),
    ...(place.definition.readsTags ? [allow('Tags', ['tag:GetResources'], ['*'])] : []),
  ];
}

export function exportsToXray({ tracesTo }: Pick<Deployment, 'tracesTo'>): boolean {
  return tracesTo === XRAY;
}

/** Only the table, and its index if the definition requires it: no function decides from the index. */
function tableGrants({ definition, state }: FunctionPlace): PolicyStatement[] {
  const actions = tableActionsOf(storeCallsOf(definition));
  if (actions.length === 0) return [];
  return [
    allow(
      'TaskTable',
      actions.flatMap((action) => (action === 'IndexQuery' ? [] : [`dynamodb:${action}`])),
      [state.table.tableArn],
    ),
    ...(actions.includes('IndexQuery')
      ? [allow('TaskIndex', ['dynamodb:Query'], [`${state.table.tableArn}/index/${tasksByHub.name}`])]
      : []),
    through('dynamodb', allow('TaskTableKey', keyActionsOf(actions), [state.key.keyArn]), state.key.stack),
  ];
}

function keyActionsOf(actions: readonly TableAction[]): string[] {
  return [...keyToRead, ...(actions.some((action) => /Item$/.test(action) && action !== 'GetItem') ? keyToWrite : [])];
}

/** Records of hubs are in a table of their own: its resource separates them from tasks. */
function registryGrants({ definition, state }: FunctionPlace): PolicyStatement[] {
  const actions = registryActionsOf(registryCallsOf(definition));
  if (actions.length === 0) return [];
  return [
    allow(
      'HubsTable',
      actions.map((action) => `dynamodb:${action}`),
      [state.hubsTable.tableArn],
    ),
    through('dynamodb', allow('HubsTableKey', keyActionsOf(actions), [state.key.keyArn]), state.key.stack),
  ];
}

/** The secrets of all hubs of the deployment, which are made when a hub is registered. */
export function connectionsArn({ config, state }: FunctionPlace): string {
  const resourceName = connectionSecretName(config.name, '*');
  return Stack.of(state).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

function hubGrants(place: FunctionPlace): PolicyStatement[] {
  const { definition, config, state } = place;
  if (!readsHubSecrets(definition)) return [];
  // A new version is created next to the current one, and then becomes current if that is still the version that was read.
  const writes = definition.writesConnections ? ['PutSecretValue', 'UpdateSecretVersionStage'] : [];
  const key = definition.writesConnections ? ['kms:Decrypt', 'kms:GenerateDataKey'] : ['kms:Decrypt'];
  const secrets = allow(
    'HubSecrets',
    ['GetSecretValue', ...writes].map((action) => `secretsmanager:${action}`),
    [connectionsArn(place)],
  );
  // A secret under the prefix that another tool made is not read.
  secrets.addCondition('StringEqualsIfExists', { [`secretsmanager:ResourceTag/${hubTag.deployment}`]: config.name });
  return [secrets, through('secretsmanager', allow('HubSecretsKey', key, [state.key.keyArn]), state.key.stack)];
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
  // SendMessage: a message whose hub does not respond is sent again.
  const receive = ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes', 'SendMessage'];
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

/** Log groups of functions behind queues, and of those that receive events. */
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
