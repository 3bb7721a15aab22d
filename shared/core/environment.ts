/** Environment variables that infra sets on functions: names, never secrets. Both sides read the same table. */
import { Fault } from './fault.ts';

export const environmentNames = {
  /** The deployment's name. */
  deployment: 'EVENKEEL_DEPLOYMENT',
  tableName: 'EVENKEEL_TABLE_NAME',
  busName: 'EVENKEEL_BUS_NAME',
  busArn: 'EVENKEEL_BUS_ARN',
  /** The table with the registry of hubs. */
  hubsTableName: 'EVENKEEL_HUBS_TABLE_NAME',
  scheduleGroup: 'EVENKEEL_SCHEDULE_GROUP',
  scheduleRoleArn: 'EVENKEEL_SCHEDULE_ROLE_ARN',
  scheduleDeadLetterArn: 'EVENKEEL_SCHEDULE_DEAD_LETTER_ARN',
  /** JSON object: ARN of a source queue → { url, deadLetterUrl }. */
  queues: 'EVENKEEL_QUEUES',
  /** The common prefix of all routes' queue URLs: https://sqs.REGION.amazonaws.com/ACCOUNT/evenkeel- */
  queuesUrl: 'EVENKEEL_QUEUES_URL',
  /** The common prefix of all functions' log groups: /evenkeel/NAME/ */
  logsPrefix: 'EVENKEEL_LOGS_PREFIX',
  /** Where traces are exported to: `xray`, or the URL of a collector. Not set: nowhere. */
  tracesTo: 'EVENKEEL_TRACES_TO',
  /** JSON object: the page's identity provider, and the groups with write access (ConsoleEnvironment). */
  console: 'EVENKEEL_CONSOLE',
} as const;

/** `tracesTo` for the endpoint of X-Ray in the function's region. */
export const XRAY = 'xray';

/** The base URL of an OTLP/HTTP collector, without credentials and query: it is in the functions' environment. */
export const collectorUrl = /^https?:\/\/[^\s/@?#]+(\/[^\s@?#]*)?$/;

/** Configuration of the page's server. */
export interface ConsoleEnvironment {
  /** Prefix of the operator functions' names. */
  readonly deployment: string;
  readonly issuer: string;
  readonly clientId: string;
  /** ARN of the secret that holds the client's secret. */
  readonly clientSecret: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  readonly commandGroups: readonly string[];
}

/** The index of tasks by hub, sorted by their last change: its keys, and its projected attributes. */
export const tasksByHub = {
  name: 'tasksByHub',
  key: 'hub',
  sort: 'updatedAt',
  holds: ['uid', 'name', 'state', 'generation', 'workloads', 'successful', 'failed', 'finishTime'],
} as const;

/** Tags of a hub's secret: IAM limits the functions to secrets of their deployment by the first, and the command line finds secrets by both. */
export const hubTag = {
  deployment: 'evenkeel:deployment',
  hub: 'evenkeel:hub',
} as const;

/** The alias of the deployment's KMS key, with which its tables and the secrets of its hubs are encrypted. */
export function keyAlias(deployment: string): string {
  return `alias/${deployment}-evenkeel`;
}

/** The name of the secret with a hub's connection. */
export function connectionSecretName(deployment: string, hub: string): string {
  return `evenkeel/${deployment}/hubs/${hub}`;
}

export type EnvironmentName = keyof typeof environmentNames;

/** Suffix of a queue's name for its dead-letter queue. */
export const DEAD_LETTERS = '-dead-letters';

/** The value of one variable; throws a terminal Fault that names the variable if it is missing. */
export function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  name: EnvironmentName,
): string {
  const value = environment[environmentNames[name]];
  if (!value) {
    throw new Fault(
      'terminal',
      `${environmentNames[name]} is not set; the stack sets it for the functions that need it`,
      {
        reason: 'InvalidEnvironment',
      },
    );
  }
  return value;
}
