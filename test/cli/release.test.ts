/** `evenkeel release` on a hub over HTTP: lists holds with their reasons, and releases them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyManifests } from '../../local/practice-hub/apply-manifests.ts';
import { type HubServer, startHubServer } from '../../local/practice-hub/hub-server.ts';
import { QUEUE, REDUCTION_STRATEGY } from '../../shared/graceful-reduction/replica-reduction.ts';
import { holdPolicy } from '../../shared/manifests/holds.ts';
import { account, user } from '../fakes/practice-fleet.ts';
import { cluster, evenkeel, type Ran } from './plan-scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-release-'));
afterAll(() => rmSync(folder, { recursive: true }));

let hub: HubServer;
let kubeconfig: string;

const release = (...args: readonly string[]): Promise<Ran> => evenkeel('release', '--kubeconfig', kubeconfig, ...args);

function bind(namespace: string, workload: string): void {
  const spec = {
    resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: workload },
    replicas: 6,
    clusters: [
      { name: 'm1', replicas: 4 },
      { name: 'm2', replicas: 2 },
    ],
  };
  const metadata = {
    name: `${workload}-deployment`,
    namespace,
    annotations: { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' },
  };
  hub.store.create(
    'resourcebindings',
    { apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding', metadata, spec },
    user,
  );
}

function assign(namespace: string, workload: string, clusters: readonly object[]): void {
  const key = { namespace, name: `${workload}-deployment` };
  hub.store.patch('resourcebindings', key, { type: 'merge', body: { spec: { clusters } } }, user);
}

function queue(namespace: string, workload: string): readonly string[] {
  const found = hub.store.get('resourcebindings', { namespace, name: `${workload}-deployment` });
  return Object.keys(found?.metadata.annotations ?? {}).filter((name) => name.startsWith(QUEUE));
}

beforeEach(async () => {
  hub = await startHubServer({ port: 0 });
  kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, hub.kubeconfig());
  applyManifests(hub.store, holdPolicy({ account }), user);
  for (const name of ['shop', 'jobs'])
    hub.store.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, user);
  for (const name of ['m1', 'm2', 'm3']) {
    hub.store.create('clusters', cluster(name), user);
    const ready = { type: 'Ready', status: 'True', reason: 'ClusterReady', message: '' };
    const conditions = [{ ...ready, lastTransitionTime: '2026-11-21T10:00:00Z' }];
    const body = { status: { conditions } };
    hub.store.patch('clusters', { namespace: '', name }, { type: 'merge', body, subresource: 'status' }, user);
  }
  bind('shop', 'web');
  bind('jobs', 'batch');
});
afterEach(() => hub.close());

/** The hub records the start of a hold with the clock of this machine. */
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

const moved = [
  { name: 'm2', replicas: 1 },
  { name: 'm3', replicas: 5 },
];

describe('evenkeel release', () => {
  it('shows that nothing is held', async () => {
    expect(await release('-A')).toMatchObject({ code: 0, out: 'No reduction is held.\n' });
  });

  it('shows the held replicas, and the reason of each hold', async () => {
    assign('shop', 'web', moved);
    const { out, code } = await release('-A');
    expect([code, out.replaceAll(TIME, '<time>').replaceAll(/  +/g, ' | ').trimEnd().split('\n')]).toEqual([
      0,
      [
        'NAMESPACE | BINDING | CLUSTER | KEEPS | ASSIGNED | UNTIL | WAITS FOR',
        'shop | web-deployment | m1 | 4 | 0 | <time> | 0 of 1 ready on m2',
        'shop | web-deployment | m2 | 2 | 1 | <time> | 0 of 5 ready on m3',
      ],
    ]);
  });

  it('prints the same as JSON', async () => {
    assign('shop', 'web', moved);
    const { out } = await release('-n', 'shop', '--cluster', 'm1', '-o', 'json');
    expect(JSON.parse(out)).toEqual({
      reductions: [
        {
          namespace: 'shop',
          binding: 'web-deployment',
          cluster: 'm1',
          replicas: 4,
          assigned: 0,
          creationTimestamp: expect.stringMatching(TIME) as string,
          until: expect.stringMatching(TIME) as string,
          reason: '0 of 1 ready on m2',
        },
      ],
    });
  });

  it('releases the named workload only', async () => {
    assign('shop', 'web', moved);
    assign('jobs', 'batch', moved);
    const { out, code } = await release('-n', 'shop', 'web');
    expect([code, out.trimEnd().split('\n')]).toEqual([
      0,
      [
        'shop/web-deployment: m1 is released (kept 4, is assigned 0)',
        'shop/web-deployment: m2 is released (kept 2, is assigned 1)',
      ],
    ]);
    expect([queue('shop', 'web'), queue('jobs', 'batch').length]).toEqual([[], 2]);
    const { spec } = hub.store.get('resourcebindings', { namespace: 'shop', name: 'web-deployment' }) ?? {};
    expect(spec).not.toHaveProperty('requiredBy');
  });

  it('releases the holds of one cluster', async () => {
    assign('shop', 'web', moved);
    await release('web', '-n', 'shop', '--cluster', 'm1');
    expect(queue('shop', 'web')).toEqual([`${QUEUE}m2`]);
  });

  it('releases all holds of a namespace', async () => {
    assign('shop', 'web', moved);
    assign('jobs', 'batch', moved);
    await release('--all', '-n', 'jobs');
    expect([queue('shop', 'web').length, queue('jobs', 'batch')]).toEqual([2, []]);
  });

  it('lists only the namespace default, and reports a namespace that the hub does not have', async () => {
    assign('shop', 'web', moved);
    expect(await release()).toMatchObject({ code: 0, out: 'No reduction is held.\n' });
    expect(await release('-n', 'nope')).toMatchObject({
      code: 2,
      errors: ['namespace "nope" not found; kubectl get namespaces lists those of the hub'],
    });
  });

  it('rejects an unknown name, and names next to --all', async () => {
    expect(await release('unknown', '-n', 'shop')).toMatchObject({
      code: 2,
      errors: ['there is no binding or workload "unknown" in namespace shop; name one that is there: web-deployment'],
    });
    expect(await release('web', '--all')).toMatchObject({
      code: 2,
      errors: [expect.stringContaining('--all goes without names; leave out web, or --all')],
    });
  });
});
