/** A hub with the hold policy keeps pods until their reduction is removed from the queue; without the policy they are removed at once. */
import { describe, expect, it } from 'vitest';
import { startHubServer } from '../../local/practice-hub/hub-server.ts';
import type { KubeObject } from '../../local/practice-hub/store/objects.ts';
import { DEFAULT_GRACE_SECONDS } from '../../shared/core/settings.ts';
import {
  DELAY_WORK_DELETION,
  QUEUE,
  REDUCTION_STRATEGY,
  RELEASED_FOR,
} from '../../shared/graceful-reduction/replica-reduction.ts';
import { holdPolicy } from '../../shared/manifests/holds.ts';
import { HubClient } from '../contracts/hub-api/client.ts';
import {
  account,
  byAvailable,
  deployment,
  memoryChangeLog,
  type PracticeFleet,
  policy,
  startPracticeFleet,
  three,
  user,
} from '../fakes/practice-fleet.ts';

const key = { namespace: 'shop', name: 'web-deployment' };
const web = { namespace: 'shop', name: 'web' };
const toNone = [share('member2', 6), share('member3', 6)];
const toLess = [share('member1', 2), share('member2', 5), share('member3', 5)];

function share(name: string, replicas: number): object {
  return { name, replicas };
}

function merge(hub: PracticeFleet, body: object): KubeObject {
  return hub.store.patch('resourcebindings', key, { type: 'merge', body }, user);
}

/** web with 12 replicas, 4 on each member, all ready; its binding requests graceful reduction. */
function spread(holds = true, changeLog = memoryChangeLog()): PracticeFleet {
  const hub = startPracticeFleet({ members: three, holds, changeLog });
  hub.store.create('propagationpolicies', policy('web', byAvailable), user);
  hub.store.create('deployments', deployment('web', { replicas: 12 }), user);
  hub.clock.runAll();
  merge(hub, { metadata: { annotations: { [REDUCTION_STRATEGY]: DELAY_WORK_DELETION } } });
  hub.clock.runAll();
  return hub;
}

function release(hub: PracticeFleet): void {
  merge(hub, { metadata: { annotations: { [`${QUEUE}member1`]: null } } });
  hub.clock.runAll();
}

/** The minimum of ready replicas, sampled every 100 ms. */
function fewestReady(hub: PracticeFleet, clusters: readonly object[]): number {
  merge(hub, { spec: { clusters } });
  let fewest = Number.POSITIVE_INFINITY;
  for (let ms = 0; ms < 5000; ms += 100) {
    fewest = Math.min(fewest, total(hub));
    hub.clock.advance(100);
  }
  return fewest;
}

function total(hub: PracticeFleet): number {
  return Object.values(hub.ready('web')).reduce((sum, ready) => sum + ready, 0);
}

function editTemplate(hub: PracticeFleet): void {
  const metadata = { annotations: { edited: String(hub.clock.now()) } };
  hub.store.patch('deployments', web, { type: 'merge', body: { spec: { template: { metadata } } } }, user);
  hub.clock.runAll();
}

function reported(hub: PracticeFleet, cluster: string): unknown {
  const items = hub.binding('web').status?.aggregatedStatus as readonly { clusterName: string; status: object }[];
  return items.find(({ clusterName }) => clusterName === cluster)?.status;
}

describe('on a hub with the hold policy', () => {
  it('a deselected cluster keeps its pods until it is removed from the queue', () => {
    const hub = spread();
    expect(fewestReady(hub, toNone)).toBe(12);
    expect(hub.ready('web')).toEqual({ member1: 4, member2: 6, member3: 6 });
    release(hub);
    expect(hub.ready('web')).toEqual({ member2: 6, member3: 6 });
    expect(hub.binding('web').spec).not.toHaveProperty('requiredBy');
    expect(hub.binding('web').metadata.annotations?.[RELEASED_FOR]).toBe(hub.lastScheduled('web'));
    expect(hub.faults).toEqual([]);
  });

  it('a cluster with fewer assigned replicas keeps its pods until it is removed from the queue', () => {
    const hub = spread();
    expect(fewestReady(hub, toLess)).toBe(12);
    expect(hub.ready('web')).toEqual({ member1: 4, member2: 5, member3: 5 });
    release(hub);
    expect(hub.ready('web')).toEqual({ member1: 2, member2: 5, member3: 5 });
    expect(hub.faults).toEqual([]);
  });

  it('a cluster with fewer and then no assigned replicas keeps the initial number', () => {
    const hub = spread();
    fewestReady(hub, toLess);
    fewestReady(hub, toNone);
    expect(hub.ready('web')).toEqual({ member1: 4, member2: 6, member3: 6 });
    release(hub);
    expect(hub.ready('web')).toEqual({ member2: 6, member3: 6 });
  });

  it('a template change is not applied to a cluster with fewer assigned replicas', () => {
    const hub = spread();
    fewestReady(hub, toLess);
    editTemplate(hub);
    expect(hub.ready('web')).toMatchObject({ member1: 4 });
    expect(reported(hub, 'member1')).toMatchObject({ generation: 1, resourceTemplateGeneration: 1 });
    expect(reported(hub, 'member2')).toMatchObject({ generation: 3, resourceTemplateGeneration: 2 });
  });

  it('a template change is applied to a deselected cluster, which keeps a Work of its own', () => {
    const hub = spread();
    fewestReady(hub, toNone);
    editTemplate(hub);
    expect(hub.ready('web')).toMatchObject({ member1: 4 });
    expect(reported(hub, 'member1')).toMatchObject({ generation: 2, resourceTemplateGeneration: 2 });
  });

  it('a policy change releases nothing', () => {
    const hub = spread();
    fewestReady(hub, toLess);
    const placement = { ...byAvailable, clusterTolerations: [{ key: 'a', operator: 'Exists' }] };
    hub.store.patch('propagationpolicies', web, { type: 'merge', body: { spec: { placement } } }, user);
    hub.clock.runAll();
    expect(hub.binding('web').spec?.placement).toEqual(placement);
    expect(hub.ready('web')).toMatchObject({ member1: 4 });
  });

  it('a cluster that keeps its pods can get replicas again, without restarts', () => {
    const hub = spread();
    fewestReady(hub, toNone);
    expect(fewestReady(hub, [share('member1', 4), share('member2', 4), share('member3', 4)])).toBe(16);
    expect(hub.ready('web')).toMatchObject({ member1: 4 });
    expect(hub.binding('web').spec).not.toHaveProperty('requiredBy');
  });

  it('a workload that is scaled down is reduced at once in all its clusters', () => {
    const hub = spread();
    hub.store.patch('deployments', web, { type: 'merge', body: { spec: { replicas: 3 } } }, user);
    hub.clock.runAll();
    expect([total(hub), hub.binding('web').metadata.annotations?.[`${QUEUE}member1`]]).toEqual([3, undefined]);
  });

  it('a workload that is scaled down during a move keeps no more replicas than its spec has', () => {
    const hub = spread();
    hub.fleet.setReadyDelay('member2', 3600_000);
    hub.fleet.setReadyDelay('member3', 3600_000);
    fewestReady(hub, toNone);
    hub.store.patch('deployments', web, { type: 'merge', body: { spec: { replicas: 3 } } }, user);
    hub.clock.advance(5000);
    expect(hub.ready('web')).toMatchObject({ member1: 3 });
  });

  it('a reduction is released by any write after its grace period, without our functions', () => {
    const hub = spread();
    fewestReady(hub, toLess);
    merge(hub, { metadata: { labels: { seen: 'early' } } });
    hub.clock.runAll();
    expect(hub.ready('web')).toMatchObject({ member1: 4 });
    hub.clock.advance(DEFAULT_GRACE_SECONDS * 1000);
    editTemplate(hub);
    expect(hub.ready('web')).toEqual({ member1: 2, member2: 5, member3: 5 });
    expect(hub.binding('web').metadata.annotations).not.toHaveProperty([`${QUEUE}member1`]);
  });

  it('a workload without any cluster is removed, because nothing replaces it', () => {
    const hub = spread();
    const nowhere = { ...byAvailable, clusterAffinity: { clusterNames: ['no-such-cluster'] } };
    hub.store.patch('propagationpolicies', web, { type: 'merge', body: { spec: { placement: nowhere } } }, user);
    hub.clock.runAll();
    expect([total(hub), hub.binding('web').spec?.clusters ?? []]).toEqual([0, []]);
  });

  it('holds and policy survive a restart of the hub', () => {
    const changeLog = memoryChangeLog();
    const before = spread(true, changeLog);
    fewestReady(before, toLess);
    const held = before.binding('web');
    before.fleet.close();
    const hub = startPracticeFleet({ members: three, changeLog, clock: before.clock });
    // The detector reconciles everything after a start, and removes fields that it does not own; the holds stay.
    expect(hub.binding('web')).toEqual(held);
    fewestReady(hub, toNone);
    expect(hub.ready('web')).toEqual({ member1: 4, member2: 6, member3: 6 });
    release(hub);
    expect(hub.ready('web')).toEqual({ member2: 6, member3: 6 });
  });

  it('a workload without graceful reduction is reduced at once', () => {
    const hub = spread();
    merge(hub, { metadata: { annotations: { [REDUCTION_STRATEGY]: null } } });
    expect(fewestReady(hub, toNone)).toBe(8);
  });
});

describe('on a hub without the policy', () => {
  it('fewer replicas are ready until the new pods are', () => {
    expect(fewestReady(spread(false), toNone)).toBe(8);
    expect(fewestReady(spread(false), toLess)).toBe(10);
  });

  it('a template change lifts a suspension that a user wrote, as the detector of Karmada does', () => {
    const hub = spread(false);
    merge(hub, { spec: { suspension: { scheduling: true, dispatchingOnClusters: { clusterNames: ['member1'] } } } });
    hub.clock.runAll();
    expect(hub.binding('web').spec?.suspension).toMatchObject({ dispatchingOnClusters: { clusterNames: ['member1'] } });
    editTemplate(hub);
    expect(hub.binding('web').spec?.suspension).toEqual({ scheduling: true });
  });

  it('applying the policy over the API enables holds, and deleting it disables them', async () => {
    const hub = await startHubServer({ port: 0 });
    const client = new HubClient({
      connection: { server: hub.url, hookTokens: [] },
      forget: async () => {},
      stop: hub.close,
    });
    const url = '/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings';
    const annotations = { [REDUCTION_STRATEGY]: DELAY_WORK_DELETION };
    const spec = { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, replicas: 4 };
    const binding = {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: { name: 'web', annotations },
    };
    await client.send('POST', url, { ...binding, spec: { ...spec, clusters: [share('member1', 4)] } });
    const keptAfter = async (clusters: readonly object[]) => {
      const { body } = await client.merge(`${url}/web`, { spec: { clusters } });
      return ((body.spec as { requiredBy?: { clusters: { name: string }[] }[] }).requiredBy ?? []).flatMap(
        ({ clusters }) => clusters.map(({ name }) => name),
      );
    };
    const group = '/apis/admissionregistration.k8s.io/v1beta1';
    const [mutating, bound] = holdPolicy({ account });
    expect(await keptAfter([share('member2', 4)])).toEqual([]);
    expect((await client.send('POST', `${group}/mutatingadmissionpolicies`, mutating?.object)).code).toBe(201);
    // A policy without a binding has no effect.
    expect(await keptAfter([share('member1', 4)])).toEqual([]);
    expect((await client.send('POST', `${group}/mutatingadmissionpolicybindings`, bound?.object)).code).toBe(201);
    expect(await keptAfter([share('member2', 4)])).toEqual(['member1']);
    const [{ metadata }] = [mutating?.object as KubeObject];
    await client.send('DELETE', `${group}/mutatingadmissionpolicies/${metadata.name}`);
    expect(await keptAfter([share('member3', 4)])).toEqual(['member1']);
    await hub.close();
  });
});
