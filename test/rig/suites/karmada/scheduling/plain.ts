/** One cluster and one binding without surprises, and the label by which karmada-scheduler takes a binding up. */
import type { BindingCase, ClusterCase } from './cases.ts';

/** Without it karmada-scheduler does not look at a binding. */
export const BY_POLICY = { 'propagationpolicy.karmada.io/permanent-id': '6f1d2c7e-5a0b-4d53-9a3e-0c1a7e3b9d42' };

/** Empty, with room for 50 pods. */
export function roomyCluster(name: string): ClusterCase {
  const apiEnablements = [
    { groupVersion: 'apps/v1', resources: ['Deployment', 'StatefulSet'].map((kind) => ({ kind, name: kind })) },
  ];
  return {
    name,
    object: {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name },
      spec: { syncMode: 'Push' },
    },
    status: { apiEnablements, resourceSummary: { allocatable: { pods: '50' } } },
  };
}

/** Of a Deployment, by dynamic weight; nobody schedules it yet. */
function unscheduled(name: string, replicas: number): object {
  const replicaScheduling = {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { dynamicWeight: 'AvailableReplicas' },
  };
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name },
      replicas,
      replicaRequirements: {},
      placement: { replicaScheduling },
    },
  };
}

/** The same with ten replicas, for this scheduler to take up. */
export function bindingFor(name: string, schedulerName: string): object {
  const { spec, ...rest } = unscheduled(name, 10) as { spec: object };
  return { ...rest, metadata: { name, labels: BY_POLICY }, spec: { ...spec, schedulerName } };
}

/** The same, scheduled before and asked to be scheduled afresh. */
export function triggered(name: string, replicas: number): BindingCase {
  const { spec, ...rest } = unscheduled(name, replicas) as { spec: object };
  return {
    name,
    object: { ...rest, spec: { ...spec, rescheduleTriggeredAt: '2026-11-21T10:00:05Z' } },
    status: { lastScheduledTime: '2026-11-21T10:00:00Z' },
  };
}

/** The same in the cluster of this term, one term a cluster. */
export function movedTo(used: string, { name, object, status }: BindingCase, terms: readonly string[]): BindingCase {
  const { spec, ...rest } = object as { spec: { placement: object; replicas: number } };
  const clusterAffinities = terms.map((term) => ({ affinityName: term, clusterNames: [term] }));
  const clusters = [{ name: used, replicas: spec.replicas }];
  return {
    name,
    object: { ...rest, spec: { ...spec, placement: { ...spec.placement, clusterAffinities }, clusters } },
    status: { ...status, schedulerObservingAffinityName: used },
  };
}
