import { describe, expect, it } from 'vitest';
import { accessListOf, type HookCallers } from '../../../../shared/aws/secrets-manager/access-list.ts';
import { reviewKeyOf } from '../../../../shared/aws/secrets-manager/review-key.ts';
import { SecretHookAccess } from '../../../../shared/aws/secrets-manager/secret-hook-access.ts';

const token = 'a-token-of-some-length';

interface Scene {
  readonly access: SecretHookAccess;
  /** ARNs, as they were read. */
  readonly reads: readonly string[];
  /** What the secret holds; a test sets it. */
  text: string | undefined;
  now: number;
}

function scene(text: string | undefined): Scene {
  const reads: string[] = [];
  const made = { reads, text, now: 0 };
  const store = {
    read: async (arn: string) => {
      reads.push(arn);
      return made.text === undefined ? undefined : { text: made.text, version: '1' };
    },
  };
  const secrets = { karmada: 'arn:karmada' };
  return Object.assign(made, { access: new SecretHookAccess({ secrets, store, keepMs: 1000, now: () => made.now }) });
}

function textOf(over: Partial<HookCallers> = {}): string {
  return JSON.stringify(accessListOf('karmada', { hookTokens: [token], ...over }));
}

function accessOf(over: Partial<HookCallers> = {}): SecretHookAccess {
  return scene(textOf(over)).access;
}

describe('the access list of a hub', () => {
  it('holds digests, the subjects and the account, and neither a token nor a review key nor a credential', () => {
    const credential = { server: 'https://hub.example', token: 'secret-hub-token' };
    const callers = { ...credential, hookTokens: [token], hookSubjects: ['CN=x'], account: 'us' };
    const list = accessListOf('karmada', callers);
    expect(Object.keys(list).sort()).toEqual(['account', 'hookSubjects', 'hookTokenDigests', 'reviewKeyDigests']);
    // sha256sum of the token, by coreutils.
    expect(list.hookTokenDigests).toEqual(['4f0d205b316ab19696f52d3dc08107a4186c12b117a2a23581353b462001edee']);
    const text = JSON.stringify(list);
    for (const secret of [token, reviewKeyOf('karmada', token), 'secret-hub-token']) expect(text).not.toContain(secret);
  });

  it('has no subjects and no account if the connection has none', () => {
    const list = accessListOf('karmada', { hookTokens: [token] });
    expect(Object.keys(list).sort()).toEqual(['hookSubjects', 'hookTokenDigests', 'reviewKeyDigests']);
    expect(list.hookSubjects).toEqual([]);
  });

  it('is read once while it is kept, and again after that', async () => {
    const s = scene(textOf());
    expect(await s.access.mayRaiseEvents('karmada', { bearer: token, subject: '' })).toBe(true);
    s.text = textOf({ hookTokens: [] });
    expect(await s.access.mayRaiseEvents('karmada', { bearer: token, subject: '' })).toBe(true);
    s.now = 1000;
    expect(await s.access.mayRaiseEvents('karmada', { bearer: token, subject: '' })).toBe(false);
    expect(s.reads).toEqual(['arn:karmada', 'arn:karmada']);
  });

  it.each([
    ['is empty, as of a hub that was added before', undefined, 'is empty'],
    ['is not JSON', 'no json: secret-hub-token', 'is not JSON'],
    ['holds a token in place of a digest', JSON.stringify({ hookTokenDigests: [token] }), 'hookTokenDigests.0'],
  ])('that %s is an error that names the way out and shows no value', async (_, text, what) => {
    const fault = await scene(text)
      .access.mayRaiseEvents('karmada', { bearer: token, subject: '' })
      .catch((thrown: unknown) => thrown as Error);
    expect(fault).toMatchObject({ retryClass: 'terminal', reason: 'InvalidHookAccess' });
    const { message } = fault as Error;
    expect(message).toContain(what);
    expect(message).toContain('evenkeel hub allow-callers karmada');
    for (const secret of [token, 'secret-hub-token']) expect(message).not.toContain(secret);
  });
});

describe('the callers that may publish events', () => {
  it.each([
    ['its token', 'karmada', token, true],
    ['another token', 'karmada', 'another-token-of-length', false],
    ['no token', 'karmada', '', false],
    ['a prefix of its token', 'karmada', token.slice(0, -1), false],
    ['a token for a hub that is not here', 'other', token, false],
    ['a name that every object has', 'toString', token, false],
  ])('%s: %s %s', async (_, hub, given, expected) => {
    expect(await accessOf().mayRaiseEvents(hub, { bearer: given, subject: '' })).toBe(expected);
  });

  it('accepts either of two tokens during a rotation', async () => {
    const subject = accessOf({ hookTokens: [token, 'the-next-token-in-line'] });
    expect(await subject.mayRaiseEvents('karmada', { bearer: token, subject: '' })).toBe(true);
    expect(await subject.mayRaiseEvents('karmada', { bearer: 'the-next-token-in-line', subject: '' })).toBe(true);
  });

  const subject = 'CN=apiserver,O=edge';

  it.each([
    ['the subject it names', subject, true],
    ['another subject', 'CN=apiserver,O=other', false],
    ['none', '', false],
  ])('takes, of the callers whose certificate was verified, %s', async (_, given, expected) => {
    const subjects = accessOf({ hookTokens: [], hookSubjects: [subject] });
    expect(await subjects.mayRaiseEvents('karmada', { bearer: '', subject: given })).toBe(expected);
  });

  it('accepts no subject as a token, and no token as a subject', async () => {
    const both = accessOf({ hookSubjects: [subject] });
    expect(await both.mayRaiseEvents('karmada', { bearer: subject, subject: token })).toBe(false);
  });
});

describe('the key of an admission webhook', () => {
  it.each([
    ['made from its token', 'karmada', reviewKeyOf('karmada', token), true],
    ['made from another token', 'karmada', reviewKeyOf('karmada', 'another-token-of-length'), false],
    ['made for another hub', 'karmada', reviewKeyOf('other', token), false],
    ['that is the token', 'karmada', token, false],
    ['that is empty', 'karmada', '', false],
    ['for a hub that is not here', 'other', reviewKeyOf('other', token), false],
    ['for a name that every object has', 'toString', reviewKeyOf('toString', token), false],
  ])('%s: %s %s', async (_, hub, key, expected) => {
    expect(await accessOf().holdsReviewKey(hub, key)).toBe(expected);
  });

  it('is one of two during the rotation of a token', async () => {
    const subject = accessOf({ hookTokens: [token, 'the-next-token-in-line'] });
    const key = reviewKeyOf('karmada', 'the-next-token-in-line');
    expect(await subject.holdsReviewKey('karmada', key)).toBe(true);
    expect(await subject.mayRaiseEvents('karmada', { bearer: key, subject: '' })).toBe(false);
  });
});

describe('the user name of our account on a hub', () => {
  it.each([['system:serviceaccount:evenkeel:evenkeel'], [undefined]])(
    'is read from its connection: %s',
    async (account) => {
      expect(await accessOf({ account }).accountOf('karmada')).toBe(account);
    },
  );
});
