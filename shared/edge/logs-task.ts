/** Runs a task on what a CloudWatch log sends by subscription: unpacks it, finds whose log it is, and hands on its lines. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import middy from '@middy/core';
import type { CloudWatchLogsEvent, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { asFault, Fault } from '../model/fault.ts';
import type { Ports, Surroundings } from '../ports/ports.ts';
import { awsAuditLogs, awsSurroundings } from './aws-ports.ts';
import { type Environment, invocationOf, makePorts, type PortFactories } from './moment.ts';

export interface LogLines {
  /** Whose log it is: the deployment says so, never a line. */
  readonly hub: string;
  readonly lines: readonly string[];
}

export interface LogsTask<P extends keyof Ports, M = undefined> {
  /** As of a task on requests. */
  readonly remember?: () => M;
  readonly run: (given: LogLines, ports: Pick<Ports, P> & Surroundings, memory: M) => Promise<void>;
}

export function logsTask<P extends keyof Ports, M = undefined>(task: LogsTask<P, M>): LogsTask<P, M> {
  return task;
}

/** What stands around a handler: the platform's, unless another run gives its own. */
export interface LogsPlatform {
  readonly surroundings: (environment: Environment) => Surroundings;
  /** Log group → hub. */
  readonly auditLogs: (environment: Environment) => Readonly<Record<string, string>>;
}

const lambda: LogsPlatform = { surroundings: awsSurroundings, auditLogs: awsAuditLogs };

export type LogsHandler = (event: CloudWatchLogsEvent, context: Context) => Promise<void>;

export function onLogs<P extends keyof Ports, M = undefined>(
  task: LogsTask<P, M>,
  factories: PortFactories<P>,
  platform: LogsPlatform = lambda,
): LogsHandler {
  let ports: (Pick<Ports, P> & Surroundings) | undefined;
  const made = () => (ports ??= makePorts(factories, platform.surroundings(process.env), process.env));
  const memory = task.remember?.() as M;
  const handle = async ({ awslogs }: CloudWatchLogsEvent): Promise<void> => {
    const ports = made();
    try {
      const given = await read(awslogs.data, platform.auditLogs(process.env));
      if (given !== undefined) await task.run(given, ports, memory);
    } catch (thrown) {
      giveUp(asFault(thrown), ports);
    }
  };
  return middy<CloudWatchLogsEvent, void>()
    .before(({ context }) => made().telemetry.begin(invocationOf(context)))
    .handler(handle);
}

/** What can't be read now can't be read later: it is counted. The rest is thrown, and Lambda invokes again; after that resync is left. */
function giveUp(fault: Fault, { telemetry }: Surroundings): void {
  const { verdict, reason, message } = fault;
  telemetry.outcome('EK103', { verdict, reason, error: message });
  if (verdict !== 'terminal') throw fault;
  telemetry.count('AuditLogsUnreadable', 1);
}

const unpack = promisify(gunzip);
/** A subscription sends at most 1 MB, packed; its lines are text, which packs to a tenth. */
const MOST_BYTES = 64 * 1024 * 1024;

const payload = z.object({
  messageType: z.string(),
  logGroup: z.string(),
  logEvents: z.array(z.object({ message: z.string() })),
});

/** Undefined for a message that only tries the way. */
async function read(data: string, auditLogs: Readonly<Record<string, string>>): Promise<LogLines | undefined> {
  const parsed = z.safeParse(payload, await unpacked(data));
  if (!parsed.success) throw unreadable('it has no messageType, logGroup and logEvents');
  const { messageType, logGroup, logEvents } = parsed.data;
  if (messageType !== 'DATA_MESSAGE') return undefined;
  const hub = Object.hasOwn(auditLogs, logGroup) ? auditLogs[logGroup] : undefined;
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
  return new Fault('terminal', `a subscription sent what can't be read: ${what}`, { reason: 'UnreadableLog' });
}
