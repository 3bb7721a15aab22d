import { createHash, createHmac } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { eksTokens } from '../../../shared/aws/eks-tokens.ts';

const SECRET = 'a-secret-access-key';

function tokens(over: object = {}) {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: SECRET, sessionToken: 'a/session+token=' };
  return eksTokens(new SecretsManagerClient({ region: 'us-east-1', credentials, ...over }));
}

function urlOf(token: string): URL {
  expect(token.slice(0, 11)).toBe('k8s-aws-v1.');
  return new URL(Buffer.from(token.slice(11), 'base64url').toString('utf8'));
}

/** Signature Version 4, written out by its specification: what STS computes from the request that the cluster sends. */
function signatureOf(url: URL, headers: Readonly<Record<string, string>>): string {
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort();
  const signed = Object.keys(headers).sort();
  const canonical = [
    'GET',
    '/',
    query.join('&'),
    ...signed.map((name) => `${name}:${headers[name]}`),
    '',
    signed.join(';'),
    sha256(''),
  ];
  const [, ...scope] = (url.searchParams.get('X-Amz-Credential') ?? '').split('/');
  const date = url.searchParams.get('X-Amz-Date') ?? '';
  const text = ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical.join('\n'))].join('\n');
  const key = scope.reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${SECRET}`);
  return hmac(key, text).toString('hex');
}

describe('a token for a cluster of EKS', () => {
  it('is a signed GetCallerIdentity of the STS of its region, for a minute, with the name of the cluster signed', async () => {
    const url = urlOf(await tokens()({ name: 'karmada-host', region: 'eu-west-1' }));
    const query = Object.fromEntries(url.searchParams);
    expect(url.host).toBe('sts.eu-west-1.amazonaws.com');
    expect(query).toMatchObject({
      Action: 'GetCallerIdentity',
      Version: '2011-06-15',
      'X-Amz-Expires': '60',
      'X-Amz-SignedHeaders': 'host;x-k8s-aws-id',
      'X-Amz-Security-Token': 'a/session+token=',
    });
    expect(query['X-Amz-Credential']).toMatch(/^AKIDEXAMPLE\/\d{8}\/eu-west-1\/sts\/aws4_request$/);
    // No other parameter: a cluster rejects a token with an unknown one.
    expect(Object.keys(query).sort()).toEqual([
      'Action',
      'Version',
      'X-Amz-Algorithm',
      'X-Amz-Credential',
      'X-Amz-Date',
      'X-Amz-Expires',
      'X-Amz-Security-Token',
      'X-Amz-Signature',
      'X-Amz-SignedHeaders',
    ]);
  });

  it('has the signature that STS computes for this cluster, and for no other', async () => {
    const url = urlOf(await tokens()({ name: 'karmada-host', region: 'eu-west-1' }));
    const signature = url.searchParams.get('X-Amz-Signature');
    expect(signatureOf(url, { host: url.host, 'x-k8s-aws-id': 'karmada-host' })).toBe(signature);
    expect(signatureOf(url, { host: url.host, 'x-k8s-aws-id': 'another' })).not.toBe(signature);
  });

  it('is for the STS of China in China', async () => {
    const url = urlOf(await tokens()({ name: 'c', region: 'cn-north-1' }));
    expect(url.host).toBe('sts.cn-north-1.amazonaws.com.cn');
  });

  it('is not created without an identity, and the error states that', async () => {
    const noUser = async () => {
      throw new Error('Could not load credentials from any providers');
    };
    await expect(tokens({ credentials: noUser })({ name: 'c', region: 'eu-west-1' })).rejects.toMatchObject({
      retryClass: 'retryable',
      reason: 'NoCredential',
      message: 'no token for the EKS cluster c: Could not load credentials from any providers',
    });
  });
});
