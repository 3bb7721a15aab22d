/** The objects of the stories: a Deployment, and a policy that spreads it by the capacity of clusters. */
import { apiVersionOf } from '../../shared/kubernetes/resource.ts';
import { rebalancePolicies } from '../../shared/rebalance-policy/rebalance-policy.ts';

export interface StoryWorkload {
  readonly name: string;
  readonly namespace: string;
  readonly replicas: number;
}

export function workloadOf({ name }: Pick<StoryWorkload, 'name'>) {
  return { apiVersion: 'apps/v1', kind: 'Deployment', name };
}

/** Replicas of half a core. */
export function deploymentOf({ name, namespace, replicas }: StoryWorkload): object {
  const labels = { app: name };
  const containers = [{ name, image: name, resources: { requests: { cpu: '500m' } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

export function policyOf(
  { name, namespace }: StoryWorkload,
  annotations: Readonly<Record<string, string>> = {},
): object {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, namespace, annotations },
    spec: {
      resourceSelectors: [workloadOf({ name })],
      placement: {
        replicaScheduling: {
          replicaSchedulingType: 'Divided',
          replicaDivisionPreference: 'Weighted',
          weightPreference: { dynamicWeight: 'AvailableReplicas' },
        },
      },
    },
  };
}

interface StoryPolicy {
  readonly name: string;
  /** The name of the workload that it selects. */
  readonly workload: string;
  readonly triggers: object;
  readonly strategy?: object;
}

/** No cool-down, so that a story does not wait for half an hour between steps. */
export const WITHOUT_COOL_DOWN = { coolDown: '0s' };

export function rebalancePolicyOf({ name, workload, ...spec }: StoryPolicy): object {
  return {
    apiVersion: apiVersionOf(rebalancePolicies),
    kind: rebalancePolicies.kind,
    metadata: { name },
    spec: { selector: { names: [workload] }, ...spec },
  };
}
