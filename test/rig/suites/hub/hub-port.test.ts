/** The contract of the hub port: our adapter on a real API server, with the shipped account. */
import { beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../../../shared/core/settings.ts';
import { type Binding, resourceBindings } from '../../../../shared/karmada/binding.ts';
import { connectHub } from '../../../../shared/kubernetes/client/connect-hub.ts';
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import type { Hub as HubPort } from '../../../../shared/kubernetes/hub.ts';
import { hubEvents } from '../../../../shared/kubernetes/object-event.ts';
import { keyText } from '../../../../shared/kubernetes/object-key.ts';
import { POLICY_LABEL, workloadRebalancers } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { recording } from '../../../fakes/telemetry.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { forgetVersions } from '../../parts/hub-versions.ts';
import { deploymentIn, HubClient, REBALANCERS } from '../hub-client.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

const NAME = `port-${Date.now().toString(36)}`;
const rig = rigOfSuite();
let hub: Hub;
let port: HubPort;
let administrator: HubClient;

const names = Array.from({ length: 700 }, (_, index) => `w${String(index).padStart(3, '0')}`);

beforeAll(async () => {
  hub = await startHub(rig);
  administrator = await HubClient.of(hub.adminKubeconfig);
  await administrator.bindings(NAME, names);
  port = connectHub('karmada', await connectionFromKubeconfig(hub.kubeconfig), {
    settings: parseSettings({}),
    telemetry: recording([]),
  });
});

function ofThisTest(page: readonly Binding[]): readonly string[] {
  return page.filter(({ key }) => key.namespace === NAME).map(({ key }) => key.name);
}

describe('the hub port on a real API server', () => {
  it('reads many objects in bulk, and leaves out missing ones', async () => {
    const keys = [...names, 'missing'].map((name) => ({ namespace: NAME, name: `${name}-deployment` }));
    const found = await port.getMany(resourceBindings, keys);
    expect(found.size).toBe(names.length);
    expect(ofThisTest([...found.values()]).length).toBe(names.length);
  });

  it('returns conflict for a patch of an old version, and missing for a patch of a missing object', async () => {
    const key = { namespace: NAME, name: 'w000-deployment' };
    const merge = { metadata: { resourceVersion: '1', annotations: { 'evenkeel.dev/test': 'x' } } };
    expect(await port.patch(resourceBindings, key, { merge })).toEqual({ result: 'conflict' });
    const gone = await port.patch(resourceBindings, { namespace: NAME, name: 'missing' }, { merge: {} });
    expect(gone).toEqual({ result: 'missing' });
  });

  it('creates a missing object, and returns conflict for an existing name', async () => {
    const name = `${NAME}-wave`;
    const labels = { [POLICY_LABEL]: 'come-home' };
    const spec = { workloads: [deploymentIn(NAME, 'missing')], ttlSecondsAfterFinished: 60 };
    const wave = { metadata: { name, labels }, spec };
    const created = await port.create(workloadRebalancers, wave);
    expect(created).toMatchObject({ result: 'done', object: { name, workloads: spec.workloads } });
    expect(await port.create(workloadRebalancers, { ...wave, metadata: { name } })).toEqual({ result: 'conflict' });
    const stored = await administrator.get<{ metadata: { labels: object }; spec: object }>(`${REBALANCERS}/${name}`);
    expect([stored.metadata.labels, stored.spec]).toEqual([labels, spec]);
    await administrator.delete(`${REBALANCERS}/${name}`);
  });

  it('creates in a namespace, and throws if the hub rejects the object', async () => {
    const involvedObject = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy', name: 'come-home' };
    const event = (namespace: string) => ({
      metadata: { name: `${NAME}.1`, namespace },
      involvedObject,
      ...{ type: 'Normal', reason: 'Tested', message: 'tested', source: { component: 'evenkeel' } },
    });
    expect(await port.create(hubEvents, event('default'))).toMatchObject({ result: 'done' });
    expect(await port.create(hubEvents, event('default'))).toEqual({ result: 'conflict' });
    await expect(port.create(hubEvents, event(NAME))).rejects.toThrow('answered 422');
    const wrong = { metadata: { name: `${NAME}-empty` }, spec: { workloads: [] } };
    await expect(port.create(workloadRebalancers, wrong)).rejects.toThrow('spec.workloads');
  });

  it('deletes only the object with the given uid and resourceVersion', async () => {
    const { metadata } = await administrator.rebalancer(NAME, [deploymentIn(NAME, 'missing')]);
    const key = { namespace: '', name: NAME };
    const now = await port.get(workloadRebalancers, key);
    const another = { uid: '00000000-0000-0000-0000-000000000000', resourceVersion: now?.resourceVersion ?? '' };
    expect(await port.delete(workloadRebalancers, key, another)).toEqual({ result: 'conflict' });
    expect(await port.delete(workloadRebalancers, key, { uid: metadata.uid, resourceVersion: '1' })).toEqual({
      result: 'conflict',
    });
    const identity = await port.identify(workloadRebalancers, key, { notOlderThan: now?.resourceVersion });
    expect(identity?.uid).toBe(metadata.uid);
    // Later than all versions of the hub, as after a restore from a backup.
    const never = { notOlderThan: String(Number(now?.resourceVersion) + 1_000_000) };
    expect(await port.identify(workloadRebalancers, key, never)).toEqual(identity);
    const current = { uid: metadata.uid, resourceVersion: now?.resourceVersion ?? '' };
    expect(await port.delete(workloadRebalancers, key, current)).toMatchObject({ result: 'done' });
    expect(await port.delete(workloadRebalancers, key, current)).toEqual({ result: 'missing' });
  });

  it('lists all objects even if the version of the list expires between two pages', async () => {
    const pages: (readonly Binding[])[] = [];
    for await (const page of port.list(resourceBindings)) {
      if (pages.length === 0) {
        const label = { metadata: { labels: { changed: String(Date.now()) } } };
        await administrator.merge(
          `/apis/work.karmada.io/v1alpha2/namespaces/${NAME}/resourcebindings/w000-deployment`,
          label,
        );
        await forgetVersions(rig, hub);
      }
      pages.push(page);
    }
    expect(new Set(ofThisTest(pages.flat()))).toEqual(new Set(names.map((name) => `${name}-deployment`)));
    // The list goes on with the token of the 410: no page is read twice.
    const keys = pages.flat().map(({ key }) => keyText(key));
    expect(keys.length).toBe(new Set(keys).size);
  });

  it('reads the changes since a list, with deletions, and none if the hub has forgotten the version', async () => {
    const namespace = `${NAME}-changes`;
    const path = `/apis/work.karmada.io/v1alpha2/namespaces/${namespace}/resourcebindings`;
    const keyOf = (name: string) => keyText({ namespace, name: `${name}-deployment` });
    await administrator.bindings(namespace, ['kept', 'gone', 'same']);
    let from = '';
    for await (const page of port.list(resourceBindings, { onVersion: (version) => (from = version) }))
      expect(page.length).toBeGreaterThan(0);
    for (const name of ['kept', 'gone'])
      await administrator.merge(`${path}/${name}-deployment`, { metadata: { labels: { changed: 'yes' } } });
    await administrator.delete(`${path}/gone-deployment`);
    // The newest version is of another kind, so that the watch ends with a bookmark.
    await administrator.bindings(`${NAME}-later`, []);
    const changes = await port.changes(resourceBindings, from);
    expect([...(changes?.changed.keys() ?? [])].toSorted()).toEqual([keyOf('gone'), keyOf('kept')]);
    expect(changes?.changed.get(keyOf('kept'))).toMatchObject({ key: { namespace, name: 'kept-deployment' } });
    expect(changes?.changed.get(keyOf('gone'))).toBeUndefined();
    expect(Number(changes?.version)).toBeGreaterThan(Number(from));
    expect(await port.changes(resourceBindings, '1')).toBeUndefined();
  });
});
