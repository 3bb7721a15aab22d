/** The functions' logs on CloudWatch, asked by Logs Insights: all groups in one query, however much is in them. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  type CloudWatchLogsClient,
  GetQueryResultsCommand,
  type GetQueryResultsCommandOutput,
  type ResultField,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { Fault } from '../../model/fault.ts';
import { type LogCode, logCodes } from '../../model/log-codes.ts';
import { type Instant, SECOND } from '../../model/time.ts';
import type { Journal, JournalLine, JournalQuestion } from '../../ports/journal.ts';
import type { Fields } from '../../ports/telemetry.ts';
import { awsFault } from '../aws/aws-fault.ts';

export interface CloudWatchJournalOptions {
  /** Names of log groups, 50 at most. */
  readonly groups: readonly string[];
  readonly now: () => Instant;
  /** How long a query may take. */
  readonly patienceMs?: number;
}

const LOOK_MS = 300;
const PATIENCE_MS = 20_000;

export class CloudWatchJournal implements Journal {
  readonly #client: CloudWatchLogsClient;
  readonly #options: CloudWatchJournalOptions;

  constructor(client: CloudWatchLogsClient, options: CloudWatchJournalOptions) {
    this.#client = client;
    this.#options = options;
  }

  async lines({ about, since, limit }: JournalQuestion): Promise<readonly JournalLine[]> {
    const { groups, now, patienceMs = PATIENCE_MS } = this.#options;
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
      if (!isUnderWay(answer) || now() - began > patienceMs)
        throw new Fault('retryable', `the query of the logs came to no end (${answer.status}); ask again`, {
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

function isUnderWay({ status }: GetQueryResultsCommandOutput): boolean {
  return status === 'Running' || status === 'Scheduled';
}

/** The values go in as JSON texts: nothing in them ends the text early. */
export function queryOf(about: JournalQuestion['about']): string {
  const each = about.map((fields) => {
    const equal = Object.entries(fields).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    return `(${equal.join(' and ')})`;
  });
  return `fields @timestamp, @message | filter ispresent(code) and (${each.join(' or ')}) | sort @timestamp desc`;
}

/** What stands in the log and is no line of ours (Lambda's own, a stack trace) says nothing here. */
function lineOf(row: readonly ResultField[]): readonly JournalLine[] {
  const { '@timestamp': at = '', '@message': message = '' } = Object.fromEntries(
    row.map(({ field = '', value = '' }) => [field, value]),
  ) as Readonly<Record<string, string>>;
  try {
    const { code, ...fields } = JSON.parse(message) as { readonly code?: string } & Fields;
    if (code === undefined || !Object.hasOwn(logCodes, code)) return [];
    // "2026-11-22 08:00:00.123", in UTC.
    return [{ at: Date.parse(`${at.replace(' ', 'T')}Z`), code: code as LogCode, fields }];
  } catch {
    return [];
  }
}
