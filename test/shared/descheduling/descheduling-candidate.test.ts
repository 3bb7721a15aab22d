import { describe, expect, it } from 'vitest';
import {
  assignedClusters,
  undesiredClusters,
  whyNoCandidate,
} from '../../../shared/descheduling/descheduling-candidate.ts';
import { QUEUE } from '../../../shared/graceful-reduction/replica-reduction.ts';
import { AGGREGATED, type BindingParts, byStaticWeight, DUPLICATED, placedBinding } from '../../placed-objects.ts';

/** m1 has 2 of 5 ready, m2 all of 3, m3 none by its report, m4 does not report, m5 is reported without a status and m6 with none. */
const some: BindingParts = {
  current: { m1: 5, m2: 3, m3: 1, m4: 1, m5: 1, m6: 1 },
  status: {
    aggregatedStatus: [
      { clusterName: 'm2', status: { readyReplicas: 3 } },
      { clusterName: 'm1', status: { readyReplicas: 2 } },
      { clusterName: 'm3', status: { replicas: 1 } },
      { clusterName: 'm5' },
      { clusterName: 'm6', status: null },
    ],
  },
};

describe('the clusters of a binding', () => {
  it('are in the order of its spec, with the ready replicas of each that reports', () => {
    expect(assignedClusters(placedBinding(some))).toEqual([
      { name: 'm1', assigned: 5, ready: 2 },
      { name: 'm2', assigned: 3, ready: 3 },
      { name: 'm3', assigned: 1, ready: 0 },
      { name: 'm4', assigned: 1 },
      { name: 'm5', assigned: 1 },
      { name: 'm6', assigned: 1 },
    ]);
  });

  it('are undesired if fewer replicas are ready than assigned, and the result states it', () => {
    expect(undesiredClusters(placedBinding(some)).map(({ name }) => name)).toEqual(['m1', 'm3']);
  });
});

describe('a binding', () => {
  const resource = (apiVersion: string, kind: string) => ({
    resource: { apiVersion, kind, namespace: 'shop', name: 'web' },
  });
  const held = { [`${QUEUE}m9`]: JSON.stringify({ replicas: 2 }) };

  it.each<[string, BindingParts, string | undefined]>([
    ['by dynamic weight', {}, undefined],
    ['aggregated', { placement: { replicaScheduling: AGGREGATED } }, undefined],
    ['being deleted', { metadata: { deletionTimestamp: '2026-11-21T10:00:00Z' } }, 'it is being deleted'],
    ['of a StatefulSet', { spec: resource('apps/v1', 'StatefulSet') }, undefined],
    ['of a Job', { spec: resource('batch/v1', 'Job') }, undefined],
    ['of a DaemonSet', { spec: resource('apps/v1', 'DaemonSet') }, 'it is no Deployment, StatefulSet or Job'],
    [
      "of another group's Deployment",
      { spec: resource('example.com/v1', 'Deployment') },
      'it is no Deployment, StatefulSet or Job',
    ],
    ['whose scheduling is suspended', { spec: { suspension: { scheduling: true } } }, 'it is suspended'],
    ['whose dispatching is suspended', { spec: { suspension: { dispatching: true } } }, 'it is suspended'],
    ['that was suspended once', { spec: { suspension: { scheduling: false, dispatching: false } } }, undefined],
    [
      'in the middle of a move',
      { metadata: { annotations: held } },
      'its last move is not over: a cluster keeps its replicas until the others are ready',
    ],
    [
      'by static weight',
      { placement: { replicaScheduling: byStaticWeight({ m1: 1 }) } },
      'it is divided by StaticWeight',
    ],
    ['duplicated', { placement: { replicaScheduling: DUPLICATED } }, 'it is divided by Duplicated'],
    ['without a placement', { placement: null }, 'it is divided by Duplicated'],
    ['all of which is ready', { current: { m2: 3 } }, 'all it has is ready'],
  ])('%s is a candidate, or the result states why not', (_what, parts, why) => {
    expect(whyNoCandidate(placedBinding({ ...some, ...parts }))).toBe(why);
  });
});
