/** An object of each kind that the functions of rebalancers read, in a form that no API server with its CRDs would store. */
import type { KubeObject } from '../../../../local/practice-hub/store/objects.ts';

const metadata = (uid: string, namespace?: string) => ({
  name: 'poison',
  ...(namespace !== undefined && { namespace }),
  uid,
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: '2026-11-21T09:00:00Z',
});

export const poisonObjects: readonly (readonly [string, KubeObject])[] = [
  [
    'workloadrebalancers',
    {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: metadata('poison-1'),
      spec: { workloads: 'all of them', ttlSecondsAfterFinished: 'soon' },
    },
  ],
  [
    'resourcebindings',
    {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: metadata('poison-2', 'shop'),
      spec: { resource: 7, clusters: 'member1', rescheduleTriggeredAt: 'now' },
    },
  ],
  [
    'clusterresourcebindings',
    {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ClusterResourceBinding',
      metadata: metadata('poison-3'),
      spec: { resource: [], placement: 'anywhere' },
    },
  ],
  [
    'clusters',
    {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: metadata('poison-4'),
      spec: { taints: 'none' },
      status: { conditions: 'fine' },
    },
  ],
];
