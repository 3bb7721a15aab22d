import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { clusterFromKubeconfig, connectionFromKubeconfig } from '../../../shared/adapters/kubernetes/kubeconfig.ts';

const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CA = '-----BEGIN CERTIFICATE-----\nca\n-----END CERTIFICATE-----\n';
const server = 'https://hub.example:6443';
const caFile = join(folder, 'ca.pem');
writeFileSync(caFile, CA);

function kubeconfig(cluster: object = {}, user: object = { token: 'secret-token' }): string {
  const file = join(folder, 'config');
  const contexts = ['first', 'second'].map((name) => ({ name, context: { cluster: name, user: name } }));
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'first', cluster: { server, 'certificate-authority': caFile, ...cluster } },
      {
        name: 'second',
        cluster: { server: 'https://second.example', 'certificate-authority-data': Buffer.from(CA).toString('base64') },
      },
    ],
    users: [
      { name: 'first', user },
      { name: 'second', user: { token: 'second-token' } },
    ],
    contexts,
    'current-context': 'first',
  };
  writeFileSync(file, stringify(config));
  return file;
}

const failing = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: '/no/such/plugin', args: [] } };

describe('a kubeconfig', () => {
  it('gives the connection of its current context, or of another', async () => {
    expect(await connectionFromKubeconfig(kubeconfig())).toMatchObject({ server, caData: CA, token: 'secret-token' });
    expect(await connectionFromKubeconfig(kubeconfig(), 'second')).toMatchObject({
      server: 'https://second.example',
      caData: CA,
      token: 'second-token',
    });
  });

  it('gives a server and its CA alone, and no plugin is run for that', async () => {
    expect(await clusterFromKubeconfig(kubeconfig({}, failing))).toEqual({ server, caData: CA, hookTokens: [] });
    expect(await clusterFromKubeconfig(kubeconfig({}, failing), 'second')).toMatchObject({
      server: 'https://second.example',
    });
  });

  it.each([
    ['a context that it does not have', {}, 'third', 'it has no context "third" (it has: first, second)'],
    [
      'a server that is not verified',
      { 'insecure-skip-tls-verify': true },
      undefined,
      'insecure-skip-tls-verify is set',
    ],
  ])('is refused with %s', async (_, cluster, context, says) => {
    const file = kubeconfig(cluster);
    await expect(connectionFromKubeconfig(file, context)).rejects.toMatchObject({
      verdict: 'terminal',
      message: expect.stringContaining(says) as string,
    });
    await expect(clusterFromKubeconfig(file, context)).rejects.toThrow(says);
  });

  it('whose plugin fails is refused in one line', async () => {
    const fault = await connectionFromKubeconfig(kubeconfig({}, failing)).catch((thrown: unknown) => thrown as Error);
    expect(fault).toMatchObject({ verdict: 'terminal', reason: 'UnreadableKubeconfig' });
    expect((fault as Error).message).toContain('/no/such/plugin');
    expect((fault as Error).message).not.toContain('\n');
  });
});
