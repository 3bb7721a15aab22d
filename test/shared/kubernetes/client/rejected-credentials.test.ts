/** A credential that a hub rejects with 401: it is read again once and sent again once, and it is never the credential of another hub. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HubRecords } from '../../../../shared/aws/hub-records.ts';
import { ConnectionSecrets } from '../../../../shared/aws/secrets-manager/connection-secrets.ts';
import { SecretHubs } from '../../../../shared/aws/secrets-manager/secret-hubs.ts';
import { connectionSecretName } from '../../../../shared/core/environment.ts';
import { parseSettings } from '../../../../shared/core/settings.ts';
import { connectHub, openHub } from '../../../../shared/kubernetes/client/connect-hub.ts';
import type { Hub } from '../../../../shared/kubernetes/hub.ts';
import { workloadRebalancers } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { at } from '../../../builders.ts';
import { hubRecord } from '../../../fakes/hub-records.ts';
import { type FakeSecrets, startFakeSecrets } from '../../../fakes/secrets-manager.ts';
import { MemoryHubRegistry } from '../../../fakes/stores/memory-hub-registry.ts';
import { recording } from '../../../fakes/telemetry.ts';
import { startTokenHub, type TokenHub } from '../../../fakes/token-hub.ts';

const LIST = 'GET /apis/apps.karmada.io/v1alpha1/workloadrebalancers?limit=';
let secrets: FakeSecrets;
let karmada: TokenHub;
let edge: TokenHub;
let hubs: SecretHubs;
let now = at(0);
let signed = 0;

beforeEach(async () => {
  now = at(0);
  signed = 0;
  secrets = await startFakeSecrets();
  [karmada, edge] = await Promise.all([startTokenHub('karmada-1'), startTokenHub('edge-1')]);
  for (const [name, { url }] of [['karmada', karmada] as const, ['edge', edge] as const]) {
    secrets.make(secretOf(name));
    secrets.set(secretOf(name), connection(url, `${name}-1`));
  }
  const registry = new MemoryHubRegistry(hubRecord('karmada'), hubRecord('edge'));
  hubs = new SecretHubs({
    deployment: 'evenkeel',
    records: new HubRecords({ registry, now: () => now, onStale: () => undefined }),
    secrets: new ConnectionSecrets(new SecretsManagerClient(secrets.endpoint.config)),
    keepMs: 300_000,
    now: () => now,
    open: (name, given, reload) =>
      openHub(name, given, {
        settings: parseSettings({}),
        telemetry: recording([]),
        eksTokens: async ({ name: cluster }) => `${cluster}-${++signed}`,
        reload,
      }),
  });
});

afterEach(async () => {
  await Promise.all([secrets.endpoint.close(), karmada.close(), edge.close()]);
});

const secretOf = (hub: string) => connectionSecretName('evenkeel', hub);

function connection(server: string, token: string): string {
  return JSON.stringify({ server, token });
}

async function list(hub: Hub): Promise<void> {
  for await (const _ of hub.list(workloadRebalancers));
}

function tokensSeen({ seen }: TokenHub): readonly string[] {
  return seen.map((line) => line.split(' ').at(-1) ?? '');
}

function reads(): number {
  return secrets.endpoint.calls.filter(({ operation }) => operation === 'GetSecretValue').length;
}

describe('a token that was replaced in the secret', () => {
  it('is read again when the hub rejects the old one, and the request is sent again', async () => {
    const hub = await hubs.connect('karmada');
    await list(hub);
    karmada.valid.clear();
    karmada.valid.add('karmada-2');
    secrets.set(secretOf('karmada'), connection(karmada.url, 'karmada-2'));
    now = at(10);
    await list(hub);
    expect(tokensSeen(karmada)).toEqual(['karmada-1', 'karmada-1', 'karmada-2']);
    expect(karmada.seen[2]).toContain(LIST);
  });

  it('is read once for many requests that are rejected at the same time', async () => {
    const hub = await hubs.connect('karmada');
    karmada.valid.clear();
    karmada.valid.add('karmada-2');
    secrets.set(secretOf('karmada'), connection(karmada.url, 'karmada-2'));
    now = at(10);
    await Promise.all(Array.from({ length: 16 }, () => list(hub)));
    expect(reads()).toBe(2);
  });

  it('is also used by clients that connect later', async () => {
    await list(await hubs.connect('karmada'));
    karmada.valid.clear();
    karmada.valid.add('karmada-2');
    secrets.set(secretOf('karmada'), connection(karmada.url, 'karmada-2'));
    now = at(10);
    await list(await hubs.connect('karmada'));
    await list(await hubs.connect('karmada'));
    expect(tokensSeen(karmada)).toEqual(['karmada-1', 'karmada-1', 'karmada-2', 'karmada-2']);
  });

  it('may come with another server', async () => {
    const hub = await hubs.connect('karmada');
    karmada.valid.clear();
    edge.valid.add('moved');
    secrets.set(secretOf('karmada'), connection(edge.url, 'moved'));
    now = at(10);
    await list(hub);
    expect([tokensSeen(karmada), tokensSeen(edge)]).toEqual([['karmada-1'], ['moved']]);
  });
});

describe('a token that was removed', () => {
  it('is tried twice, and then the event comes again', async () => {
    const hub = await hubs.connect('karmada');
    karmada.valid.clear();
    now = at(10);
    await expect(list(hub)).rejects.toMatchObject({ retryClass: 'retryable', reason: 'Unauthorized' });
    expect(tokensSeen(karmada)).toEqual(['karmada-1', 'karmada-1']);
    expect(reads()).toBe(2);
  });

  it('is read from its secret at most once a second, regardless of the number of rejections', async () => {
    const hub = await hubs.connect('karmada');
    karmada.valid.clear();
    now = at(10);
    for (let i = 0; i < 5; i++) await expect(list(hub)).rejects.toMatchObject({ reason: 'Unauthorized' });
    expect(reads()).toBe(2);
    now = at(11);
    await expect(list(hub)).rejects.toMatchObject({ reason: 'Unauthorized' });
    expect(reads()).toBe(3);
  });

  it('because the hub was removed: the error states that the hub is unknown', async () => {
    const hub = await hubs.connect('karmada');
    karmada.valid.clear();
    secrets.set(secretOf('karmada'), JSON.stringify({ server: karmada.url }));
    now = at(10);
    await expect(list(hub)).rejects.toMatchObject({ retryClass: 'terminal', reason: 'InvalidConnection' });
    await expect(hubs.connect('karmada')).rejects.toMatchObject({
      message: expect.stringContaining('it holds no credential; evenkeel hub add makes one') as string,
    });
  });
});

describe('the token of an EKS cluster', () => {
  it('is signed again when it is rejected, on the same connection', async () => {
    secrets.set(
      secretOf('karmada'),
      JSON.stringify({ server: karmada.url, eksCluster: { name: 'c', region: 'eu-west-1' } }),
    );
    karmada.valid.add('c-1');
    const hub = await hubs.connect('karmada');
    await list(hub);
    karmada.valid.clear();
    karmada.valid.add('c-2');
    now = at(10);
    await list(hub);
    expect(tokensSeen(karmada)).toEqual(['c-1', 'c-1', 'c-2']);
  });
});

describe('the token of a file', () => {
  it('is read again when it is rejected, even if it was read a moment ago', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rejected-'));
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'karmada-1');
    const context = { settings: parseSettings({}), telemetry: recording([]) };
    const hub = connectHub('karmada', { server: karmada.url, tokenFile, hookTokens: [] }, context);
    await list(hub);
    karmada.valid.clear();
    karmada.valid.add('karmada-2');
    writeFileSync(tokenFile, 'karmada-2');
    await list(hub);
    rmSync(folder, { recursive: true });
    expect(tokensSeen(karmada)).toEqual(['karmada-1', 'karmada-1', 'karmada-2']);
  });
});

describe('a token without a source for renewal', () => {
  it('is not sent again, because it cannot have changed', async () => {
    const context = { settings: parseSettings({}), telemetry: recording([]) };
    const hub = connectHub('karmada', { server: karmada.url, token: 'wrong', hookTokens: [] }, context);
    await expect(list(hub)).rejects.toMatchObject({ reason: 'Unauthorized' });
    expect(tokensSeen(karmada)).toEqual(['wrong']);
  });
});

describe('the contents that a secret may not have', () => {
  it.each([
    ['a file of the function', { tokenFile: '/proc/self/environ' }, 'tokenFile is for a process inside the cluster'],
    ['no credential', {}, 'it holds no credential'],
    ['two credentials', { token: 't', tokenFile: '/f' }, 'token and tokenFile are two credentials'],
    [
      'a cluster of no region',
      { eksCluster: { name: 'c', region: 'evil.example/' } },
      'eksCluster.region is not an AWS',
    ],
    ['a cluster with line ends', { eksCluster: { name: 'c\r\nx', region: 'eu-west-1' } }, 'eksCluster.name is not the'],
  ])('%s', async (_, over, description) => {
    secrets.set(secretOf('karmada'), JSON.stringify({ server: karmada.url, ...over }));
    await expect(hubs.connect('karmada')).rejects.toMatchObject({
      retryClass: 'terminal',
      reason: 'InvalidConnection',
      message: expect.stringContaining(description) as string,
    });
    expect(karmada.seen).toEqual([]);
  });
});

describe('two hubs', () => {
  it('never receive the token of each other when both reject and renew at the same time', async () => {
    const both = await Promise.all([hubs.connect('karmada'), hubs.connect('edge')]);
    for (let turn = 2; turn < 6; turn++) {
      now = at(turn * 10);
      for (const [name, hub] of [['karmada', karmada] as const, ['edge', edge] as const]) {
        hub.valid.clear();
        hub.valid.add(`${name}-${turn}`);
        secrets.set(secretOf(name), connection(hub.url, `${name}-${turn}`));
      }
      await Promise.all([...both, ...both].map(list));
    }
    expect(tokensSeen(karmada).filter((token) => !token.startsWith('karmada-'))).toEqual([]);
    expect(tokensSeen(edge).filter((token) => !token.startsWith('edge-'))).toEqual([]);
    expect([new Set(tokensSeen(karmada)).size, new Set(tokensSeen(edge)).size]).toEqual([5, 5]);
  });

  it('reject the token of each other', async () => {
    secrets.set(secretOf('edge'), connection(edge.url, 'karmada-1'));
    await expect(list(await hubs.connect('edge'))).rejects.toMatchObject({ reason: 'Unauthorized' });
    expect(tokensSeen(karmada)).toEqual([]);
  });
});
