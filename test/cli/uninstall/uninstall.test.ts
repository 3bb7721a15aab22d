/** `evenkeel uninstall` on the practice hub over HTTP; test/rig/suites/hub compares all objects of a real one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedKinds } from '../../../cli/uninstall/installed-objects.ts';
import { applyManifests } from '../../../local/practice-hub/apply-manifests.ts';
import { type HubServer, startHubServer } from '../../../local/practice-hub/hub-server.ts';
import type { KubeObject } from '../../../local/practice-hub/store/objects.ts';
import { type HubFeatures, hubFeatureNames } from '../../../shared/kubernetes/hub-features.ts';
import { objectsOf, partNames } from '../../../shared/manifests/parts.ts';
import { account, user } from '../../fakes/practice-fleet.ts';
import { binding, cluster, evenkeel, type Ran } from '../plan-scene.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-uninstall-'));
afterAll(() => rmSync(folder, { recursive: true }));

const features: HubFeatures = Object.fromEntries(hubFeatureNames.map((name) => [name, true]));
const target = { hub: 'karmada', url: 'https://hook.example', account, ...features };
const others = { key: 'example.com/broken', effect: 'NoExecute', timeAdded: '2026-11-21T10:00:00Z' };
const drain = { key: 'evenkeel.dev/drain', value: 'm1', effect: 'NoSchedule' };
const web = { namespace: 'shop', name: 'web-deployment' };
const m1 = { namespace: '', name: 'm1' };

let hub: HubServer;
let kubeconfig: string;
const uninstall = (...args: readonly string[]): Promise<Ran> =>
  evenkeel('uninstall', '--kubeconfig', kubeconfig, ...args);

function annotate(annotations: Readonly<Record<string, string>>): void {
  hub.store.patch('resourcebindings', web, { type: 'merge', body: { metadata: { annotations } } }, user);
}

function drainObject(state: string): void {
  const object = {
    apiVersion: 'evenkeel.dev/v1alpha1',
    kind: 'ClusterDrain',
    metadata: { name: 'm1' },
    spec: { cluster: 'm1' },
  };
  hub.store.create('clusterdrains', object, user);
  const run = { name: 'r', triggers: [], startedAt: '2026-11-21T10:00:00Z', waves: 2, wavesDone: 1 };
  const lastRun = { ...run, state, workloads: 2, moved: 1, skipped: 0 };
  const patch = { type: 'merge', body: { status: { lastRun } }, subresource: 'status' } as const;
  hub.store.patch('clusterdrains', m1, patch, user);
}

beforeEach(async () => {
  hub = await startHubServer({ port: 0 });
  kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, hub.kubeconfig());
  const parts = ['hold-policy', 'admission-policy'];
  applyManifests(
    hub.store,
    parts.flatMap((part) => objectsOf(part, target)).map((object) => ({ object })),
    user,
  );
  // The practice hub has the definitions of its kinds by itself.
  for (const object of objectsOf('crd', target) as readonly { metadata: { name: string; labels: object } }[]) {
    const { name, labels } = object.metadata;
    const body = { metadata: { labels } };
    hub.store.patch('customresourcedefinitions', { namespace: '', name }, { type: 'merge', body }, user);
  }
  hub.store.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, user);
  hub.store.create('clusters', cluster('m1', { taints: [others, drain] }) as KubeObject, user);
  hub.store.create('resourcebindings', binding('web', { now: { m1: 6 } }) as KubeObject, user);
  annotate({ 'evenkeel.dev/triggered-by': 'x/1', 'evenkeel.dev/move-limit': '1' });
});
afterEach(() => hub.close());

describe('evenkeel uninstall', () => {
  it('removes only what Evenkeel wrote from a binding and a cluster', async () => {
    const { code, out } = await uninstall('--yes');
    expect(code).toBe(0);
    expect(out).toContain(
      '  resourcebinding.work.karmada.io/shop/web-deployment: annotation evenkeel.dev/triggered-by\n',
    );
    expect(out).toContain('  cluster.cluster.karmada.io/m1: taint evenkeel.dev/drain');
    expect(hub.store.get('resourcebindings', web)?.metadata.annotations).toEqual({ 'evenkeel.dev/move-limit': '1' });
    expect(hub.store.get('clusters', m1)?.spec).toMatchObject({ taints: [others] });
    expect(hub.store.list('mutatingadmissionpolicies').length).toBe(0);
    expect((await uninstall('--yes')).out).toBe('Nothing of Evenkeel is on the hub.\n');
  });

  it('changes nothing without --yes, and shows the same', async () => {
    const shown = await uninstall('-o', 'json');
    expect(hub.store.get('clusters', m1)?.spec).toMatchObject({ taints: [others, drain] });
    const done = await uninstall('--yes', '-o', 'json');
    const [before, after] = [shown, done].map(({ out }) => JSON.parse(out) as object);
    expect(before).toEqual({ ...after, isRemoved: false });
    expect((before as { deleted: readonly string[] }).deleted[0]).toBe(
      'mutatingadmissionpolicybinding.admissionregistration.k8s.io/evenkeel-replica-reductions',
    );
  });

  it('removes nothing while a drain goes on, and names it', async () => {
    drainObject('Running');
    const { code, errors } = await uninstall('--yes', '--delete-objects');
    expect([code, ...errors]).toEqual([
      2,
      'nothing is removed; a run goes on: clusterdrain.evenkeel.dev/m1 (wait, or delete it)',
    ]);
    expect(hub.store.list('mutatingadmissionpolicies').length).toBe(1);
  });

  it('deletes objects of its kinds only with --delete-objects', async () => {
    drainObject('Done');
    const { code, errors } = await uninstall('--yes');
    expect([code, ...errors]).toEqual([
      2,
      'nothing is removed; would be deleted: clusterdrain.evenkeel.dev/m1 (confirm with --delete-objects)',
    ]);
    expect((await uninstall('--yes', '--delete-objects')).out).toContain('  clusterdrain.evenkeel.dev/m1\n');
    expect(hub.store.get('clusterdrains', m1)).toBeUndefined();
  });

  it('reports a policy that names its scheduler', async () => {
    const spec = { schedulerName: 'evenkeel', resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }] };
    const metadata = { name: 'web', namespace: 'shop' };
    const policy = { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'PropagationPolicy', metadata, spec };
    hub.store.create('propagationpolicies', policy, user);
    const { out } = await uninstall();
    expect(out).toContain(
      '  propagationpolicy.policy.karmada.io/shop/web: its schedulerName is evenkeel: no scheduler',
    );
    expect(out.trimEnd().split('\n').at(-1)).toBe('Nothing is removed yet; confirm with --yes.');
  });

  it('keeps its namespace as long as an object of another owner is in it', async () => {
    const [namespace] = objectsOf('rbac', target) as readonly KubeObject[];
    hub.store.create('namespaces', namespace as KubeObject, user);
    hub.store.create('resourcebindings', binding('web', { namespace: 'evenkeel' }) as KubeObject, user);
    const kept = await uninstall('--yes');
    expect(kept.out).toContain(
      'Stays:\n  namespace/evenkeel: it has resourcebinding.work.karmada.io/evenkeel/web-deployment\n',
    );
    hub.store.delete('resourcebindings', { namespace: 'evenkeel', name: 'web-deployment' }, user);
    expect((await uninstall('--yes')).out).toBe('Deleted:\n  namespace/evenkeel\n');
    expect(hub.store.get('namespaces', { namespace: '', name: 'evenkeel' })).toBeUndefined();
  });

  it('knows every kind that the manifests have', () => {
    const printed = partNames
      .filter((name) => !['audit-policy', 'audit-webhook'].includes(name))
      .flatMap((name) => objectsOf(name, target) as readonly { apiVersion: string; kind: string }[])
      .map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    const known = Object.values(installedKinds)
      .flat()
      .map(({ group, version, kind }) => `${group === '' ? version : `${group}/${version}`} ${kind}`);
    expect([...new Set(printed)].sort()).toEqual([...known].sort());
  });
});
