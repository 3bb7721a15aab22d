/** What is read of clusters and bindings for their history. */
import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../shared/core/time.ts';
import { observedClusters, parseObservedCluster } from '../../../shared/placement-history/observed-cluster.ts';
import { observedKind, parseObservedPlacement } from '../../../shared/placement-history/observed-placement.ts';
import { at } from '../../builders.ts';
import { bindingObject } from '../../placed-objects.ts';

const ready = { type: 'Ready', status: 'True', reason: 'ClusterReady', message: 'is healthy' };

interface ClusterParts {
  readonly metadata?: object;
  readonly taints?: readonly object[];
  readonly conditions?: readonly object[];
  readonly summary?: object;
}

function cluster({ metadata, taints = [], conditions = [ready], summary }: ClusterParts) {
  return parseObservedCluster({
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: {
      ...{ name: 'member1', uid: 'u', resourceVersion: '7', generation: 1 },
      creationTimestamp: toTimestamp(at(0)),
      ...metadata,
    },
    spec: { taints },
    status: { conditions, ...(summary && { resourceSummary: summary }) },
  });
}
const taint = (key: string, effect = 'NoSchedule') => ({ key, effect });

describe('a cluster', () => {
  it.each([
    ['Ready', {}],
    ['Ready', { conditions: [{ type: 'Other', status: 'False' }, ready] }],
    [
      'Deleting',
      { metadata: { deletionTimestamp: toTimestamp(at(5)) }, taints: [taint('cluster.karmada.io/not-ready')] },
    ],
    ['NotReady', { conditions: [{ ...ready, status: 'False' }] }],
    ['NotReady', { conditions: [{ ...ready, status: 'Unknown' }] }],
    ['NotReady', { taints: [taint('cluster.karmada.io/not-ready', 'NoExecute')] }],
    ['NotReady', { taints: [taint('cluster.karmada.io/unreachable', 'NoExecute')] }],
    ['Drained', { taints: [taint('evenkeel.dev/drain'), taint('cluster.karmada.io/unschedulable')] }],
    ['Cordoned', { taints: [taint('cluster.karmada.io/unschedulable')] }],
    ['Tainted', { taints: [taint('team/maintenance', 'NoExecute')] }],
    ['Ready', { taints: [taint('team/maintenance')] }],
  ])('is %s with %j', (state, parts) => {
    expect(cluster(parts).state).toBe(state);
  });

  it.each([
    [undefined, ready],
    [
      'ClusterNotReachable: no route',
      { ...ready, status: 'False', reason: 'ClusterNotReachable', message: 'no route' },
    ],
    ['ClusterNotReachable', { type: 'Ready', status: 'False', reason: 'ClusterNotReachable' }],
    ['no route', { type: 'Ready', status: 'False', message: 'no route' }],
    [undefined, { type: 'Ready', status: 'False' }],
  ])('has the reason %j', (why, condition) => {
    const other = { type: 'CompleteAPIEnablements', status: 'False', reason: 'Other', message: 'another' };
    expect(cluster({ conditions: [other, condition] }).why).toBe(why);
  });

  it('has its version, its taints in order, and the time of its last write', () => {
    const managedFields = [
      { manager: 'a', time: toTimestamp(at(9)) },
      { manager: 'b' },
      { manager: 'c', time: toTimestamp(at(3)) },
    ];
    const taints = [taint('b/z'), taint('a/y', 'NoExecute'), taint('c/x')];
    expect(cluster({ metadata: { managedFields }, taints })).toEqual({
      ...{ name: 'member1', version: '7', state: 'Tainted', changedAt: at(9) },
      taints: ['a/y:NoExecute', 'b/z:NoSchedule', 'c/x:NoSchedule'],
    });
  });

  it('has no time of a write that its hub does not keep', () => {
    expect(cluster({})).toEqual({ name: 'member1', version: '7', state: 'Ready', taints: [] });
  });

  it('has the capacity of the resources that limit replicas', () => {
    const allocatable = { cpu: '8', memory: '32Gi', pods: '110', 'ephemeral-storage': '100Gi' };
    expect(cluster({ summary: { allocatable, allocated: { cpu: '3', pods: '40' } } }).capacity).toEqual({
      allocatable: { cpu: '8', memory: '32Gi', pods: '110' },
      allocated: { cpu: '3', pods: '40' },
    });
    expect(cluster({ summary: { allocatable: { cpu: '8' } } }).capacity).toEqual({
      allocatable: { cpu: '8' },
      allocated: {},
    });
    expect(cluster({ summary: {} })).not.toHaveProperty('capacity');
  });

  it('that can not be read is named', () => {
    expect(observedClusters.parse).toBe(parseObservedCluster);
    expect(() => parseObservedCluster({ metadata: { name: 'member1' } })).toThrow('Cluster member1 cannot be read');
  });
});

const clusters = { 'f:spec': { 'f:clusters': {} } };

describe('a binding', () => {
  const parse = (managedFields: unknown, creationTimestamp?: string) =>
    parseObservedPlacement(
      bindingObject({ metadata: { managedFields, ...(creationTimestamp && { creationTimestamp }) } }),
    );
  const field = (manager: string, seconds: number | undefined, fieldsV1: unknown, over: object = {}) => ({
    ...{ manager, operation: 'Update', fieldsV1, ...over },
    ...(seconds !== undefined && { time: toTimestamp(at(seconds)) }),
  });

  it('has the client that wrote its assignment, which of several is the latest', () => {
    const fields = [
      field('first', 3, clusters),
      field('latest', 9, clusters),
      field('timeless', undefined, clusters),
      field('of-other-fields', 20, { 'f:spec': { 'f:replicas': {} } }),
      field('of-the-status', 21, clusters, { subresource: 'status' }),
      field('of-nothing', 22, undefined),
      field('of-no-object', 23, { 'f:spec': null }),
      field('of-a-text', 24, { 'f:spec': 'f:clusters' }),
    ];
    for (const given of [fields, fields.toReversed()]) expect(parse(given).assignedBy).toBe('latest');
  });

  it('has none if no client owns the assignment', () => {
    expect(parse([field('a', 3, { 'f:metadata': {} })])).not.toHaveProperty('assignedBy');
  });

  it('has the time of its last write and of its creation', () => {
    const seen = parse([field('a', 3, {}), field('b', 9, {}), field('c', undefined, {})], toTimestamp(at(1)));
    expect([seen.changedAt, seen.createdAt]).toEqual([at(9), at(1)]);
    expect(parse([])).not.toHaveProperty('changedAt');
  });

  it('is read in its namespace, or of the cluster', () => {
    expect([observedKind({ namespace: 'shop' }), observedKind({ namespace: '' })].map(({ plural }) => plural)).toEqual([
      'resourcebindings',
      'clusterresourcebindings',
    ]);
    expect(observedKind({ namespace: '' }).parse).toBe(parseObservedPlacement);
  });
});
