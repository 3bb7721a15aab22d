import { describe, expect, it } from 'vitest';
import { hasAccount, requestToken } from '../../../../shared/kubernetes/client/account-tokens.ts';
import type { ApiRequest, ApiResponse } from '../../../../shared/kubernetes/client/transport.ts';

const account = { namespace: 'even keel', name: 'evenkeel/x' };
const path = '/api/v1/namespaces/even%20keel/serviceaccounts/evenkeel%2Fx';

function hubThatAnswers(answer: ApiResponse) {
  const requests: ApiRequest[] = [];
  const send = async (request: ApiRequest) => {
    requests.push(request);
    return answer;
  };
  return { requests, send, stream: () => Promise.reject(new Error('not of this test')), close: () => undefined };
}

describe('a ServiceAccount of a hub', () => {
  it.each([
    [200, true],
    [299, true],
    [404, false],
  ])('is there or not by status %i: %s', async (status, expected) => {
    const hub = hubThatAnswers({ status, body: {} });
    expect(await hasAccount(hub, account)).toBe(expected);
    expect(hub.requests).toEqual([{ method: 'GET', path }]);
  });

  it('issues a token for the requested time', async () => {
    const hub = hubThatAnswers({ status: 201, body: { status: { token: 'jwt' } } });
    expect(await requestToken(hub, account, 3600)).toBe('jwt');
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
    expect(hub.requests).toEqual([{ method: 'POST', path: `${path}/token`, body }]);
  });

  it.each([[{}], [{ status: {} }], [{ status: { token: '' } }], [{ status: { token: 7 } }]])(
    'gives no token with the answer %j, and may give one later',
    async (body) => {
      const message = 'the hub answered a request for a token without one';
      const token = requestToken(hubThatAnswers({ status: 201, body }), account, 3600);
      await expect(token).rejects.toMatchObject({ retryClass: 'retryable', reason: 'NotAToken', message });
    },
  );

  it.each([
    [{ status: 403, body: { reason: 'Forbidden', message: 'no' } }, 'retryable', 'Forbidden', '403', 'no', undefined],
    [{ status: 429, body: { reason: '' }, retryAfterMs: 2000 }, 'limited', 'Http429', '429', 'no message', 2000],
    [{ status: 503, body: 'away' }, 'limited', 'Http503', '503', 'no message', undefined],
    [{ status: 199, body: null }, 'retryable', 'Http199', '199', 'no message', undefined],
    [
      { status: 300, body: { reason: 7, message: 'x'.repeat(400) } },
      'retryable',
      'Http300',
      '300',
      'x'.repeat(300),
      undefined,
    ],
  ])('fails with the hub’s own reason (%#)', async (answer, retryClass, reason, status, detail, retryAfterMs) => {
    const fault = { retryClass, reason, retryAfterMs };
    const user = 'system:serviceaccount:even keel:evenkeel/x';
    await expect(requestToken(hubThatAnswers(answer), account, 60)).rejects.toMatchObject({
      ...fault,
      message: `the hub answered ${status} to a request for a token of ${user}: ${detail}`,
    });
    await expect(hasAccount(hubThatAnswers(answer), account)).rejects.toMatchObject({
      ...fault,
      message: `the hub answered ${status} to get ServiceAccount even keel/evenkeel/x: ${detail}`,
    });
  });
});
