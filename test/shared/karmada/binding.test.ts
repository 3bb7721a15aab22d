import { describe, expect, it } from 'vitest';
import {
  bindingKey,
  bindingResource,
  clusterResourceBindings,
  resourceBindings,
} from '../../../shared/karmada/binding.ts';
import { resourcePath } from '../../../shared/kubernetes/resource.ts';
import { at, clusterRole, deployment } from '../../builders.ts';

describe("a workload's binding", () => {
  it.each([
    ['name and kind in lower case', deployment('web'), 'shop', 'web-deployment'],
    ['an upper case name', deployment('Web'), 'shop', 'web-deployment'],
    ['a colon as a dot', clusterRole('system:Reader'), '', 'system.reader-clusterrole'],
    ['every colon', clusterRole('a:b:c'), '', 'a.b.c-clusterrole'],
    ['a kind of several words', { ...deployment('x'), kind: 'StatefulSet' }, 'shop', 'x-statefulset'],
  ])('has %s', (_, workload, namespace, name) => {
    expect(bindingKey(workload)).toEqual({ namespace, name });
  });

  it('is a ResourceBinding for a namespaced workload and a ClusterResourceBinding for another', () => {
    expect(bindingResource(deployment('web')).kind).toBe('ResourceBinding');
    expect(bindingResource(clusterRole('reader')).kind).toBe('ClusterResourceBinding');
  });

  it('is identified by kind, namespace and name alone: another apiVersion of the workload has the same binding', () => {
    const web = { kind: 'Deployment', namespace: 'shop', name: 'web' };
    expect(bindingKey({ ...web, apiVersion: 'apps/v1beta1' })).toEqual(bindingKey({ ...web, apiVersion: 'apps/v1' }));
  });

  it('lies at the path of its kind', () => {
    const path = (workload: ReturnType<typeof deployment>) =>
      resourcePath(bindingResource(workload), bindingKey(workload));
    expect(path(deployment('web'))).toBe(
      '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/web-deployment',
    );
    expect(path(clusterRole('a'))).toBe('/apis/work.karmada.io/v1alpha2/clusterresourcebindings/a-clusterrole');
    expect(resourcePath(clusterResourceBindings, { namespace: 'shop' })).toBe(
      '/apis/work.karmada.io/v1alpha2/clusterresourcebindings',
    );
  });
});

describe('reading a binding', () => {
  const metadata = {
    name: 'web-deployment',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '5',
    creationTimestamp: '2026-11-21T10:00:00Z',
  };

  it('takes its times and numbers, and who triggered it for which request', () => {
    const annotations = {
      'evenkeel.dev/triggered-by': 'demo/u',
      'evenkeel.dev/triggered-at': '2026-11-21T11:00:05+01:00',
      'evenkeel.dev/requested-at': '2026-11-21T10:00:04Z',
      'evenkeel.dev/request-version': '77',
    };
    const clusterAffinities = [{ affinityName: 'near' }, { affinityName: 'far' }];
    const spec = { rescheduleTriggeredAt: '2026-11-21T10:00:05Z', replicas: 3, placement: { clusterAffinities } };
    const status = {
      lastScheduledTime: '2026-11-21T11:00:07+01:00',
      schedulerObservedGeneration: 3,
      schedulerObservingAffinityName: 'far',
    };
    expect(resourceBindings.parse({ metadata: { ...metadata, annotations, generation: 4 }, spec, status })).toEqual({
      key: { namespace: 'shop', name: 'web-deployment' },
      resourceVersion: '5',
      generation: 4,
      schedulerObservedGeneration: 3,
      usesLaterTerm: true,
      signature: { triggeredBy: 'demo/u', triggeredAt: at(5), requestedAt: at(4), requestVersion: '77' },
      rescheduleTriggeredAt: at(5),
      lastScheduledTime: at(7),
    });
  });

  it('has no signature without an author, and no times in it that are none', () => {
    const key = { namespace: 'shop', name: 'web-deployment' };
    const read = (annotations: object) => resourceBindings.parse({ metadata: { ...metadata, annotations } });
    expect(read({ 'evenkeel.dev/triggered-at': '2026-11-21T10:00:05Z' })).toEqual({
      key,
      resourceVersion: '5',
      generation: 1,
    });
    const signed = { 'evenkeel.dev/triggered-by': 'demo/u', 'evenkeel.dev/triggered-at': 'yesterday' };
    expect(read(signed).signature).toEqual({ triggeredBy: 'demo/u' });
  });

  it.each([
    ['ours', { schedulerName: 'evenkeel' }, { schedulerName: 'evenkeel' }],
    ["karmada-scheduler's, which may be left out", { schedulerName: '' }, {}],
    ["karmada-scheduler's, by default", { schedulerName: null }, {}],
  ])('is %s', (_, spec, expected) => {
    const key = { namespace: 'shop', name: 'web-deployment' };
    expect(resourceBindings.parse({ metadata, spec })).toStrictEqual({
      key,
      resourceVersion: '5',
      generation: 1,
      ...expected,
    });
  });

  it.each([
    ['nothing is there yet', {}],
    ['null stands for absent', { spec: { rescheduleTriggeredAt: null }, status: null }],
    ['there is much else', { spec: { clusters: [{ name: 'm1' }] }, status: { conditions: [] } }],
  ])('has no times where %s', (_, rest) => {
    expect(resourceBindings.parse({ metadata, ...rest })).toEqual({
      key: { namespace: 'shop', name: 'web-deployment' },
      resourceVersion: '5',
      generation: 1,
    });
  });

  it.each([
    ['no uid', { metadata: { ...metadata, uid: '' } }, 'metadata.uid'],
    ['a time that is none', { metadata, status: { lastScheduledTime: 'soon' } }, 'status.lastScheduledTime'],
    ['nothing at all', undefined, 'binding (no name)'],
  ])('rejects an object with %s, and names it', (_, object, description) => {
    expect(() => resourceBindings.parse(object)).toThrow(description);
  });
});
