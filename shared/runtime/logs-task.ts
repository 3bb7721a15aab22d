/** Runs a task on the records of a CloudWatch Logs subscription: decompresses them, resolves the hub, and passes on the lines. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import middy from '@middy/core';
import type { CloudWatchLogsEvent, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Environment } from '../aws/client-config.ts';
import { asFault, Fault } from '../core/fault.ts';
import type { InvocationContext } from '../core/invocation.ts';
import { type AuditLogs, awsAuditLogs } from './audit-logs.ts';
import { awsContext } from './aws-context.ts';
import { inRequest, invocationOf, makePorts, type PortFactories, untimed } from './moment.ts';

export interface LogLines {
  /** The hub of the log, from the registry, never from a line. */
  readonly hub: string;
  readonly lines: readonly string[];
}

export interface LogsTask<P extends object, M = undefined> {
  /** As in HttpTask. */
  readonly remember?: () => M;
  readonly run: (given: LogLines, ports: P & InvocationContext, memory: M) => Promise<void>;
}

export function logsTask<P extends object, M = undefined>(task: LogsTask<P, M>): LogsTask<P, M> {
  return task;
}

/** Platform dependencies of a handler: Lambda's by default. */
export interface LogsPlatform {
  readonly context: (environment: Environment) => InvocationContext;
  readonly auditLogs: (context: InvocationContext, environment: Environment) => AuditLogs;
}

const lambda: LogsPlatform = { context: awsContext, auditLogs: awsAuditLogs };

export type LogsHandler = (event: CloudWatchLogsEvent, context: Context) => Promise<void>;

export function onLogs<P extends object, M = undefined>(
  task: LogsTask<P, M>,
  factories: PortFactories<P>,
  platform: LogsPlatform = lambda,
): LogsHandler {
  let instance: LogsInstance<P> | undefined;
  const made = () => (instance ??= instanceOf(factories, platform));
  const memory = task.remember?.() as M;
  const handle = async ({ awslogs }: CloudWatchLogsEvent): Promise<void> => {
    const { ports, auditLogs } = made();
    try {
      const given = await read(awslogs.data, auditLogs);
      if (given !== undefined) await task.run(given, ports, memory);
    } catch (thrown) {
      giveUp(asFault(thrown), ports);
    }
  };
  return middy<CloudWatchLogsEvent, void>(untimed)
    .before(({ context }) => made().ports.telemetry.begin(invocationOf(context)))
    .handler((event, context) => inRequest(context, made().ports.exportSpans, () => handle(event)));
}

interface LogsInstance<P extends object> {
  readonly ports: P & InvocationContext;
  readonly auditLogs: AuditLogs;
}

/** From one context, so that the ports and the lookup of log groups share cached records. */
function instanceOf<P extends object>(factories: PortFactories<P>, platform: LogsPlatform): LogsInstance<P> {
  const context = platform.context(process.env);
  return {
    ports: makePorts(factories, context, process.env),
    auditLogs: platform.auditLogs(context, process.env),
  };
}

/** Unreadable data is counted, because a retry cannot help. Other errors are thrown, so that Lambda retries; after that resync covers the loss. */
function giveUp(fault: Fault, { telemetry }: InvocationContext): void {
  const { retryClass, reason, message } = fault;
  telemetry.outcome('EK103', { retryClass, reason, error: message });
  if (retryClass !== 'terminal') throw fault;
  telemetry.count('AuditLogsUnreadable', 1);
}

const unpack = promisify(gunzip);
/** A subscription sends at most 1 MB, compressed; its lines are text, which compresses to a tenth. */
const MOST_BYTES = 64 * 1024 * 1024;

const payload = z.object({
  messageType: z.string(),
  logGroup: z.string(),
  logEvents: z.array(z.object({ message: z.string() })),
});

/** Undefined for a control message, which only tests the subscription. */
async function read(data: string, auditLogs: AuditLogs): Promise<LogLines | undefined> {
  const parsed = z.safeParse(payload, await unpacked(data));
  if (!parsed.success) throw unreadable('it has no messageType, logGroup and logEvents');
  const { messageType, logGroup, logEvents } = parsed.data;
  if (messageType !== 'DATA_MESSAGE') return undefined;
  const hub = await auditLogs.hubOf(logGroup);
  if (hub === undefined) {
    throw new Fault('terminal', `${JSON.stringify(logGroup.slice(0, 100))} is no hub's auditLogGroup`, {
      reason: 'UnknownLogGroup',
    });
  }
  return { hub, lines: logEvents.map(({ message }) => message) };
}

async function unpacked(data: string): Promise<unknown> {
  try {
    return JSON.parse((await unpack(Buffer.from(data, 'base64'), { maxOutputLength: MOST_BYTES })).toString('utf8'));
  } catch {
    throw unreadable('it is not JSON under gzip and base64');
  }
}

function unreadable(what: string): Fault {
  return new Fault('terminal', `a subscription sent unreadable data: ${what}`, { reason: 'UnreadableLog' });
}
