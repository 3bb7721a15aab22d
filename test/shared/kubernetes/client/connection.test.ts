import { describe, expect, it } from 'vitest';
import { isEstimatorAddress, parseConnection } from '../../../../shared/kubernetes/client/connection.ts';

const base = { server: 'https://hub.example:6443' };
const CERTIFICATE = '-----BEGIN CERTIFICATE-----';
const estimator = {
  kind: 'scheduler-estimator',
  address: 'e:1',
  caData: CERTIFICATE,
  certificateData: CERTIFICATE,
  keyData: '-----BEGIN EC PRIVATE KEY-----',
};
const eks = (over: object) => ({ eksCluster: { name: 'hub', region: 'eu-west-1', ...over } });
const withKey = (keyData: string) => ({ estimator: { ...estimator, keyData } });

const parse = (over: object) => parseConnection('karmada', JSON.stringify({ ...base, ...over }));
const wrong = (over: object): string => {
  try {
    parse(over);
  } catch (thrown) {
    return (thrown as Error).message.replace('the connection of hub karmada cannot be used: ', '');
  }
  return 'fine';
};

describe('a connection', () => {
  it.each([
    [eks({}), 'fine'],
    [eks({ name: 'my-hub_1', region: 'us-gov-west-1' }), 'fine'],
    [eks({ name: 'x'.repeat(100) }), 'fine'],
    [eks({ name: 'x'.repeat(101) }), 'eksCluster.name is not the name of an EKS cluster'],
    [eks({ name: '-hub' }), 'eksCluster.name is not the name of an EKS cluster'],
    [eks({ name: 'hub!' }), 'eksCluster.name is not the name of an EKS cluster'],
    [eks({ region: 'eu-west-1.evil.example' }), 'eksCluster.region is not an AWS region'],
    [eks({ region: 'evil.example/eu-west-1' }), 'eksCluster.region is not an AWS region'],
    [eks({ region: 'eu-west-12' }), 'eksCluster.region is not an AWS region'],
    [withKey('-----BEGIN PRIVATE KEY-----'), 'fine'],
    [withKey('-----BEGIN RSA PRIVATE KEY-----'), 'fine'],
    [withKey('-----BEGIN CERTIFICATE-----'), 'estimator.keyData is not a private key in PEM'],
    [{ estimator: { ...estimator, caData: 'x' } }, 'estimator.caData is not a certificate in PEM'],
    [{ estimator: { ...estimator, certificateData: 'x' } }, 'estimator.certificateData is not a certificate in PEM'],
    [
      { estimator: { ...estimator, address: 'e' } },
      'estimator.address is not HOST:PORT, with {cluster} for the name of the member',
    ],
    [{ estimator: { kind: 'pods' } }, 'fine'],
    [{ estimator: { kind: 'x' } }, "estimator.kind must be 'scheduler-estimator' or 'pods'"],
    [{ hookTokens: ['x'.repeat(16)] }, 'fine'],
    [{ hookTokens: ['x'.repeat(15)] }, 'hookTokens.0 must have at least 16 characters'],
    [{ hookSubjects: [''] }, 'hookSubjects.0 is empty'],
    [{ token: 't', tokenFile: '/f' }, 'token and tokenFile are two credentials; keep one'],
    [{ tokenFile: '/f', ...eks({}) }, 'tokenFile and eksCluster are two credentials; keep one'],
    [{ clientKeyData: 'k' }, 'clientCertificateData and clientKeyData go together'],
    [{ server: 'http://127.0.0.1:1' }, 'fine'],
    [{ server: 'http://localhost:1' }, 'fine'],
    [{ server: 'http://[::1]:1' }, 'fine'],
    [{ server: 'ftp://localhost' }, 'server must be https (http is for loopback only)'],
    [{ server: 7 }, 'server must be a string'],
  ])('with %j is %s', (over, expected) => {
    expect(wrong(over)).toBe(expected);
  });

  it.each([
    ['e:1', true],
    ['{cluster}.example:10352', true],
    ['e', false],
    ['e:', false],
    ['e:99999', false],
    ['me@e:1', false],
    ['e/x:1', false],
    ['e?x:1', false],
    ['e#x:1', false],
    ['a b:1', false],
    ['e:1/x', false],
  ])('has an estimator at %j: %s', (address, expected) => {
    expect(isEstimatorAddress(address)).toBe(expected);
  });
});
