import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter } from '../../../../shared/kubernetes/client/concurrency-limiter.ts';
import { LimitedHubClient } from '../../../../shared/kubernetes/client/hub-client.ts';
import type { ApiRequest, ApiResponse, Transport } from '../../../../shared/kubernetes/client/transport.ts';

const request: ApiRequest = { method: 'GET', path: '/api' };

function scene(answers: readonly Partial<ApiResponse>[], renewed?: readonly Partial<ApiResponse>[]) {
  const sent: string[] = [];
  let renewals = 0;
  const transportOf = (name: string, given: readonly Partial<ApiResponse>[]): Transport => {
    const left = [...given];
    const send = async ({ path }: ApiRequest): Promise<ApiResponse> => {
      sent.push(`${name} ${path}`);
      return { status: 200, body: {}, ...left.shift() };
    };
    return { send, stream: () => Promise.reject(new Error('not of this test')), close: () => undefined };
  };
  let now = 0;
  const limiter = new ConcurrencyLimiter({
    max: 4,
    now: () => now,
    wait: async (ms) => void (now += ms),
    timeLeft: () => Number.POSITIVE_INFINITY,
    onCut: () => undefined,
  });
  const renew = async () => {
    renewals += 1;
    return transportOf('new', renewed ?? []);
  };
  const line = new LimitedHubClient({ transport: transportOf('old', answers), limiter, renew: renewed && renew });
  return { line, sent, renewals: () => renewals };
}

describe('the client of a hub', () => {
  it.each([
    ['429, twice', [{ status: 429 }, { status: 429 }], 3, 200],
    ['503, three times', [{ status: 503 }, { status: 503 }, { status: 503 }], 3, 503],
    ['429 with a pause that may be waited for', [{ status: 429, retryAfterMs: 5000 }], 2, 200],
    ['429 with a longer pause', [{ status: 429, retryAfterMs: 5001 }], 1, 429],
    ['500', [{ status: 500 }], 1, 500],
  ])('sends a request again that is answered with %s', async (_, answers, times, status) => {
    const { line, sent } = scene(answers);
    expect((await line.send(request)).status).toBe(status);
    expect(sent).toHaveLength(times);
  });

  it('sends a request to a member once: an unreachable member is no reason for a retry', async () => {
    const { line, sent } = scene([{ status: 503 }, { status: 429 }]);
    const member = line.behind('/clusters').behind('/member1');
    expect([(await member.send(request)).status, (await member.send(request)).status]).toEqual([503, 429]);
    expect(sent).toEqual(['old /clusters/member1/api', 'old /clusters/member1/api']);
  });

  it('reads its credential once more after a rejection, for all requests in flight', async () => {
    const { line, sent, renewals } = scene([{ status: 401 }, { status: 401 }], []);
    const both = await Promise.all([line.send(request), line.send(request)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(sent).toEqual(['old /api', 'old /api', 'new /api', 'new /api']);
    expect(renewals()).toBe(1);
    await line.send(request);
    expect(sent.at(-1)).toBe('new /api');
  });

  it('returns the error if the new credential is also rejected and there is no other', async () => {
    const twice = scene([{ status: 401 }], [{ status: 401 }]);
    expect((await twice.line.send(request)).status).toBe(401);
    expect(twice.sent).toEqual(['old /api', 'new /api']);
    const fixed = scene([{ status: 401 }]);
    expect((await fixed.line.send(request)).status).toBe(401);
    expect(fixed.sent).toEqual(['old /api']);
  });
});
