/** A simple cluster and a simple binding, and the label that karmada-scheduler requires on a binding. */
import type { BindingCase, ClusterCase } from './cases.ts';

/** Without it karmada-scheduler ignores a binding. */
export const BY_POLICY = { 'propagationpolicy.karmada.io/permanent-id': '6f1d2c7e-5a0b-4d53-9a3e-0c1a7e3b9d42' };

/** Empty, with capacity for 50 pods. */
export function emptyCluster(name: string): ClusterCase {
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

/** A binding of a Deployment with dynamic weight, which no scheduler handles yet. */
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

/** The same with ten replicas, for this scheduler. */
export function bindingFor(name: string, schedulerName: string): object {
  const { spec, ...rest } = unscheduled(name, 10) as { spec: object };
  return { ...rest, metadata: { name, labels: BY_POLICY }, spec: { ...spec, schedulerName } };
}

/** The same, scheduled before, with a trigger. */
export function triggered(name: string, replicas: number): BindingCase {
  const { spec, ...rest } = unscheduled(name, replicas) as { spec: object };
  return {
    name,
    object: { ...rest, spec: { ...spec, rescheduleTriggeredAt: '2026-11-21T10:00:05Z' } },
    status: { lastScheduledTime: '2026-11-21T10:00:00Z' },
  };
}

/** The same, assigned to the cluster of this term; each term has one cluster. */
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

/** Assigned by karmada-scheduler to the cluster of the last of these terms, each of which has one cluster; the binding of a Deployment. */
export function failedOver(workload: string, terms: readonly [string, ...string[]]): BindingCase {
  const used = terms.at(-1) ?? terms[0];
  const name = `${workload}-deployment`;
  const { object, status } = movedTo(used, { name, object: unscheduled(name, 10), status: {} }, terms);
  const { spec, ...rest } = object as { spec: { resource: object; placement: object } };
  const annotations = { 'policy.karmada.io/applied-placement': JSON.stringify(spec.placement) };
  return {
    name,
    object: {
      ...rest,
      metadata: { name, labels: BY_POLICY, annotations },
      spec: { ...spec, resource: { ...spec.resource, name: workload } },
    },
    status: { ...status, lastScheduledTime: '2026-11-21T10:00:00Z' },
  };
}
