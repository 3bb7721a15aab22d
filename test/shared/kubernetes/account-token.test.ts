import { describe, expect, it } from 'vitest';
import { readAccountToken, userOfAccount } from '../../../shared/kubernetes/account-token.ts';
import { accountToken, jwt } from '../../builders.ts';

describe('the token of a ServiceAccount', () => {
  it('contains the account, the issue time and the expiry time', () => {
    const token = accountToken({ issuedAt: '2026-11-21T10:00:00Z', hours: 48 });
    expect(readAccountToken(token)).toEqual({
      account: { namespace: 'evenkeel', name: 'evenkeel' },
      issuedAt: Date.UTC(2026, 10, 21, 10),
      expiresAt: Date.UTC(2026, 10, 23, 10),
    });
  });

  it('may have no end', () => {
    expect(readAccountToken(jwt({ sub: 'system:serviceaccount:a:b' }))).toMatchObject({ expiresAt: undefined });
  });

  it('is named as an API server names its user', () => {
    expect(userOfAccount({ namespace: 'a', name: 'b' })).toBe('system:serviceaccount:a:b');
  });

  it.each([
    ['an empty text', ''],
    ['a text of no parts', 'token'],
    ['parts that are no JSON', 'a.b.c'],
    ['JSON that is no object', 'a.MQ.c'],
    ['the token of a user', jwt({ sub: 'alice@example.com', exp: 1 })],
    ['the token of an account without a name', jwt({ sub: 'system:serviceaccount:a:', exp: 1 })],
    ['a token with a name of too many parts', jwt({ sub: 'system:serviceaccount:a:b:c', exp: 1 })],
    ['a token with something before its name', jwt({ sub: 'a system:serviceaccount:a:b', exp: 1 })],
    ['a token whose end is a text', jwt({ sub: 'system:serviceaccount:a:b', exp: 'soon' })],
    ['keys of a prototype', jwt({ __proto__: { sub: 'system:serviceaccount:a:b' } })],
  ])('is not %s', (_, text) => {
    expect(readAccountToken(text)).toBeUndefined();
  });
});
