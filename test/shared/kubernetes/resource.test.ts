import { describe, expect, it } from 'vitest';
import { hubEvents } from '../../../shared/kubernetes/object-event.ts';
import { podOwnerOf, pods } from '../../../shared/kubernetes/pods.ts';
import { priorityClasses } from '../../../shared/kubernetes/priority-class.ts';
import { apiVersionOf, kindOf, resourcePath, unread } from '../../../shared/kubernetes/resource.ts';
import { workloadKindOf } from '../../../shared/kubernetes/workload-metadata.ts';

const metadata = { name: 'web', uid: 'u', resourceVersion: '5', creationTimestamp: '2026-11-21T10:00:00Z' };

describe('the path of a kind', () => {
  it.each([
    [hubEvents, {}, '/api/v1/events'],
    [hubEvents, { namespace: 'shop' }, '/api/v1/namespaces/shop/events'],
    [hubEvents, { namespace: 'a/b', name: 'c d' }, '/api/v1/namespaces/a%2Fb/events/c%20d'],
    [priorityClasses, {}, '/apis/scheduling.k8s.io/v1/priorityclasses'],
    [priorityClasses, { namespace: 'shop', name: 'high' }, '/apis/scheduling.k8s.io/v1/priorityclasses/high'],
  ])('%# of the core or a group, in a namespace or none', (resource, key, path) => {
    expect(resourcePath(resource, key)).toBe(path);
  });

  it('supports an apiVersion of the core group', () => {
    expect([apiVersionOf(hubEvents), apiVersionOf(priorityClasses)]).toEqual(['v1', 'scheduling.k8s.io/v1']);
    for (const kind of [hubEvents, priorityClasses])
      expect(kind).toMatchObject(kindOf({ apiVersion: apiVersionOf(kind), kind: kind.kind }));
  });

  it.each([
    [hubEvents, 'Event', '/api/v1/namespaces/shop/events'],
    [pods, 'Pod', '/api/v1/namespaces/shop/pods'],
    [priorityClasses, 'PriorityClass', '/apis/scheduling.k8s.io/v1/priorityclasses'],
  ])('%# is that of its kind', (resource, kind, path) => {
    expect([resource.kind, resourcePath(resource, { namespace: 'shop' })]).toEqual([kind, path]);
  });

  it.each([
    ['apps/v1', 'Deployment', '/apis/apps/v1/namespaces/shop/deployments'],
    ['apps/v1', 'StatefulSet', '/apis/apps/v1/namespaces/shop/statefulsets'],
    ['batch/v1', 'Job', '/apis/batch/v1/namespaces/shop/jobs'],
  ])('whose pods are counted is that of its kind: %s %s', (apiVersion, kind, path) => {
    const owner = podOwnerOf({ apiVersion, kind });
    expect(owner && resourcePath(owner, { namespace: 'shop' })).toBe(path);
  });
});

describe('a kind whose response body is not parsed', () => {
  it('is requested as metadata only, at the same path, and returns nothing', () => {
    const resource = unread(pods);
    expect(resourcePath(resource, { namespace: 'shop', name: 'a' })).toBe('/api/v1/namespaces/shop/pods/a');
    expect(resource.metadataOnly).toBe(true);
    expect(resource.parse({ nothing: 'of a pod' })).toBeUndefined();
  });
});

describe('kinds that are read in part', () => {
  it('a PriorityClass is its number', () => {
    expect(priorityClasses.parse({ metadata: { ...metadata, name: 'high' }, value: 1000 })).toEqual({
      name: 'high',
      value: 1000,
    });
    expect(() => priorityClasses.parse({ metadata })).toThrow('PriorityClass web cannot be read: value');
  });

  it('an Event is never read', () => {
    expect(hubEvents.parse({ metadata })).toBeUndefined();
  });

  it.each([
    ['apps/v1', 'Deployment', 'deployments'],
    ['apps/v1', 'StatefulSet', 'statefulsets'],
    ['batch/v1', 'Job', 'jobs'],
  ])('of %s a %s is its labels and annotations', (apiVersion, kind, plural) => {
    const resource = workloadKindOf({ apiVersion, kind });
    expect(resource && resourcePath(resource, { namespace: 'shop' })).toBe(
      `/apis/${apiVersion}/namespaces/shop/${plural}`,
    );
    expect(resource?.metadataOnly).toBe(true);
    const labels = { app: 'web' };
    expect(resource?.parse({ metadata: { ...metadata, namespace: 'shop', labels } })).toEqual({
      key: { namespace: 'shop', name: 'web' },
      labels,
      annotations: {},
    });
    expect(() => resource?.parse({ metadata: {} })).toThrow(`${kind} (no name) cannot be read`);
  });

  it.each([
    ['an autoscaler', { manager: 'keda', subresource: 'scale' }, true],
    ['kubectl', { manager: 'kubectl', subresource: 'scale' }, undefined],
    ['a client that edits the object', { manager: 'argocd', time: '2026-11-21T10:01:00Z' }, undefined],
  ])('knows whether its replicas are scaled by %s', (_, writer, expected) => {
    const deployment = workloadKindOf({ apiVersion: 'apps/v1', kind: 'Deployment' });
    const managedFields = [{ ...writer, operation: 'Update' }];
    const parsed = deployment?.parse({ metadata: { ...metadata, namespace: 'shop', managedFields } });
    expect(parsed?.isScaledByClient).toBe(expected);
  });

  it.each([
    ['apps/v1', 'Job'],
    ['batch/v1', 'Deployment'],
    ['v1', 'ConfigMap'],
  ])('of %s a %s is none', (apiVersion, kind) => {
    expect(workloadKindOf({ apiVersion, kind })).toBeUndefined();
  });
});
