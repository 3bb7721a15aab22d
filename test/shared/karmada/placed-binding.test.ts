import { describe, expect, it } from 'vitest';
import { resourceBindings } from '../../../shared/karmada/binding.ts';
import { bindingOf, isWorkload, parsePlacedBinding, placedKind } from '../../../shared/karmada/placed-binding.ts';
import { resourcePath } from '../../../shared/kubernetes/resource.ts';
import { at } from '../../builders.ts';
import { bindingObject, DYNAMIC, placedBinding } from '../../placed-objects.ts';

const small = {
  metadata: { name: 'web-deployment', uid: 'u' },
  spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
};

describe('a parsed binding', () => {
  it('has defaults for all that a hub leaves out', () => {
    expect(parsePlacedBinding(small)).toEqual({
      metadata: {
        name: 'web-deployment',
        namespace: '',
        uid: 'u',
        resourceVersion: '',
        generation: 1,
        annotations: {},
      },
      spec: {
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: '', name: 'web', uid: '' },
        replicas: 0,
        clusters: [],
        schedulerName: '',
      },
      status: { conditions: [], aggregatedStatus: [] },
      storedPlacement: undefined,
    });
    expect(parsePlacedBinding({ ...small, status: {} }).status).toEqual({ conditions: [], aggregatedStatus: [] });
    const required = { ...small, spec: { ...small.spec, requiredBy: [{}] } };
    expect(parsePlacedBinding(required).spec.requiredBy).toEqual([{ namespace: '', name: '' }]);
  });

  it('keeps its clusters, its evictions, its suspension and its aggregated status', () => {
    const spec = {
      clusters: [{ name: 'm1', replicas: 2 }, { name: 'm2' }],
      replicaRequirements: { resourceRequest: { cpu: '500m' }, namespace: 'shop', priorityClassName: 'high' },
      schedulePriority: {},
      replicaReductionStrategy: 'DelayWorkDeletion',
      rescheduleTriggeredAt: '2026-11-21T10:00:05Z',
      suspension: { scheduling: true, dispatching: false, dispatchingOnClusters: { clusterNames: ['m1'] } },
      requiredBy: [{ bindingID: 'x', clusters: [{ name: 'm1', replicas: 1 }] }],
      gracefulEvictionTasks: [{ fromCluster: 'm3', producer: 'p', suppressDeletion: true, gracePeriodSeconds: 5 }],
    };
    const report = { replicas: 2, readyReplicas: 1, updatedReplicas: 2, generation: 3, observedGeneration: 2 };
    const status = {
      lastScheduledTime: '2026-11-21T10:00:07Z',
      schedulerObservedGeneration: 4,
      schedulerObservingAffinityName: 'near',
      conditions: [{ type: 'Scheduled', status: 'True', reason: 'Success', message: 'ok' }],
      aggregatedStatus: [
        { clusterName: 'm1', applied: true, health: 'Healthy', status: { ...report, resourceTemplateGeneration: 9 } },
      ],
    };
    const read = placedBinding({ placement: null, spec, status });
    expect(read.spec).toMatchObject({
      ...spec,
      clusters: [
        { name: 'm1', replicas: 2 },
        { name: 'm2', replicas: 0 },
      ],
      schedulePriority: { priority: 0 },
      replicaRequirements: { namespace: 'shop', priorityClassName: 'high' },
      rescheduleTriggeredAt: at(5),
      requiredBy: [{ bindingID: 'x', namespace: '', name: '', clusters: [{ name: 'm1', replicas: 1 }] }],
    });
    expect(read.status).toEqual({ ...status, lastScheduledTime: at(7) });
  });

  it('keeps its placement as stored, with fields that no function reads', () => {
    const placement = { clusterTolerations: [], somethingNew: { a: 1 } };
    expect(placedBinding({ placement }).storedPlacement).toEqual(placement);
    expect(placedBinding({ placement }).spec.placement).not.toHaveProperty('somethingNew');
  });

  it.each([
    ['without a name', { ...small, metadata: { uid: 'u' } }, 'binding (no name) cannot be read: metadata.name'],
    [
      'with a requiredBy cluster without a name',
      { ...small, spec: { ...small.spec, requiredBy: [{ clusters: [{}] }] } },
      'binding web-deployment cannot be read: spec.requiredBy.0.clusters.0.name',
    ],
    [
      'with an empty condition',
      { ...small, status: { conditions: [{}] } },
      'binding web-deployment cannot be read: status.conditions.0.type',
    ],
    ['without what it is of', { ...small, spec: {} }, 'binding web-deployment cannot be read: spec.resource'],
  ])('%s is rejected', (_what, object, description) => {
    expect(() => parsePlacedBinding(object)).toThrow(description);
  });

  it('is a ResourceBinding in a namespace, and a ClusterResourceBinding without', () => {
    expect(resourcePath(placedKind({ namespace: 'shop' }), { namespace: 'shop' })).toBe(
      '/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings',
    );
    expect(resourcePath(placedKind({ namespace: '' }))).toBe('/apis/work.karmada.io/v1alpha2/clusterresourcebindings');
    expect(placedKind({ namespace: '' }).parse(small)).toHaveProperty('status.aggregatedStatus', []);
  });
});

it('has what triggers read, as a binding that is parsed for them alone', () => {
  const object = bindingObject({
    name: 'web',
    current: { m1: 3 },
    scheduled: { placement: { replicaScheduling: DYNAMIC }, at: '2026-11-21T09:59:00Z' },
    placement: { replicaScheduling: DYNAMIC },
    spec: { schedulerName: 'evenkeel', rescheduleTriggeredAt: '2026-11-21T09:58:00Z' },
  }) as { metadata: { annotations: Record<string, string> } };
  Object.assign(object.metadata.annotations, {
    'evenkeel.dev/triggered-by': 'demo/uid',
    'evenkeel.dev/triggered-at': '2026-11-21T09:58:00Z',
    'evenkeel.dev/request-version': '7',
  });
  const placed = parsePlacedBinding(object);
  const { uid: _, ...resource } = placed.spec.resource;
  expect({ ...bindingOf(placed), resource }).toEqual(resourceBindings.parse(object));
});

describe('whether a binding has replicas to divide', () => {
  it.each<[string, number, object, boolean]>([
    ['some', 1, {}, true],
    ['none of a kind that has no replicas', 0, {}, false],
    ['none now, of a kind that has', 0, { replicaRequirements: {} }, true],
    ['some, of one component', 2, { components: [{}] }, true],
    ['some, of two components', 2, { components: [{}, {}] }, false],
    ['none, by default', 0, { replicaRequirements: null, components: null }, false],
  ])('%s', (_what, replicas, spec, divided) => {
    expect(isWorkload(placedBinding({ replicas, spec }))).toBe(divided);
  });
});
