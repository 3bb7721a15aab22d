import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { clusterFromKubeconfig, connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';

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
  it('returns the connection of its current context, or of another', async () => {
    expect(await connectionFromKubeconfig(kubeconfig())).toMatchObject({ server, caData: CA, token: 'secret-token' });
    expect(await connectionFromKubeconfig(kubeconfig(), 'second')).toMatchObject({
      server: 'https://second.example',
      caData: CA,
      token: 'second-token',
    });
  });

  it('returns a server and its CA alone, without running a plugin', async () => {
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
  ])('is rejected with %s', async (_, cluster, context, description) => {
    const file = kubeconfig(cluster);
    await expect(connectionFromKubeconfig(file, context)).rejects.toMatchObject({
      retryClass: 'terminal',
      message: expect.stringContaining(description) as string,
    });
    await expect(clusterFromKubeconfig(file, context)).rejects.toThrow(description);
  });

  it('is rejected in one line if its plugin fails', async () => {
    const fault = await connectionFromKubeconfig(kubeconfig({}, failing)).catch((thrown: unknown) => thrown as Error);
    expect(fault).toMatchObject({ retryClass: 'terminal', reason: 'UnreadableKubeconfig' });
    expect((fault as Error).message).toContain('/no/such/plugin');
    expect((fault as Error).message).not.toContain('\n');
  });
});
