/** Each port as a deployed function makes it: by the environment variables of its stack, and the settings. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { awsLogReader } from '../../../shared/aws/cloudwatch-log-reader.ts';
import { awsAssignments } from '../../../shared/aws/dynamodb/dynamodb-assignment-store.ts';
import { awsDescheduling } from '../../../shared/aws/dynamodb/dynamodb-descheduling-store.ts';
import { awsElastic } from '../../../shared/aws/dynamodb/dynamodb-elastic-store.ts';
import { awsRegistry } from '../../../shared/aws/dynamodb/dynamodb-hub-registry.ts';
import { awsPolicies } from '../../../shared/aws/dynamodb/dynamodb-policy-store.ts';
import { awsPositions } from '../../../shared/aws/dynamodb/dynamodb-resync-positions.ts';
import { awsTasks } from '../../../shared/aws/dynamodb/dynamodb-task-store.ts';
import { awsBus, eventBridgeBus } from '../../../shared/aws/eventbridge-bus.ts';
import { awsSchedule } from '../../../shared/aws/eventbridge-schedule.ts';
import { awsEstimators } from '../../../shared/aws/hub-estimators.ts';
import { awsHookAccess } from '../../../shared/aws/registry-hook-access.ts';
import { awsConnections } from '../../../shared/aws/secrets-manager/secret-connections.ts';
import { awsHubs } from '../../../shared/aws/secrets-manager/secret-hubs.ts';
import { awsQueues } from '../../../shared/aws/sqs/sqs-queues.ts';
import { awsSourceQueue } from '../../../shared/aws/sqs/sqs-source-queue.ts';
import { WorkloadRebalancerChanged } from '../../../shared/bus/catalogue.ts';
import { functionNames } from '../../../shared/bus/functions.ts';
import { routes } from '../../../shared/bus/routes.ts';
import { Fault } from '../../../shared/core/fault.ts';
import type { InvocationContext } from '../../../shared/core/invocation.ts';
import { parseSettings } from '../../../shared/core/settings.ts';
import { resourceBindings } from '../../../shared/karmada/binding.ts';
import { callersOf } from '../../../shared/kubernetes/hook-callers.ts';
import type { Hub } from '../../../shared/kubernetes/hub.ts';
import { awsAuditLogs } from '../../../shared/runtime/audit-logs.ts';
import { accountToken, at } from '../../builders.ts';
import { type AwsAnswer, type AwsCall, type AwsEndpoint, startAwsEndpoint } from '../../fakes/aws-endpoint.ts';
import { type Line, recording } from '../../fakes/telemetry.ts';
import { startTokenHub } from '../../fakes/token-hub.ts';

const token = 'hook-token-of-karmada';
const SECRET = 'evenkeel/staging/hubs/karmada';
const event = WorkloadRebalancerChanged.of({ hub: 'karmada', name: 'web' });
const message = { id: 'm', receipt: 'r', body: '{}', receiveCount: 1 };

/** Queues are at their URLs, wherever the endpoint is: filled in when that has a port. */
const environment = {
  EVENKEEL_TABLE_NAME: 'table',
  EVENKEEL_BUS_NAME: 'bus',
  EVENKEEL_BUS_ARN: 'arn:aws:events:local:1:event-bus/bus',
  EVENKEEL_SCHEDULE_GROUP: 'group',
  EVENKEEL_SCHEDULE_ROLE_ARN: 'arn:aws:iam::1:role/schedule',
  EVENKEEL_SCHEDULE_DEAD_LETTER_ARN: 'arn:aws:sqs:local:1:schedule-dead-letters',
  EVENKEEL_DEPLOYMENT: 'staging',
  EVENKEEL_HUBS_TABLE_NAME: 'hubs',
  EVENKEEL_QUEUES: '',
  EVENKEEL_QUEUES_URL: '',
  EVENKEEL_LOGS_PREFIX: '/evenkeel/staging/',
};

const secrets: Record<string, string> = {
  [SECRET]: JSON.stringify({ server: 'https://127.0.0.1:1', token: 't', estimator: { kind: 'pods' } }),
};

const digests = (texts: readonly string[]) => ({ L: texts.map((S) => ({ S })) });
const callers = callersOf('karmada', { hookTokens: [token] });

/** As on the wire. */
const hubRow = {
  pk: { S: 'HUBS' },
  sk: { S: 'karmada' },
  state: { S: 'Active' },
  features: { L: [] },
  server: { S: 'https://127.0.0.1:1' },
  account: { S: 'us' },
  callers: {
    M: {
      tokenDigests: digests(callers.tokenDigests),
      reviewKeyDigests: digests(callers.reviewKeyDigests),
      subjects: { L: [] },
    },
  },
  auditLogGroup: { S: '/aws/eks/karmada/cluster' },
  revision: { N: '1' },
};
/** Of a list; a test may add one. */
let hubRows: readonly object[] = [hubRow];

const answers: Readonly<Record<string, (input: Record<string, unknown>) => object>> = {
  PutEvents: () => ({ FailedEntryCount: 0, Entries: [{ EventId: 'e' }] }),
  GetItem: ({ TableName }) => (TableName === 'hubs' ? { Item: hubRow } : {}),
  Query: () => ({ Items: hubRows }),
  GetSecretValue: ({ SecretId }) => ({ SecretString: secrets[String(SecretId)], VersionId: 'v1' }),
  StartQuery: () => ({ queryId: 'q' }),
  GetQueryResults: () => ({ status: 'Complete', results: [] }),
  GetQueueAttributes: () => ({ Attributes: {} }),
};

let endpoint: AwsEndpoint;
let now = 0;
let failures: readonly string[] = [];
/** Each call once, however many there were of its kind. */
let calls: AwsCall[] = [];

beforeAll(async () => {
  endpoint = await startAwsEndpoint((call, index): AwsAnswer => {
    const error = failures[index - first];
    if (error !== undefined) return { status: 500, error };
    calls.push(call);
    return { body: answers[call.operation]?.(call.input) ?? {} };
  });
  const { endpoint: url } = endpoint.config;
  environment.EVENKEEL_QUEUES_URL = `${url}/evenkeel-`;
  environment.EVENKEEL_QUEUES = JSON.stringify({
    'arn:q': { url: `${url}/q`, deadLetterUrl: `${url}/q-dead-letters` },
  });
});
let first = 0;
beforeEach(() => {
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint.config.endpoint);
  vi.stubEnv('AWS_REGION', 'local');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  now = at(0);
  failures = [];
  first = endpoint.calls.length;
  calls = [];
});
afterAll(async () => {
  await endpoint.close();
});

const context = (): InvocationContext => ({
  settings: parseSettings({ hubConnectionSeconds: 60 }),
  telemetry: recording([]),
  now: () => now,
  newId: () => 'id',
  timeLeft: () => Number.POSITIVE_INFINITY,
});

const hubKey = { TableName: 'hubs', Key: { pk: { S: 'HUBS' }, sk: { S: 'karmada' } } };

const ports: readonly (readonly [string, () => Promise<unknown>, string, object])[] = [
  ['tasks', () => awsTasks(context(), environment).comparedAt('h'), 'GetItem', { TableName: 'table' }],
  ['descheduling', () => awsDescheduling(context(), environment).readRun('h'), 'GetItem', { TableName: 'table' }],
  ['policies', () => awsPolicies(context(), environment).readObservations('h'), 'GetItem', { TableName: 'table' }],
  [
    'positions',
    () => awsPositions(context(), environment).read({ hub: 'h', function: 'find-unscheduled' }),
    'GetItem',
    { TableName: 'table' },
  ],
  ['assignments', () => awsAssignments(context(), environment).read('h'), 'GetItem', { TableName: 'table' }],
  ['elastic', () => awsElastic(context(), environment).read({ hub: 'h', uid: 'u' }), 'GetItem', { TableName: 'table' }],
  [
    'bus',
    () => awsBus(context(), environment).publish([event]),
    'PutEvents',
    { Entries: [{ EventBusName: 'bus', Source: 'evenkeel' }] },
  ],
  [
    'bus of a bridge',
    () => eventBridgeBus('bus', 'evenkeel.hub.karmada').publish([event]),
    'PutEvents',
    { Entries: [{ EventBusName: 'bus', Source: 'evenkeel.hub.karmada' }] },
  ],
  [
    'schedule',
    () => awsSchedule(context(), environment).put('name', at(60), event),
    'POST /schedules/name',
    {
      GroupName: 'group',
      ScheduleExpression: 'at(2026-11-21T10:01:00)',
      Target: {
        Arn: environment.EVENKEEL_BUS_ARN,
        RoleArn: environment.EVENKEEL_SCHEDULE_ROLE_ARN,
        DeadLetterConfig: { Arn: environment.EVENKEEL_SCHEDULE_DEAD_LETTER_ARN },
      },
    },
  ],
  [
    'connections',
    () => awsConnections(context(), environment).readToken('karmada'),
    'GetSecretValue',
    { SecretId: SECRET },
  ],
  ['registry', () => awsRegistry(context(), environment).read('karmada'), 'GetItem', hubKey],
  ['records of connections', () => awsConnections(context(), environment).readToken('karmada'), 'GetItem', hubKey],
  ['hook access', () => awsHookAccess(context(), environment).accountOf('karmada'), 'GetItem', hubKey],
  ['audit logs', () => awsAuditLogs(context(), environment).hubOf('/log'), 'Query', { TableName: 'hubs' }],
  ['hubs', () => awsHubs(context(), environment).open('karmada'), 'GetSecretValue', { SecretId: SECRET }],
  [
    'source queue',
    () => awsSourceQueue('arn:q', context(), environment).deliverAgain(message, 2),
    'ChangeMessageVisibility',
    { QueueUrl: expect.stringMatching(/\/q$/) as string },
  ],
  [
    'dead letters of a source queue',
    () =>
      awsSourceQueue('arn:q', context(), environment)
        .deadLetter(message, new Fault('terminal', 'no', { reason: 'No' }))
        // The fake computes no digest of what it got.
        .catch(() => undefined),
    'SendMessage',
    { QueueUrl: expect.stringMatching(/\/q-dead-letters$/) as string },
  ],
  [
    'logs',
    () => awsLogReader(context(), environment).lines({ about: [{ hub: 'h' }], since: 0, limit: 5 }),
    'StartQuery',
    { endTime: at(0) / 1000, limit: 5 },
  ],
];

describe('a port on AWS', () => {
  it.each(ports)('is made from the environment: %s', async (_, use, operation, input) => {
    await use();
    expect(calls.find((call) => call.operation === operation)?.input).toMatchObject(input);
  });

  it.each(ports.filter(([, , operation]) => operation !== 'SendMessage'))(
    'sends a call five times before it gives up on server errors: %s',
    async (_, use) => {
      // No jitter, no pause.
      vi.spyOn(Math, 'random').mockReturnValue(0);
      failures = Array.from({ length: 4 }, () => 'InternalServerError');
      await use();
      failures = Array.from({ length: 20 }, () => 'InternalServerError');
      first = endpoint.calls.length;
      await expect(use()).rejects.toThrow('InternalServerError');
      expect(endpoint.calls.length - first).toBe(5);
      vi.restoreAllMocks();
    },
  );

  it.each([
    ['awsTasks', 'EVENKEEL_TABLE_NAME', awsTasks],
    ['awsBus', 'EVENKEEL_BUS_NAME', awsBus],
    ['awsSchedule', 'EVENKEEL_BUS_ARN', awsSchedule],
    ['awsSchedule', 'EVENKEEL_SCHEDULE_GROUP', awsSchedule],
    ['awsConnections', 'EVENKEEL_DEPLOYMENT', awsConnections],
    ['awsConnections', 'EVENKEEL_HUBS_TABLE_NAME', awsConnections],
    ['awsHubs', 'EVENKEEL_DEPLOYMENT', awsHubs],
    ['awsHubs', 'EVENKEEL_HUBS_TABLE_NAME', awsHubs],
    ['awsHookAccess', 'EVENKEEL_HUBS_TABLE_NAME', awsHookAccess],
    ['awsAuditLogs', 'EVENKEEL_HUBS_TABLE_NAME', awsAuditLogs],
    ['awsRegistry', 'EVENKEEL_HUBS_TABLE_NAME', awsRegistry],
    ['awsQueues', 'EVENKEEL_QUEUES_URL', awsQueues],
    ['awsLogReader', 'EVENKEEL_LOGS_PREFIX', awsLogReader],
  ] as const)('%s rejects an environment without %s', (_, name, port) => {
    const message = `${name} is not set; the stack sets it for the functions that need it`;
    expect(() => port(context(), { ...environment, [name]: '' })).toThrow(
      expect.objectContaining({ retryClass: 'terminal', reason: 'InvalidEnvironment', message }) as Error,
    );
  });

  it.each([['EVENKEEL_QUEUES', (given: object) => awsSourceQueue('arn:q', context(), given as never)]])(
    'rejects a variable %s that is not JSON',
    (name, make) => {
      const message = `${name} is not a JSON object; the stack sets it`;
      expect(() => make({ ...environment, [name]: '{' })).toThrow(
        expect.objectContaining({ retryClass: 'terminal', reason: 'InvalidEnvironment', message }) as Error,
      );
    },
  );

  it('rejects a queue that the environment does not name', () => {
    expect(() => awsSourceQueue('arn:other', context(), environment)).toThrow(
      expect.objectContaining({
        retryClass: 'terminal',
        reason: 'InvalidEnvironment',
        message: 'EVENKEEL_QUEUES does not know the queue arn:other',
      }) as Error,
    );
  });

  it('delivers a message as many times as the settings allow', () => {
    const { maxReceives } = awsSourceQueue('arn:q', context(), environment);
    expect(maxReceives).toBe(context().settings.maxReceives);
  });

  it('reads the queues of every route, each with its dead-letter queue', async () => {
    const observations = await awsQueues(context(), environment).statuses();
    expect(observations.map(({ name, function: feeds }) => [name, feeds])).toEqual(
      routes.map((route) => [route.name, route.function]),
    );
    const urls = calls.map(({ input }) => String(input.QueueUrl)).sort();
    const url = environment.EVENKEEL_QUEUES_URL;
    const wanted = routes.flatMap(({ name }) => [`${url}${name}`, `${url}${name}-dead-letters`]);
    expect(urls).toEqual(wanted.sort());
  });

  it('asks the logs of the functions behind queues, and of no other function', async () => {
    await awsLogReader(context(), environment).lines({ about: [{ hub: 'h' }], since: 0, limit: 5 });
    const groups = calls.find(({ operation }) => operation === 'StartQuery')?.input.logGroupNames as string[];
    expect(groups).toContain('/evenkeel/staging/plan-rebalance');
    expect(groups).not.toContain('/evenkeel/staging/admit-change');
    expect(groups.length).toBeLessThan(functionNames.length);
  });

  it('asks the logs of the receivers of events for the last events of hubs', async () => {
    await awsLogReader(context(), environment).lastLines({ code: 'EK100', by: 'hub', since: 0 });
    const groups = calls.find(({ operation }) => operation === 'StartQuery')?.input.logGroupNames as string[];
    expect(groups).toEqual(['/evenkeel/staging/admit-change', '/evenkeel/staging/read-audit-log']);
  });

  it('finds the hub of a log group in the registry', async () => {
    const logs = awsAuditLogs(context(), environment);
    expect(await logs.hubOf('/aws/eks/karmada/cluster')).toBe('karmada');
    expect(await logs.hubOf('/aws/eks/edge/cluster')).toBe(undefined);
  });

  const called = (operation: string) => calls.filter((call) => call.operation === operation).length;

  it('reads the secret of a hub once for its API and its estimators, and again after the configured time', async () => {
    const shared = context();
    await awsHubs(shared, environment).open('karmada');
    expect(await awsEstimators(shared, environment).of('karmada')).not.toBe(undefined);
    expect([called('GetItem'), called('GetSecretValue')]).toEqual([1, 1]);
    now += 59_999;
    await awsHubs(shared, environment).open('karmada');
    expect([called('GetItem'), called('GetSecretValue')]).toEqual([2, 1]);
    now += 1;
    await awsHubs(shared, environment).open('karmada');
    expect([called('GetItem'), called('GetSecretValue')]).toEqual([2, 2]);
    await awsHubs(context(), environment).open('karmada');
    expect([called('GetItem'), called('GetSecretValue')]).toEqual([3, 3]);
  });

  it('reads the record of a hub for the hook once in five seconds, and no secret', async () => {
    const shared = context();
    const mayRaise = () => awsHookAccess(shared, environment).mayRaiseEvents('karmada', { bearer: token, subject: '' });
    expect([await mayRaise(), await mayRaise()]).toEqual([true, true]);
    now += 4999;
    await mayRaise();
    expect(calls.map(({ operation }) => operation)).toEqual(['GetItem']);
    now += 1;
    await mayRaise();
    expect(calls.map(({ operation }) => operation)).toEqual(['GetItem', 'GetItem']);
  });

  it('logs a record that cannot be used, and lists the other hubs', async () => {
    const lines: Line[] = [];
    const given = { ...context(), telemetry: recording(lines) };
    hubRows = [{ pk: { S: 'HUBS' }, sk: { S: 'edge' }, state: { S: 'Active' } }, hubRow];
    expect(await awsHubs(given, environment).names()).toEqual(['karmada']);
    hubRows = [hubRow];
    expect(lines).toMatchObject([{ code: 'EK202', fields: { hub: 'edge', reason: 'InvalidHubRecord' } }]);
  });

  it('logs that it uses the last record while the registry cannot be read', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const lines: Line[] = [];
    const access = awsHookAccess({ ...context(), telemetry: recording(lines) }, environment);
    expect(await access.accountOf('karmada')).toBe('us');
    now += 5000;
    failures = Array.from({ length: 20 }, () => 'InternalServerError');
    first = endpoint.calls.length;
    expect(await access.accountOf('karmada')).toBe('us');
    expect(lines).toMatchObject([{ code: 'EK203', fields: { reason: 'InternalServerError' } }]);
    vi.restoreAllMocks();
  });

  const bindings = (hub: Hub, count: number) =>
    Promise.allSettled(
      Array.from({ length: count }, (_, i) => hub.get(resourceBindings, { namespace: 'shop', name: `web-${i}` })),
    );

  it('opens the circuit of a hub in the table after five failed requests, and sends no more', async () => {
    const hub = await awsHubs(context(), environment).open('karmada');
    for (let i = 0; i < 5; i++) await bindings(hub, 1);
    const row = { pk: { S: 'CIRCUIT#karmada' }, state: { S: 'Open' }, openUntil: { N: String(at(2)) } };
    const writes = calls.filter(({ operation }) => operation === 'PutItem').map(({ input }) => input);
    expect(writes).toMatchObject([{ TableName: 'table', Item: row }]);
    expect(await bindings(hub, 1)).toMatchObject([{ reason: { reason: 'CircuitOpen' } }]);
  });

  it('takes a share of the budget of a hub from the table when many requests to it wait', async () => {
    const { hubInFlight } = context().settings;
    await bindings(await awsHubs(context(), environment).open('karmada'), 20);
    const taken = calls.filter(({ operation }) => operation === 'UpdateItem').map(({ input }) => input);
    expect(taken).toMatchObject([
      {
        TableName: 'table',
        Key: { pk: { S: 'BUDGET#karmada' } },
        ExpressionAttributeValues: { ':requests': { N: String(hubInFlight) } },
      },
    ]);
  });

  it('waits for the response of a hub to a request for a token as long as the settings allow', async () => {
    const hub = await startTokenHub(accountToken());
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const connection = secrets[SECRET] ?? '';
    secrets[SECRET] = JSON.stringify({ server: hub.url, token: accountToken() });
    const token = await awsConnections(context(), environment)
      .requestToken('karmada', 3600)
      .finally(() => {
        secrets[SECRET] = connection;
      });
    await hub.close();
    expect(hub.valid.has(token)).toBe(true);
    expect(timeout.mock.calls).toContainEqual([context().settings.hubTimeoutSeconds * 1000]);
    vi.restoreAllMocks();
  });
});
