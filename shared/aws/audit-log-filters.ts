/** Subscriptions of cluster-hook/read-audit-log to log groups of control planes; one per hub, made by the command line. */
import {
  CloudWatchLogsClient,
  DeleteSubscriptionFilterCommand,
  PutSubscriptionFilterCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-cloudwatch-logs';
import { auditLogPattern } from '../bus/audit-log-pattern.ts';
import { awsFault } from './aws-fault.ts';

export interface AuditLogFilter {
  readonly deployment: string;
  readonly hub: string;
  readonly logGroup: string;
}

/** In the account and region of the environment. */
export function auditLogFilters(): AuditLogFilters {
  return new AuditLogFilters(new CloudWatchLogsClient({}));
}

export class AuditLogFilters {
  readonly #client: CloudWatchLogsClient;

  constructor(client: CloudWatchLogsClient) {
    this.#client = client;
  }

  /** Creates or replaces it. `arnInAccount`: any ARN of the deployment's account and region. */
  async put(filter: AuditLogFilter, arnInAccount: string): Promise<void> {
    const command = new PutSubscriptionFilterCommand({
      ...keyOf(filter),
      filterPattern: auditLogPattern(),
      destinationArn: functionArn(filter, arnInAccount),
    });
    await this.#client.send(command).catch(raise);
  }

  /** A missing filter or log group is no error. */
  async delete(filter: AuditLogFilter): Promise<void> {
    await this.#client.send(new DeleteSubscriptionFilterCommand(keyOf(filter))).catch((thrown: unknown) => {
      if (!(thrown instanceof ResourceNotFoundException)) raise(thrown);
    });
  }
}

function keyOf({ deployment, hub, logGroup }: AuditLogFilter) {
  return { logGroupName: logGroup, filterName: `${deployment}-${hub}` };
}

function functionArn({ deployment }: AuditLogFilter, arnInAccount: string): string {
  const [, partition, , region, account] = arnInAccount.split(':');
  return `arn:${partition}:lambda:${region}:${account}:function:${deployment}-read-audit-log`;
}

function raise(thrown: unknown): never {
  throw awsFault('CloudWatch Logs', thrown);
}
