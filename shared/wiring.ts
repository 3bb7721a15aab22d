/** What infra tells a function about the stack it stands in: names, never secrets. The same table is read on both sides. */
import { Fault } from './model/fault.ts';

export const wiringNames = {
  tableName: 'EVENKEEL_TABLE_NAME',
  busName: 'EVENKEEL_BUS_NAME',
  busArn: 'EVENKEEL_BUS_ARN',
  /** JSON object: hub name → ARN of its secret. */
  hubSecrets: 'EVENKEEL_HUB_SECRETS',
  /** JSON object: log group → the hub whose audit log it is. */
  auditLogs: 'EVENKEEL_AUDIT_LOGS',
  scheduleGroup: 'EVENKEEL_SCHEDULE_GROUP',
  scheduleRoleArn: 'EVENKEEL_SCHEDULE_ROLE_ARN',
  scheduleDeadLetterArn: 'EVENKEEL_SCHEDULE_DEAD_LETTER_ARN',
  /** JSON object: ARN of a source queue → { url, deadLetterUrl }. */
  queues: 'EVENKEEL_QUEUES',
  /** What every route's queue has as its URL, without the name of the route: https://sqs.REGION.amazonaws.com/ACCOUNT/evenkeel- */
  queuesUrl: 'EVENKEEL_QUEUES_URL',
  /** What the log group of every function has as its name, without the name of the function: /evenkeel/NAME/ */
  logsPrefix: 'EVENKEEL_LOGS_PREFIX',
  /** JSON object: whose login opens the page, and who may order (ConsoleWiring). */
  console: 'EVENKEEL_CONSOLE',
} as const;

/** What the server of the page is told. */
export interface ConsoleWiring {
  /** By which the functions that answer are called. */
  readonly deployment: string;
  readonly issuer: string;
  readonly clientId: string;
  /** ARN of the secret that holds the client's secret. */
  readonly clientSecret: string;
  readonly scopes: string;
  readonly groupsClaim: string;
  readonly orderGroups: readonly string[];
}

/** The index of tasks by their hub, in the order in which they changed: its keys, and what it holds of a task besides. */
export const tasksByHub = {
  name: 'tasksByHub',
  key: 'hub',
  sort: 'updatedAt',
  holds: ['uid', 'name', 'state', 'generation', 'workloads', 'successful', 'failed', 'finishTime'],
} as const;

/** Tags of a hub's secret, by which the command line finds it. */
export const hubTag = { deployment: 'evenkeel:deployment', hub: 'evenkeel:hub' } as const;

export type WiringName = keyof typeof wiringNames;

/** Added to the name of a queue, it names the queue of its dead letters. */
export const DEAD_LETTERS = '-dead-letters';

/** The value of one wire; a terminal Fault that names the variable where it is missing. */
export function wire(environment: Readonly<Record<string, string | undefined>>, name: WiringName): string {
  const value = environment[wiringNames[name]];
  if (!value) {
    throw new Fault('terminal', `${wiringNames[name]} is not set; the stack sets it for the functions that need it`, {
      reason: 'InvalidWiring',
    });
  }
  return value;
}
