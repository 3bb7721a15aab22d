/** The ports on AWS, each made from the environment when its function first needs it. A bundle holds only those its function names. */
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { routes } from '../../events/routes.ts';
import { functionNames, functions } from '../../functions.ts';
import { Fault } from '../../model/fault.ts';
import type { DeschedulingStore } from '../../ports/descheduling-store.ts';
import type { ElasticStore } from '../../ports/elastic-store.ts';
import type { Estimators } from '../../ports/estimator.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import type { Hubs } from '../../ports/hub.ts';
import type { HubConnections } from '../../ports/hub-connections.ts';
import type { Journal } from '../../ports/journal.ts';
import type { OneTimeSchedule } from '../../ports/one-time-schedule.ts';
import type { PolicyStore } from '../../ports/policy-store.ts';
import type { Surroundings } from '../../ports/ports.ts';
import type { Queues } from '../../ports/queues.ts';
import type { SourceQueue } from '../../ports/source-queue.ts';
import type { TaskStore } from '../../ports/task-store.ts';
import type { Telemetry } from '../../ports/telemetry.ts';
import { DEAD_LETTERS, type WiringName, wire, wiringNames } from '../../wiring.ts';
import { CloudWatchJournal } from '../cloudwatch/cloudwatch-journal.ts';
import { DynamoDbDeschedulingStore } from '../dynamodb/dynamodb-descheduling-store.ts';
import { DynamoDbElasticStore } from '../dynamodb/dynamodb-elastic-store.ts';
import { DynamoDbPolicyStore } from '../dynamodb/dynamodb-policy-store.ts';
import { DynamoDbTaskStore } from '../dynamodb/dynamodb-task-store.ts';
import { eksTokens } from '../eks/eks-tokens.ts';
import { HubEstimators } from '../estimators/hub-estimators.ts';
import { EventBridgeBus } from '../eventbridge/eventbridge-bus.ts';
import { connectHub } from '../kubernetes/connect-hub.ts';
import { PowertoolsTelemetry } from '../powertools/powertools-telemetry.ts';
import { EventBridgeSchedule } from '../scheduler/eventbridge-schedule.ts';
import { ConnectionSecrets } from '../secrets-manager/connection-secrets.ts';
import { SecretConnections } from '../secrets-manager/secret-connections.ts';
import { SecretHubs } from '../secrets-manager/secret-hubs.ts';
import { SqsQueues } from '../sqs/sqs-queues.ts';
import { type QueueUrls, SqsSourceQueue } from '../sqs/sqs-source-queue.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Throttling and passing errors are tried again by the SDK itself before we hear of them; a call that hangs is one of them. */
const patient = { maxAttempts: 5, requestHandler: { connectionTimeout: 2000, requestTimeout: 5000 } };

export function awsTasks(_: Surroundings, environment: Environment): TaskStore {
  const client = new DynamoDBClient(patient);
  return new DynamoDbTaskStore(client, wire(environment, 'tableName'));
}

export function awsDescheduling(_: Surroundings, environment: Environment): DeschedulingStore {
  return new DynamoDbDeschedulingStore(new DynamoDBClient(patient), wire(environment, 'tableName'));
}

export function awsPolicies(_: Surroundings, environment: Environment): PolicyStore {
  return new DynamoDbPolicyStore(new DynamoDBClient(patient), wire(environment, 'tableName'));
}

export function awsElastic(_: Surroundings, environment: Environment): ElasticStore {
  return new DynamoDbElasticStore(new DynamoDBClient(patient), wire(environment, 'tableName'));
}

export function awsBus(_: Surroundings, environment: Environment): EventBus {
  return eventBridgeBus(wire(environment, 'busName'));
}

export function eventBridgeBus(name: string): EventBus {
  return new EventBridgeBus(new EventBridgeClient(patient), name);
}

export function awsSchedule({ now }: Surroundings, environment: Environment): OneTimeSchedule {
  return new EventBridgeSchedule(new SchedulerClient(patient), {
    groupName: wire(environment, 'scheduleGroup'),
    busArn: wire(environment, 'busArn'),
    roleArn: wire(environment, 'scheduleRoleArn'),
    deadLetterArn: wire(environment, 'scheduleDeadLetterArn'),
    now,
  });
}

export function awsConnections({ settings }: Surroundings, environment: Environment): HubConnections {
  return new SecretConnections({
    secrets: jsonWire<string>(environment, 'hubSecrets'),
    store: new ConnectionSecrets(new SecretsManagerClient(patient)),
    timeoutMs: settings.hubTimeoutSeconds * 1000,
  });
}

export function awsHubs(surroundings: Surroundings, environment: Environment): Hubs {
  return secretHubs(surroundings, environment);
}

export function awsEstimators(surroundings: Surroundings, environment: Environment): Estimators {
  const { settings, now } = surroundings;
  const hubs = secretHubs(surroundings, environment);
  return new HubEstimators({ hubs, timeoutMs: settings.estimatorTimeoutSeconds * 1000, now });
}

/** One for all ports of a function: a hub's secret is read once for its API and its estimators. */
const secretHubsOf = new WeakMap<Surroundings, SecretHubs>();

function secretHubs(surroundings: Surroundings, environment: Environment): SecretHubs {
  const made = secretHubsOf.get(surroundings);
  if (made !== undefined) return made;
  const { settings, now } = surroundings;
  const client = new SecretsManagerClient(patient);
  const hubs = new SecretHubs(client, {
    secrets: jsonWire<string>(environment, 'hubSecrets'),
    keepMs: settings.hubConnectionSeconds * 1000,
    now,
    open: (name, connection, reload) =>
      connectHub(name, connection, { ...surroundings, eksTokens: eksTokens(client), reload }),
  });
  secretHubsOf.set(surroundings, hubs);
  return hubs;
}

let sqs: SQSClient | undefined;

export function awsSourceQueue(arn: string, { settings }: Surroundings, environment: Environment): SourceQueue {
  const urls = jsonWire<QueueUrls>(environment, 'queues')[arn];
  if (urls === undefined) {
    throw new Fault('terminal', `${wiringNames.queues} does not know the queue ${arn}`, { reason: 'InvalidWiring' });
  }
  sqs ??= new SQSClient(patient);
  return new SqsSourceQueue(sqs, urls, settings.maxReceives);
}

export function awsQueues(_: Surroundings, environment: Environment): Queues {
  const urls = wire(environment, 'queuesUrl');
  sqs ??= new SQSClient(patient);
  const queues = routes.map(({ name, function: feeds }) => {
    const url = `${urls}${name}`;
    return { name, function: feeds, url, deadLetterUrl: `${url}${DEAD_LETTERS}` };
  });
  return new SqsQueues(sqs, queues);
}

/** The logs of all functions that decide something: those behind queues. */
export function awsJournal({ now }: Surroundings, environment: Environment): Journal {
  const prefix = wire(environment, 'logsPrefix');
  const groups = functionNames
    .filter((name) => functions[name].invokedBy === 'queue')
    .map((name) => `${prefix}${name.slice(name.indexOf('/') + 1)}`);
  return new CloudWatchJournal(new CloudWatchLogsClient(patient), { groups, now });
}

/** Log group → the hub whose audit log it is. */
export function awsAuditLogs(environment: Environment): Readonly<Record<string, string>> {
  return jsonWire<string>(environment, 'auditLogs');
}

export function awsTelemetry(): Telemetry {
  return new PowertoolsTelemetry();
}

function jsonWire<T>(environment: Environment, name: WiringName): Record<string, T> {
  try {
    return JSON.parse(wire(environment, name)) as Record<string, T>;
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw new Fault('terminal', `${wiringNames[name]} is not a JSON object; the stack sets it`, {
      reason: 'InvalidWiring',
    });
  }
}
