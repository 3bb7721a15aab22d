import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { afterEach, describe, expect, it } from 'vitest';
import { CloudWatchJournal, queryOf } from '../../../shared/adapters/cloudwatch/cloudwatch-journal.ts';
import { type AwsAnswer, type AwsEndpoint, startAwsEndpoint } from '../../fakes/aws-endpoint.ts';

let endpoint: AwsEndpoint;
afterEach(() => endpoint.close());

const groups = ['/evenkeel/plan-rebalance', '/evenkeel/resync'];
const about = [{ hub: 'karmada', name: 'web' }];

async function journal(results: (look: number) => AwsAnswer): Promise<CloudWatchJournal> {
  let looks = 0;
  endpoint = await startAwsEndpoint(({ operation }) =>
    operation === 'StartQuery' ? { body: { queryId: 'q' } } : results(looks++),
  );
  let now = 1_000_000_500;
  const client = new CloudWatchLogsClient({ ...endpoint.config, maxAttempts: 1 });
  return new CloudWatchJournal(client, { groups, now: () => (now += 1000), patienceMs: 5000 });
}

function row(timestamp: string, message: string): object[] {
  return [
    { field: '@timestamp', value: timestamp },
    { field: '@message', value: message },
    { field: '@ptr', value: 'x' },
  ];
}

describe('the journal on CloudWatch', () => {
  it('asks all groups in one query, waits for its end, and reads the lines', async () => {
    const line = {
      level: 'INFO',
      message: 'handled an event',
      code: 'EK000',
      event: 'ResyncDue',
      hub: 'karmada',
      reason: 'fine',
    };
    const done = { status: 'Complete', results: [row('2026-11-22 08:00:00.123', JSON.stringify(line))] };
    const found = await journal((look) => ({ body: look === 0 ? { status: 'Running' } : done }));
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

  it('passes over what is no line of ours', async () => {
    const messages = ['START RequestId: 1', '{"code":"other"}', '{"code":"toString"}', '{}', '[1]', 'null'];
    const results = messages.map((message) => row('2026-11-22 08:00:00.000', message));
    const found = await journal(() => ({ body: { status: 'Complete', results } }));
    expect(await found.lines({ about, since: 0, limit: 20 })).toEqual([]);
  });

  it.each(['Failed', 'Cancelled', 'Timeout', 'Running'])(
    'says of a query that ended as %s to ask again',
    async (status) => {
      const found = await journal(() => ({ body: { status } }));
      await expect(found.lines({ about, since: 0, limit: 20 })).rejects.toMatchObject({
        verdict: 'retryable',
        reason: 'QueryUnfinished',
        message: `the query of the logs came to no end (${status}); ask again`,
      });
    },
  );

  it('names the service where it refuses', async () => {
    const found = await journal(() => ({ error: 'AccessDeniedException' }));
    await expect(found.lines({ about, since: 0, limit: 20 })).rejects.toThrow('CloudWatchLogs');
  });

  it('lets no value end its text early', () => {
    endpoint = { close: async () => undefined } as AwsEndpoint;
    expect(queryOf([{ name: 'a" or 1 = 1' }])).toContain(String.raw`(name = "a\" or 1 = 1")`);
  });
});
