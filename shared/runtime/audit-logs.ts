/** The hubs of log groups that hold audit logs, by the registry. */
import type { Environment } from '../aws/client-config.ts';
import { type HubRecords, hubRecords } from '../aws/hub-records.ts';
import type { InvocationContext } from '../core/invocation.ts';

export interface AuditLogs {
  /** Undefined for a group that no active hub names. */
  hubOf(logGroup: string): Promise<string | undefined>;
}

/** A group is sought again after this: its hub may have been registered since the list was read. */
const MISSED_MS = 1000;

export function registryAuditLogs(records: Pick<HubRecords, 'active'>): AuditLogs {
  const find = async (logGroup: string, ms?: number) =>
    (await records.active(ms)).find(({ auditLogGroup }) => auditLogGroup === logGroup)?.name;
  return { hubOf: async (logGroup) => (await find(logGroup)) ?? find(logGroup, MISSED_MS) };
}

export function awsAuditLogs(context: InvocationContext, environment: Environment): AuditLogs {
  return registryAuditLogs(hubRecords(context, environment));
}
