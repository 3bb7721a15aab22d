/** For tests of `evenkeel plan --policy`: a policy and its objects, as they are in files. */
import { type BindingOptions, binding, type ClusterOptions, cluster } from './plan-scene.ts';

const RUNS = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy' };

export function policy(spec: object, metadata: object = {}): object {
  return { ...RUNS, metadata: { name: 'failback', ...metadata }, spec };
}

/** A cluster with a Ready condition. */
export function member(
  name: string,
  { ready = 'True', ...options }: ClusterOptions & { readonly ready?: string } = {},
): object {
  const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: '2026-11-21T09:00:00Z' }];
  return cluster(name, { ...options, status: { ...options.status, conditions } });
}

export function deployment(name: string, metadata: object = {}): object {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'shop', ...metadata } };
}

/** A binding that the scheduler of a hub has processed. */
export function scheduled(workload: string, options: BindingOptions & { readonly annotations?: object } = {}): object {
  const made = binding(workload, options) as {
    readonly metadata: object;
    readonly spec: { readonly placement: object };
  };
  const applied = { 'policy.karmada.io/applied-placement': JSON.stringify(made.spec.placement) };
  return {
    ...made,
    metadata: { ...made.metadata, annotations: { ...applied, ...options.annotations } },
    status: { lastScheduledTime: '2026-11-21T08:00:00Z' },
  };
}

/**
 * member1 has recovered and is empty; the others run the replicas that were evicted from it. In a Fresh assignment, web has the weights
 * 20, 17 (11 and 6 of its own) and 17, so 4 replicas each; api has 20, 14 and 14, so 2 each.
 */
export const fleet = [
  member('member1'),
  member('member2', { allocated: 9 }),
  member('member3', { allocated: 9 }),
  scheduled('web', { now: { member2: 6, member3: 6 } }),
  scheduled('api', { replicas: 6, now: { member2: 3, member3: 3 } }),
];

export const failback = policy({ triggers: { clusterRecovered: {} } });
