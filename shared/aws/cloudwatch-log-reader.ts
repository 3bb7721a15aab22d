/** The functions' logs on CloudWatch, read by Logs Insights: all groups in one query. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  type GetQueryResultsCommandOutput,
  type ResultField,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { functionNames, functions } from '../bus/functions.ts';
import { readEnvironment } from '../core/environment.ts';
import { Fault } from '../core/fault.ts';
import type { InvocationContext } from '../core/invocation.ts';
import { type LogCode, logCodes } from '../core/log-codes.ts';
import type { LogEntry, LogQuery, LogReader } from '../core/log-reader.ts';
import type { LogFields } from '../core/telemetry.ts';
import { type Instant, SECOND } from '../core/time.ts';
import { awsFault } from './aws-fault.ts';
import { clientConfig, type Environment } from './client-config.ts';

export interface LogReaderOptions {
  /** Names of log groups, 50 at most. */
  readonly groups: readonly string[];
  readonly now: () => Instant;
  /** Timeout of a query. */
  readonly timeoutMs?: number;
}

const LOOK_MS = 300;
const TIMEOUT_MS = 20_000;

export class CloudWatchLogReader implements LogReader {
  readonly #client: CloudWatchLogsClient;
  readonly #options: LogReaderOptions;

  constructor(client: CloudWatchLogsClient, options: LogReaderOptions) {
    this.#client = client;
    this.#options = options;
  }

  async lines({ about, since, limit }: LogQuery): Promise<readonly LogEntry[]> {
    const { groups, now, timeoutMs = TIMEOUT_MS } = this.#options;
    const began = now();
    const { queryId } = await this.#send(
      this.#client.send(
        new StartQueryCommand({
          logGroupNames: [...groups],
          startTime: Math.floor(since / SECOND),
          endTime: Math.ceil(began / SECOND),
          queryString: queryOf(about),
          limit,
        }),
      ),
    );
    for (;;) {
      const answer = await this.#send(this.#client.send(new GetQueryResultsCommand({ queryId })));
      if (answer.status === 'Complete') return (answer.results ?? []).flatMap(lineOf);
      if (!isRunning(answer) || now() - began > timeoutMs)
        throw new Fault('retryable', `the query of the logs did not complete (${answer.status}); try again`, {
          reason: 'QueryUnfinished',
        });
      await wait(LOOK_MS);
    }
  }

  async #send<T>(sent: Promise<T>): Promise<T> {
    return sent.catch((thrown: unknown) => {
      throw awsFault('CloudWatchLogs', thrown);
    });
  }
}

function isRunning({ status }: GetQueryResultsCommandOutput): boolean {
  return status === 'Running' || status === 'Scheduled';
}

/** Values are JSON strings, so that quotes in them are escaped. */
export function queryOf(about: LogQuery['about']): string {
  const each = about.map((fields) => {
    const equal = Object.entries(fields).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    return `(${equal.join(' and ')})`;
  });
  return `fields @timestamp, @message | filter ispresent(code) and (${each.join(' or ')}) | sort @timestamp desc`;
}

/** Log lines that are not ours (Lambda's own, a stack trace) are skipped. */
function lineOf(row: readonly ResultField[]): readonly LogEntry[] {
  const { '@timestamp': at = '', '@message': message = '' } = Object.fromEntries(
    row.map(({ field = '', value = '' }) => [field, value]),
  ) as Readonly<Record<string, string>>;
  try {
    const { code, ...fields } = JSON.parse(message) as { readonly code?: string } & LogFields;
    if (code === undefined || !Object.hasOwn(logCodes, code)) return [];
    // "2026-11-22 08:00:00.123", in UTC.
    return [{ at: Date.parse(`${at.replace(' ', 'T')}Z`), code: code as LogCode, fields }];
  } catch {
    return [];
  }
}

export function awsLogReader({ now }: InvocationContext, environment: Environment): LogReader {
  const prefix = readEnvironment(environment, 'logsPrefix');
  const groups = functionNames
    .filter((name) => functions[name].invokedBy === 'queue')
    .map((name) => `${prefix}${name.slice(name.indexOf('/') + 1)}`);
  return new CloudWatchLogReader(new CloudWatchLogsClient(clientConfig), { groups, now });
}
