/** The functions' logs on CloudWatch, read by Logs Insights: all groups in one query. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  type GetQueryResultsCommandOutput,
  type ResultField,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { eventReceivers, functionNames, functions } from '../bus/functions.ts';
import { readEnvironment } from '../core/environment.ts';
import { Fault } from '../core/fault.ts';
import type { InvocationContext } from '../core/invocation.ts';
import { type LogCode, logCodes } from '../core/log-codes.ts';
import type { LastLineQuery, LogEntry, LogQuery, LogReader } from '../core/log-reader.ts';
import type { LogFields } from '../core/telemetry.ts';
import { type Instant, SECOND } from '../core/time.ts';
import { awsFault } from './aws-fault.ts';
import { clientConfig, type Environment } from './client-config.ts';

export interface LogReaderOptions {
  /** Names of log groups, 50 at most. */
  readonly groups: readonly string[];
  /** Those of the functions that receive events. */
  readonly receiverGroups: readonly string[];
  readonly now: () => Instant;
  /** Timeout of a query. */
  readonly timeoutMs?: number;
}

interface GroupsQuery extends Pick<LogQuery, 'since' | 'limit'> {
  readonly groups: readonly string[];
  readonly query: string;
}

/** Of Logs Insights. */
const MOST_GROUPS = 10_000;
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
    const { groups } = this.#options;
    return (await this.#results({ groups, query: queryOf(about), since, limit })).flatMap(lineOf);
  }

  async lastLines({ code, by, since }: LastLineQuery): Promise<ReadonlyMap<string, Instant>> {
    const { receiverGroups: groups } = this.#options;
    const query = lastQueryOf({ code, by });
    return new Map(
      (await this.#results({ groups, query, since, limit: MOST_GROUPS })).flatMap((row) => lastOf(row, by)),
    );
  }

  async #results({ groups, query, since, limit }: GroupsQuery): Promise<readonly ResultField[][]> {
    const { now, timeoutMs = TIMEOUT_MS } = this.#options;
    const began = now();
    const { queryId } = await this.#send(
      this.#client.send(
        new StartQueryCommand({
          logGroupNames: [...groups],
          startTime: Math.floor(since / SECOND),
          endTime: Math.ceil(began / SECOND),
          queryString: query,
          limit,
        }),
      ),
    );
    for (;;) {
      const answer = await this.#send(this.#client.send(new GetQueryResultsCommand({ queryId })));
      if (answer.status === 'Complete') return answer.results ?? [];
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

/** Field names are ours, and the code is one of the table. */
function lastQueryOf({ code, by }: Pick<LastLineQuery, 'code' | 'by'>): string {
  return `filter code = ${JSON.stringify(code)} and ispresent(${by}) | stats max(@timestamp) as at by ${by}`;
}

function lastOf(row: readonly ResultField[], by: string): readonly (readonly [string, Instant])[] {
  const fields = new Map(row.map(({ field, value }) => [field, value]));
  const value = fields.get(by);
  const instant = instantOf(fields.get('at') ?? '');
  return value === undefined || Number.isNaN(instant) ? [] : [[value, instant]];
}

/** "2026-11-22 08:00:00.123" in UTC; an aggregate of times may be in milliseconds. */
function instantOf(text: string): Instant {
  return /^\d+$/.test(text) ? Number(text) : Date.parse(`${text.replace(' ', 'T')}Z`);
}

/** Log lines that are not ours (Lambda's own, a stack trace) are skipped. */
function lineOf(row: readonly ResultField[]): readonly LogEntry[] {
  const { '@timestamp': at = '', '@message': message = '' } = Object.fromEntries(
    row.map(({ field = '', value = '' }) => [field, value]),
  ) as Readonly<Record<string, string>>;
  try {
    const { code, ...fields } = JSON.parse(message) as { readonly code?: string } & LogFields;
    if (code === undefined || !Object.hasOwn(logCodes, code)) return [];
    return [{ at: instantOf(at), code: code as LogCode, fields }];
  } catch {
    return [];
  }
}

export function awsLogReader({ now }: InvocationContext, environment: Environment): LogReader {
  const prefix = readEnvironment(environment, 'logsPrefix');
  const groupOf = (name: string) => `${prefix}${name.slice(name.indexOf('/') + 1)}`;
  const groups = functionNames.filter((name) => functions[name].invokedBy === 'queue').map(groupOf);
  const receiverGroups = eventReceivers.map(groupOf);
  return new CloudWatchLogReader(new CloudWatchLogsClient(clientConfig), { groups, receiverGroups, now });
}
