import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { credentialOf } from '../../../../shared/kubernetes/client/credential.ts';

const MINUTE = 60_000;
const hub = { server: 'https://hub.example', hookTokens: [] };
const eksCluster = { name: 'karmada-host', region: 'eu-west-1' };
const folder = mkdtempSync(join(tmpdir(), 'credential-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the token of an EKS cluster', () => {
  function counted() {
    const made: string[] = [];
    let now = 0;
    const credential = credentialOf(
      { ...hub, eksCluster },
      {
        now: () => now,
        eksTokens: async ({ name }) => {
          made.push(name);
          return `token ${made.length}`;
        },
      },
    );
    return { credential, made, at: (ms: number) => (now = ms) };
  }

  it('is made once for many requests at once', async () => {
    const { credential, made } = counted();
    expect(await Promise.all([credential.bearer(), credential.bearer()])).toEqual(['token 1', 'token 1']);
    expect(made).toEqual(['karmada-host']);
  });

  it('is used for 10 of its 15 minutes, and then another is made', async () => {
    const { credential, at } = counted();
    await credential.bearer();
    at(10 * MINUTE - 1);
    expect(await credential.bearer()).toBe('token 1');
    at(10 * MINUTE);
    expect(await credential.bearer()).toBe('token 2');
  });

  it('is created again after the hub rejects it', async () => {
    const { credential } = counted();
    await credential.bearer();
    credential.forget();
    expect(await credential.bearer()).toBe('token 2');
  });

  it('that could not be made is tried again by the next request', async () => {
    let failing = true;
    const eksTokens = async () => {
      if (failing) throw new Error('no identity yet');
      return 'a token';
    };
    const credential = credentialOf({ ...hub, eksCluster }, { eksTokens, now: () => 0 });
    await expect(credential.bearer()).rejects.toThrow('no identity yet');
    failing = false;
    expect(await credential.bearer()).toBe('a token');
  });

  it('cannot be created without a signer', async () => {
    await expect(credentialOf({ ...hub, eksCluster }).bearer()).rejects.toMatchObject({
      reason: 'NoCredential',
      message: `nothing here can sign a token for the EKS cluster ${eksCluster.name}`,
    });
  });
});

describe('a token file', () => {
  const tokenFile = join(folder, 'token');

  it('is read again as it changes, without its line end', async () => {
    writeFileSync(tokenFile, 'first\n');
    let now = 0;
    const credential = credentialOf({ ...hub, tokenFile }, { now: () => now });
    expect(await credential.bearer()).toBe('first');
    writeFileSync(tokenFile, 'second\n');
    now = 9999;
    expect(await credential.bearer()).toBe('first');
    now = 10_000;
    expect(await credential.bearer()).toBe('second');
  });

  it.each([
    ['is not there', undefined, 'cannot be read: ENOENT'],
    ['is empty', '\n', 'is empty'],
  ])('that %s is a passing fault that names it', async (_, text, description) => {
    rmSync(tokenFile, { force: true });
    if (text !== undefined) writeFileSync(tokenFile, text);
    await expect(credentialOf({ ...hub, tokenFile }).bearer()).rejects.toMatchObject({
      retryClass: 'retryable',
      message: `tokenFile ${tokenFile} ${description}`,
    });
  });
});

it('a client certificate speaks without a token', async () => {
  const credential = credentialOf({ ...hub, clientCertificateData: 'cert', clientKeyData: 'key' });
  expect(await credential.bearer()).toBeUndefined();
});
