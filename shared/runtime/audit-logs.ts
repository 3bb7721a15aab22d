/** The log groups that hold the audit logs of hubs. */
import { type Environment, jsonEnvironment } from '../aws/client-config.ts';

/** Log group → hub. */
export function awsAuditLogs(environment: Environment): Readonly<Record<string, string>> {
  const groups = jsonEnvironment<string>(environment, 'auditLogs');
  return Object.fromEntries(Object.entries(groups).map(([hub, group]) => [group, hub]));
}
