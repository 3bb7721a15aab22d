import { describe, expect, it } from 'vitest';
import {
  eventReceivers,
  type FunctionDefinition,
  type FunctionName,
  functionNames,
  functions,
} from '../../shared/bus/functions.ts';
import { routes } from '../../shared/bus/routes.ts';
import { registryActions, tableActionsOf } from '../../shared/bus/table-actions.ts';
import {
  actionsOf,
  grantsOf,
  lambdaOf,
  queueNamed,
  resourcesOf,
  synthesize,
  targetOf,
  targetsOf,
  textOf,
} from './stacks.ts';

const { functions: template, state } = synthesize();
const grants = (name: FunctionName) => grantsOf(template, targetOf(lambdaOf(template, name).properties.Role));
const definitionOf = (name: FunctionName): FunctionDefinition => functions[name];
const tables = resourcesOf(state, 'AWS::DynamoDB::Table').map(({ id }) => id);
const arnOf = (name: string) => {
  const [id] = tables.filter((table) => table.includes(name));
  return new RegExp(`^EvenkeelState:ExportsOutputFnGetAtt${id}Arn[0-9A-F]+`);
};

describe.each(functionNames)('%s', (name) => {
  const definition = definitionOf(name);
  const own = routes.filter((route) => route.function === name);

  it('has exactly the table actions of the store methods that it calls, on the table and its index', () => {
    // Functions behind queues also open the circuit breakers of hubs and take of their budgets, those that users call only follow them.
    const breakers = { 'console-api': ['read'], queue: ['read', 'write'], http: [], logs: [] } as const;
    const circuits = definition.hub.length > 0 ? breakers[definition.invokedBy] : [];
    const budgets = definition.hub.length > 0 && definition.invokedBy === 'queue' ? (['take'] as const) : [];
    const actions = tableActionsOf({ ...definition.stores, circuits, budgets });
    const statement = grants(name).get('TaskTable');
    const onTable = actions.filter((action) => action !== 'IndexQuery').map((action) => `dynamodb:${action}`);
    expect(actionsOf(statement).toSorted()).toEqual(onTable.toSorted());
    const arn = arnOf('Tasks');
    if (onTable.length > 0) expect(textOf(statement?.Resource)).toMatch(arn);
    const index = grants(name).get('TaskIndex');
    expect(actionsOf(index)).toEqual(actions.includes('IndexQuery') ? ['dynamodb:Query'] : []);
    if (index) expect(textOf(index.Resource).replace(arn, 'TABLE')).toBe('TABLE/index/tasksByHub');
  });

  it("reads the hubs' connections only if it calls hubs: those of its deployment, by prefix and tag", () => {
    const statement = grants(name).get('HubSecrets');
    const wanted = definition.hub.length > 0;
    const calls = [
      'GetSecretValue',
      ...(definition.writesConnections ? ['PutSecretValue', 'UpdateSecretVersionStage'] : []),
    ];
    expect(actionsOf(statement)).toEqual(wanted ? calls.map((call) => `secretsmanager:${call}`) : []);
    const secrets = [...grants(name).values()].filter((each) =>
      actionsOf(each).some((action) => /^secrets/.test(action)),
    );
    expect(secrets).toEqual(wanted ? [statement] : []);
    if (!wanted) return;
    expect(textOf(statement?.Resource)).toMatch(/:secretsmanager:.+:secret:evenkeel\/evenkeel\/hubs\/\*$/);
    expect(statement?.Condition).toEqual({
      StringEqualsIfExists: { 'secretsmanager:ResourceTag/evenkeel:deployment': 'evenkeel' },
    });
  });

  it('reads the registry if it calls hubs or receives from them, lists it unless it is internet-facing, and writes it only if its definition states it', () => {
    const statement = grants(name).get('HubsTable');
    const { hub, invokedBy, registry: methods = [] }: FunctionDefinition = definition;
    const implied = {
      GetItem: hub.length > 0 || invokedBy === 'http' || invokedBy === 'logs',
      Query: hub.length > 0 || invokedBy === 'logs',
    };
    const wanted = new Set(Object.entries(implied).flatMap(([action, granted]) => (granted ? [action] : [])));
    for (const method of methods) for (const action of registryActions[method]) wanted.add(action);
    expect(actionsOf(statement).toSorted()).toEqual([...wanted].map((action) => `dynamodb:${action}`).toSorted());
    if (statement) expect(textOf(statement.Resource)).toMatch(arnOf('Hubs'));
  });

  it('puts events on the bus only if it publishes any', () => {
    expect(actionsOf(grants(name).get('Bus'))).toEqual(definition.publishes.length > 0 ? ['events:PutEvents'] : []);
  });

  it('makes schedules only if its definition states it, in the one group and as the one role', () => {
    const schedules = grants(name).get('Schedules');
    const passRole = grants(name).get('ScheduleRole');
    const wanted = definition.schedules.length > 0;
    expect(actionsOf(schedules)).toEqual(wanted ? ['scheduler:CreateSchedule', 'scheduler:UpdateSchedule'] : []);
    expect(actionsOf(passRole)).toEqual(wanted ? ['iam:PassRole'] : []);
    if (!wanted) return;
    expect(textOf(schedules?.Resource)).toMatch(/:schedule\/evenkeel-one-time-schedules\/\*$/);
    expect(passRole?.Condition).toEqual({ StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } });
    expect([...grantsOf(template, targetsOf(passRole)[0]).keys()]).toEqual(['Bus', 'DeadLetters']);
  });

  it("receives from its own routes' queues and sends to their dead letters, and to no other queue", () => {
    const queues = own.map((route) => queueNamed(template, `evenkeel-${route.name}`).id);
    const deadLetters = own.map((route) => queueNamed(template, `evenkeel-${route.name}-dead-letters`).id);
    const receive = grants(name).get('OwnQueues');
    const send = grants(name).get('OwnDeadLetters');
    expect(targetsOf(receive).toSorted()).toEqual(queues.toSorted());
    expect(targetsOf(send).toSorted()).toEqual(deadLetters.toSorted());
    expect(actionsOf(send)).toEqual(own.length > 0 ? ['sqs:SendMessage'] : []);
  });

  it('reads every queue and its dead letters only if its definition states it, and sends to them only to redrive', () => {
    const [queues, deadLetters] = [grants(name).get('EveryQueue'), grants(name).get('EveryDeadLetter')];
    const look = ['sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];
    const wanted = {
      none: [[], []],
      reads: [['sqs:GetQueueAttributes'], look],
      redrives: [['sqs:SendMessage'], [...look, 'sqs:DeleteMessage'].toSorted()],
    };
    expect([actionsOf(queues), actionsOf(deadLetters)]).toEqual(wanted[definition.queues ?? 'none']);
    if (definition.queues === undefined) return;
    const ids = (suffix: string) => routes.map((route) => queueNamed(template, `evenkeel-${route.name}${suffix}`).id);
    expect(targetsOf(queues).toSorted()).toEqual(ids('').toSorted());
    expect(targetsOf(deadLetters).toSorted()).toEqual(ids('-dead-letters').toSorted());
  });

  it('queries the logs of functions behind queues and of receivers of events, and of no other, exactly if its definition states it', () => {
    const [asks, results] = [grants(name).get('Journal'), grants(name).get('JournalResults')];
    const { readsLogs } = definition;
    expect(actionsOf(asks)).toEqual(readsLogs ? ['logs:StartQuery'] : []);
    expect(actionsOf(results)).toEqual(readsLogs ? ['logs:GetQueryResults'] : []);
    if (!readsLogs) return;
    const read = functionNames.filter((each) => functions[each].invokedBy === 'queue' || eventReceivers.includes(each));
    const logs = read.map((each) =>
      targetOf((lambdaOf(template, each).properties.LoggingConfig as { LogGroup: unknown }).LogGroup),
    );
    expect(targetsOf(asks).toSorted()).toEqual(logs.toSorted());
  });

  it('writes to its own log only', () => {
    const log = targetOf((lambdaOf(template, name).properties.LoggingConfig as { LogGroup: unknown }).LogGroup);
    expect(targetsOf(grants(name).get('OwnLog'))).toEqual([log]);
  });

  it('may do nothing else', () => {
    const known = ['OwnLog', 'TaskTable', 'TaskTableKey', 'TaskIndex', 'HubSecrets', 'HubSecretsKey', 'Bus'];
    const access = ['HubsTable', 'HubsTableKey', ...(definitionOf(name).readsTags ? ['Tags'] : [])];
    const queues = ['OwnQueues', 'OwnDeadLetters', 'EveryQueue', 'EveryDeadLetter'];
    const all = [...known, 'Schedules', 'ScheduleRole', 'Journal', 'JournalResults', ...access, ...queues];
    expect([...grants(name).keys()].filter((sid) => !all.includes(sid))).toEqual([]);
    const role = resourcesOf(template, 'AWS::IAM::Role').find(
      ({ id }) => id === targetOf(lambdaOf(template, name).properties.Role),
    );
    expect(role?.properties.ManagedPolicyArns).toBeUndefined();
  });
});

describe('keys', () => {
  it('open for a reader of the table only to decrypt, and only through DynamoDB', () => {
    const statement = grants('console-api/run-query').get('TaskTableKey');
    expect(actionsOf(statement)).toEqual(['kms:Decrypt', 'kms:DescribeKey']);
    expect(
      textOf((statement?.Condition as { StringEquals: Record<string, unknown> }).StringEquals['kms:ViaService']),
    ).toBe("dynamodb.{'Ref':'AWS::Region'}.amazonaws.com");
  });

  it('do not open the table for a function that has no table action', () => {
    expect(grants('cluster-hook/admit-change').has('TaskTableKey')).toBe(false);
    expect(grants('cluster-hook/review-admission').has('TaskTableKey')).toBe(false);
  });

  it('open the registry for a receiver only to decrypt', () => {
    const statement = grants('cluster-hook/admit-change').get('HubsTableKey');
    expect(actionsOf(statement)).toEqual(['kms:Decrypt', 'kms:DescribeKey']);
  });
});

describe('the registry', () => {
  it('is written only by the function that executes commands, and by the one that marks until when events are published', () => {
    const writes = (name: FunctionName) =>
      actionsOf(grants(name).get('HubsTable')).some((action) => /:(Put|Update|Delete)Item$/.test(action));
    expect(functionNames.filter(writes).toSorted()).toEqual(['console-api/run-command', 'resync/publish-due']);
  });

  it('is read by an internet-facing function one record at a time', () => {
    const receivers = functionNames.filter((name) => functions[name].invokedBy === 'http');
    expect(receivers.map((name) => actionsOf(grants(name).get('HubsTable')))).toEqual(
      receivers.map(() => ['dynamodb:GetItem']),
    );
  });
});

describe('policies', () => {
  const roles = resourcesOf(template, 'AWS::IAM::Role').map(({ id }) => [...grantsOf(template, id).values()]);

  it('hold no wildcard but the names of one-time schedules and of the secrets of hubs', () => {
    const statements = roles.flat();
    expect(statements.flatMap(actionsOf).filter((action) => action.includes('*'))).toEqual([]);
    const wild = statements.filter(({ Resource }) => JSON.stringify(Resource).includes('*'));
    const putting = functionNames.filter((name) => functions[name].schedules.length > 0);
    // GetQueryResults takes no resource: what can be queried is bounded where a query is started. Nor does GetResources, which reads tags.
    const calling = functionNames.filter((name) => definitionOf(name).hub.length > 0);
    const wanted = [...putting.map(() => 'Schedules'), ...calling.map(() => 'HubSecrets'), 'JournalResults', 'Tags'];
    expect(wild.map(({ Sid }) => Sid).toSorted()).toEqual(wanted.toSorted());
  });

  it('are in the roles themselves: no function shares a role or has a policy beside it', () => {
    const used = functionNames.map((name) => targetOf(lambdaOf(template, name).properties.Role));
    expect(new Set(used).size).toBe(functionNames.length);
    expect(resourcesOf(template, 'AWS::IAM::Policy')).toEqual([]);
  });
});
