/** The manifests of the stories: workloads, their policies, and WorkloadRebalancers. */
import type { ObjectReference } from '../../../../shared/kubernetes/object-reference.ts';

export const paths = {
  deployments: '/apis/apps/v1/namespaces/default/deployments',
  statefulSets: '/apis/apps/v1/namespaces/default/statefulsets',
  policies: '/apis/policy.karmada.io/v1alpha1/namespaces/default/propagationpolicies',
  taintPolicies: '/apis/policy.karmada.io/v1alpha1/clustertaintpolicies',
  bindings: '/apis/work.karmada.io/v1alpha2/namespaces/default/resourcebindings',
  clusterRoles: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  clusterPolicies: '/apis/policy.karmada.io/v1alpha1/clusterpropagationpolicies',
  clusterBindings: '/apis/work.karmada.io/v1alpha2/clusterresourcebindings',
  clusters: '/apis/cluster.karmada.io/v1alpha1/clusters',
  rebalancers: '/apis/apps.karmada.io/v1alpha1/workloadrebalancers',
  priorityClasses: '/apis/scheduling.k8s.io/v1/priorityclasses',
  pods: '/api/v1/namespaces/default/pods',
};

/** The resource request of each replica in most stories. */
export const HALF_CORE = { cpu: '500m' };
export const ONE_GIB = { memory: '1Gi' };

export interface Workload {
  readonly name: string;
  readonly replicas: number;
  /** The resource requests of each replica: only these determine the capacity of a cluster. */
  readonly requests: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly priorityClassName?: string;
  /** The rollout strategy; if absent, the Kubernetes default. */
  readonly rollout?: object;
}

/** No pod is removed before its replacement is ready. */
export const NONE_UNAVAILABLE = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '100%' } };

export function deployment(workload: Workload): object {
  const { name, replicas, requests, annotations = {}, priorityClassName, rollout } = workload;
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default', labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      ...(rollout !== undefined && { strategy: rollout }),
      template: {
        metadata: { labels, annotations },
        spec: {
          containers: [{ name, image: name, resources: { requests } }],
          ...(priorityClassName !== undefined && { priorityClassName }),
        },
      },
    },
  };
}

/** The same as a StatefulSet, whose pods start one after another. */
export function statefulSet(workload: Workload): object {
  const { spec, ...object } = deployment(workload) as { spec: object };
  return { ...object, kind: 'StatefulSet', spec: { ...spec, serviceName: workload.name } };
}

export const DYNAMIC_WEIGHT = {
  replicaSchedulingType: 'Divided',
  replicaDivisionPreference: 'Weighted',
  weightPreference: { dynamicWeight: 'AvailableReplicas' },
};
/** Weights by member; a member without one gets nothing. */
export function weighted(weights: Readonly<Record<string, number>>): object {
  const staticWeightList = Object.entries(weights).map(([member, weight]) => ({
    targetCluster: { clusterNames: [member] },
    weight,
  }));
  return {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: 'Weighted',
    weightPreference: { staticWeightList },
  };
}

export const AGGREGATED = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Aggregated' };

const tolerations = ['cluster.karmada.io/not-ready', 'cluster.karmada.io/unreachable'];
const clusterTolerations = tolerations.map((key) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 2,
}));

/** Fields of a policy for some clusters only. */
export function placedOn(replicaScheduling: object, affinity: object): object {
  return { placement: { ...affinity, replicaScheduling, clusterTolerations } };
}

export function policy(name: string, replicaScheduling: object, more: object = {}): object {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, namespace: 'default' },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name }],
      placement: { replicaScheduling, clusterTolerations },
      ...more,
    },
  };
}

/** Workloads leave a cluster that is not ready after their toleration time. */
export const leaveFailedClusters = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'leave-failed-clusters' },
  spec: {
    addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
    removeOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
    taints: [{ key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' }],
  },
};

/** A workload that is not available for that long leaves the member: Karmada's failover of applications. */
export const LEAVE_WHEN_UNHEALTHY = {
  propagateDeps: true,
  failover: { application: { decisionConditions: { tolerationSeconds: 1 }, purgeMode: 'Gracefully' } },
};

/** A PriorityClass of a member whose pods preempt other pods. */
export const urgent = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'urgent' },
  value: 1000,
};

export function reference(name: string): ObjectReference {
  return { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name };
}

export function rebalancer(name: string, ...workloads: readonly string[]): object {
  return {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name },
    spec: { workloads: workloads.map(reference) },
  };
}

/** A ClusterRole, and the policy that propagates it to every member. */
export function clusterRole(name: string): { readonly role: object; readonly policy: object } {
  const resourceSelectors = [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name }];
  return {
    role: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    },
    policy: {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterPropagationPolicy',
      metadata: { name },
      spec: { resourceSelectors, placement: { clusterTolerations } },
    },
  };
}

export function clusterRoleRebalancer(name: string, role: string): object {
  return {
    apiVersion: 'apps.karmada.io/v1alpha1',
    kind: 'WorkloadRebalancer',
    metadata: { name },
    spec: { workloads: [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: role }] },
  };
}
