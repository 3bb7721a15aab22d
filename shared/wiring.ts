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
} as const;

/** Tags of a hub's secret, by which the command line finds it. */
export const hubTag = { deployment: 'evenkeel:deployment', hub: 'evenkeel:hub' } as const;

export type WiringName = keyof typeof wiringNames;

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
