import { describe, expect, it } from 'vitest';
import { resourcePath } from '../../../shared/kubernetes/resource.ts';
import {
  rebalanceSpec,
  workloadRebalancers,
  writeStatus,
} from '../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { at, clusterRole, deployment } from '../../builders.ts';

const metadata = {
  name: 'demo',
  uid: 'u',
  resourceVersion: '5',
  generation: 2,
  creationTimestamp: '2026-11-21T10:00:00Z',
};
const workloads = [{ apiVersion: 'v1', kind: 'Namespace', name: 'x' }];

describe('reading a WorkloadRebalancer', () => {
  it('takes an absent namespace as cluster-scoped', () => {
    expect(workloadRebalancers.parse({ metadata, spec: { workloads } }).workloads[0]?.namespace).toBe('');
  });

  it('distinguishes a ttl of 0 from a missing one', () => {
    expect(
      workloadRebalancers.parse({ metadata, spec: { workloads, ttlSecondsAfterFinished: 0 } }).ttlSecondsAfterFinished,
    ).toBe(0);
    expect(workloadRebalancers.parse({ metadata, spec: { workloads } })).not.toHaveProperty('ttlSecondsAfterFinished');
  });

  const annotated = (value: string) => ({
    metadata: { ...metadata, annotations: { 'evenkeel.dev/preserve-available-replicas': value } },
    spec: { workloads },
  });
  it.each([
    [{ metadata, spec: { workloads } }, undefined],
    [{ metadata, spec: { workloads, reschedule: null } }, undefined],
    [{ metadata, spec: { workloads, reschedule: { preserveAvailableReplicas: false } } }, undefined],
    [{ metadata, spec: { workloads, reschedule: { preserveAvailableReplicas: true } } }, true],
    [annotated('false'), undefined],
    [annotated('true'), true],
    // A typing error must not move more than was meant.
    [annotated('yes'), true],
    [annotated(''), true],
  ])('reads from %j whether available replicas are preserved', (object, preserves) => {
    const read = workloadRebalancers.parse(object);
    expect(read.preservesAvailable).toBe(preserves);
    expect(read).not.toHaveProperty('unknownFields');
  });

  it('takes the time of the last change from managedFields, and none of a status write', () => {
    const managedFields = [
      { manager: 'kubectl', operation: 'Update', time: '2026-11-21T10:00:09Z' },
      { manager: 'kubectl', operation: 'Apply', time: '2026-11-21T10:00:04Z' },
      { manager: 'evenkeel', operation: 'Update', subresource: 'status', time: '2026-11-21T10:00:30Z' },
      { manager: 'odd' },
    ];
    expect(workloadRebalancers.parse({ metadata: { ...metadata, managedFields }, spec: { workloads } }).changedAt).toBe(
      at(9),
    );
  });

  it('reads back the status it writes', () => {
    const status = {
      observedWorkloads: [
        { workload: { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'x' }, result: 'Successful' as const },
        {
          workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'y' },
          result: 'Failed' as const,
          reason: 'ReferencedBindingNotFound' as const,
        },
      ],
      observedGeneration: 2,
      finishTime: at(5),
    };
    const written: unknown = JSON.parse(JSON.stringify(writeStatus(status)));
    expect(workloadRebalancers.parse({ metadata, spec: { workloads }, status: written }).status).toEqual(status);
  });
});

describe('a WorkloadRebalancer', () => {
  it('just made, is nothing but its list', () => {
    expect(workloadRebalancers.parse({ metadata, spec: { workloads } })).toStrictEqual({
      name: 'demo',
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: at(0),
      workloads: [{ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'x' }],
      status: { observedWorkloads: [], observedGeneration: 0 },
    });
  });

  it('names the policy and the wave that it is of, and when it is to go', () => {
    const ours = {
      ...metadata,
      deletionTimestamp: '2026-11-21T10:00:05Z',
      labels: { 'evenkeel.dev/rebalance-policy': 'nightly' },
      annotations: { 'evenkeel.dev/rebalance-wave': '7/2' },
    };
    expect(workloadRebalancers.parse({ metadata: ours, spec: { workloads } })).toMatchObject({
      deletionTimestamp: at(5),
      policy: 'nightly',
      wave: '7/2',
    });
  });

  it.each([
    ['a list', { metadata, spec: {} }, 'WorkloadRebalancer demo cannot be read: spec.workloads'],
    [
      'a name of a workload',
      { metadata, spec: { workloads: [{ apiVersion: 'v1', kind: 'x' }] } },
      'spec.workloads.0.name',
    ],
  ])('without %s cannot be read', (_what, object, description) => {
    expect(() => workloadRebalancers.parse(object)).toThrow(description);
  });

  it('names the fields of its spec that are not implemented, and those of several workloads once', () => {
    const [workload] = workloads;
    const more = [1, 2].map((n) => ({ ...workload, name: `web-${n}`, weight: n }));
    const unknown = workloadRebalancers.parse({
      metadata,
      spec: { workloads: more, reschedule: { drain: true }, constructor: 1 },
    });
    expect(unknown.unknownFields).toEqual(['spec.constructor', 'spec.reschedule.drain', 'spec.workloads[].weight']);
    expect(workloadRebalancers.parse({ metadata, spec: { workloads } })).not.toHaveProperty('unknownFields');
  });

  const withStatus = (words: object) => ({
    metadata,
    spec: { workloads },
    status: { observedWorkloads: [{ workload: workloads[0], ...words }] },
  });

  it('with another result than there are cannot be read', () => {
    expect(() => workloadRebalancers.parse(withStatus({ result: 'Maybe' }))).toThrow(
      'status.observedWorkloads.0.result',
    );
  });

  it('with a reason of another version is read', () => {
    const words = { result: 'Failed', reason: 'ReasonOfALaterVersion' };
    expect(workloadRebalancers.parse(withStatus(words)).status.observedWorkloads[0]).toMatchObject(words);
  });

  it('lies at the path of its kind, in no namespace', () => {
    expect(workloadRebalancers.kind).toBe('WorkloadRebalancer');
    expect(resourcePath(workloadRebalancers, { namespace: 'shop', name: 'demo' })).toBe(
      '/apis/apps.karmada.io/v1alpha1/workloadrebalancers/demo',
    );
  });

  it('to be created names no empty namespace, and a ttl only where there is one', () => {
    expect(rebalanceSpec([deployment('web'), clusterRole('reader')], 0)).toEqual({
      workloads: [
        { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
        { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'reader' },
      ],
      ttlSecondsAfterFinished: 0,
    });
    expect(rebalanceSpec([], undefined)).toStrictEqual({ workloads: [] });
  });

  it('writes no result, reason, namespace that it has not, and a null for a finish that is taken back', () => {
    const status = { observedWorkloads: [{ workload: clusterRole('reader') }], observedGeneration: 3 };
    expect(JSON.stringify(writeStatus(status))).toBe(
      '{"observedWorkloads":[{"workload":{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","name":"reader"}}],"observedGeneration":3,"finishTime":null}',
    );
  });
});
