import { describe, expect, it } from 'vitest';
import { callersOf, hasCaller, hasReviewKey, reviewKeyOf } from '../../../shared/kubernetes/hook-callers.ts';

const token = 'a-token-of-some-length';
const next = 'the-next-token-in-line';
const subject = 'CN=apiserver,O=edge';

describe('the callers in the record of a hub', () => {
  it('are digests and subjects, and neither a token nor a review key nor a credential', () => {
    const connection = { server: 'https://hub.example', token: 'secret-hub-token', hookTokens: [token] };
    const callers = callersOf('karmada', { ...connection, hookSubjects: [subject] });
    expect(Object.keys(callers).sort()).toEqual(['reviewKeyDigests', 'subjects', 'tokenDigests']);
    // sha256sum of the token, by coreutils.
    expect(callers.tokenDigests).toEqual(['4f0d205b316ab19696f52d3dc08107a4186c12b117a2a23581353b462001edee']);
    const text = JSON.stringify(callers);
    for (const secret of [token, reviewKeyOf('karmada', token), 'secret-hub-token']) expect(text).not.toContain(secret);
  });

  it('have no subjects if the connection has none', () => {
    expect(callersOf('karmada', { hookTokens: [token] }).subjects).toEqual([]);
  });
});

describe('a caller', () => {
  const callers = callersOf('karmada', { hookTokens: [token, next], hookSubjects: [subject] });

  it.each([
    ['the token', { bearer: token, subject: '' }, true],
    ['the other token of a rotation', { bearer: next, subject: '' }, true],
    ['another token', { bearer: 'another-token-of-length', subject: '' }, false],
    ['a prefix of the token', { bearer: token.slice(0, -1), subject: '' }, false],
    ['the subject', { bearer: '', subject }, true],
    ['another subject', { bearer: '', subject: 'CN=apiserver,O=other' }, false],
    ['the subject as a token, and the token as a subject', { bearer: subject, subject: token }, false],
    ['the review key as a token', { bearer: reviewKeyOf('karmada', token), subject: '' }, false],
    ['nothing', { bearer: '', subject: '' }, false],
  ])('that presents %s is accepted only as a known one', (_, caller, expected) => {
    expect(hasCaller(callers, caller)).toBe(expected);
  });

  it('with an empty token is rejected even where the digest of an empty token is listed', () => {
    expect(hasCaller(callersOf('karmada', { hookTokens: [''] }), { bearer: '', subject: '' })).toBe(false);
  });
});

describe('the key of an admission webhook', () => {
  const callers = callersOf('karmada', { hookTokens: [token, next] });

  it.each([
    ['made from the token', reviewKeyOf('karmada', token), true],
    ['made from the next token', reviewKeyOf('karmada', next), true],
    ['made from another token', reviewKeyOf('karmada', 'another-token-of-length'), false],
    ['made for another hub', reviewKeyOf('other', token), false],
    ['that is the token', token, false],
    ['that is empty', '', false],
  ])('%s is accepted only as a key of this hub', (_, key, expected) => {
    expect(hasReviewKey(callers, key)).toBe(expected);
  });
});
