import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { afterEach, describe, expect, it } from 'vitest';
import { CloudWatchLogReader, queryOf } from '../../../shared/aws/cloudwatch-log-reader.ts';
import { type AwsAnswer, type AwsEndpoint, startAwsEndpoint } from '../../fakes/aws-endpoint.ts';

let endpoint: AwsEndpoint;
afterEach(() => endpoint.close());

const groups = ['/evenkeel/plan-rebalance', '/evenkeel/resync'];
const receiverGroups = ['/evenkeel/admit-change'];
const about = [{ hub: 'karmada', name: 'web' }];

async function logs(results: (poll: number) => AwsAnswer): Promise<CloudWatchLogReader> {
  let polls = 0;
  endpoint = await startAwsEndpoint(({ operation }) =>
    operation === 'StartQuery' ? { body: { queryId: 'q' } } : results(polls++),
  );
  let now = 1_000_000_500;
  const client = new CloudWatchLogsClient({ ...endpoint.config, maxAttempts: 1 });
  return new CloudWatchLogReader(client, { groups, receiverGroups, now: () => (now += 4000), timeoutMs: 5000 });
}

function row(timestamp: string, message: string): object[] {
  return [
    { field: '@timestamp', value: timestamp },
    { field: '@message', value: message },
    { field: '@ptr', value: 'x' },
  ];
}

describe('the log query on CloudWatch', () => {
  it('queries all groups at once, waits for the end of the query, and reads the lines', async () => {
    const line = {
      level: 'INFO',
      message: 'handled an event',
      code: 'EK000',
      event: 'ResyncDue',
      hub: 'karmada',
      reason: 'fine',
    };
    const done = { status: 'Complete', results: [row('2026-11-22 08:00:00.123', JSON.stringify(line))] };
    const found = await logs((poll) => ({ body: poll === 0 ? { status: 'Running' } : done }));
    const lines = await found.lines({ about, since: 5_000, limit: 20 });
    expect(lines).toMatchObject([
      { at: Date.parse('2026-11-22T08:00:00.123Z'), code: 'EK000', fields: { event: 'ResyncDue', reason: 'fine' } },
    ]);
    expect(endpoint.calls[0]?.input).toMatchObject({
      logGroupNames: groups,
      startTime: 5,
      limit: 20,
      queryString:
        'fields @timestamp, @message | filter ispresent(code) and ((hub = "karmada" and name = "web")) | sort @timestamp desc',
    });
    expect(endpoint.calls.map(({ operation }) => operation)).toEqual([
      'StartQuery',
      'GetQueryResults',
      'GetQueryResults',
    ]);
  });

  it('asks the groups of the receivers of events for the last line of each hub', async () => {
    const fields = (hub: string, at: string) => [
      { field: 'hub', value: hub },
      { field: 'at', value: at },
    ];
    const results = [fields('eu', '1795255200123'), fields('us', '2026-11-22 08:00:00.123'), fields('x', 'never')];
    const found = await logs(() => ({ body: { status: 'Complete', results } }));
    expect(await found.lastLines({ code: 'EK100', by: 'hub', since: 5000 })).toEqual(
      new Map([
        ['eu', 1795255200123],
        ['us', Date.parse('2026-11-22T08:00:00.123Z')],
      ]),
    );
    expect(endpoint.calls[0]?.input).toMatchObject({
      logGroupNames: receiverGroups,
      startTime: 5,
      queryString: 'filter code = "EK100" and ispresent(hub) | stats max(@timestamp) as at by hub',
    });
  });

  it('skips lines of other programs', async () => {
    const messages = ['START RequestId: 1', '{"code":"other"}', '{"code":"toString"}', '{}', '[1]', 'null'];
    const results = messages.map((message) => row('2026-11-22 08:00:00.000', message));
    const found = await logs(() => ({ body: { status: 'Complete', results } }));
    expect(await found.lines({ about, since: 0, limit: 20 })).toEqual([]);
  });

  it.each(['Failed', 'Cancelled', 'Timeout', 'Running'])(
    'reports for a query with status %s that the caller must retry',
    async (status) => {
      const found = await logs(() => ({ body: { status } }));
      await expect(found.lines({ about, since: 0, limit: 20 })).rejects.toMatchObject({
        retryClass: 'retryable',
        reason: 'QueryUnfinished',
        message: `the query of the logs did not complete (${status}); try again`,
      });
    },
  );

  it('names the service in the error when the service rejects the query', async () => {
    const found = await logs(() => ({ error: 'AccessDeniedException' }));
    await expect(found.lines({ about, since: 0, limit: 20 })).rejects.toThrow('CloudWatchLogs');
  });

  it('lets no value end its text early', () => {
    endpoint = { close: async () => undefined } as AwsEndpoint;
    expect(queryOf([{ name: 'a" or 1 = 1' }])).toContain(String.raw`(name = "a\" or 1 = 1")`);
  });
});
