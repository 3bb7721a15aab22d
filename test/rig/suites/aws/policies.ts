/** Objects that a deployed policy acts on: clusters that are Ready or not, bindings with replicas on them, and a simulated scheduler. */

import { toTimestamp } from '../../../../shared/core/time.ts';
import { resourcePath } from '../../../../shared/kubernetes/resource.ts';
import {
  type PolicySpec,
  type PolicyStatus,
  rebalancePolicies,
} from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import { POLICY_LABEL } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { bindingObject, type Held, statusOf } from '../../../functions/descheduler/scene.ts';
import { DYNAMIC } from '../../../placed-objects.ts';
import type { Meta } from '../api.ts';
import { type Binding, bindingsPath, deploymentIn, REBALANCERS, until } from '../hub-client.ts';
import type { Deployed } from './deployed.ts';
import { CLUSTERS } from './estimated.ts';

export const POLICIES = resourcePath(rebalancePolicies);
const NOT_READY = { key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' };

/** Writes what Karmada's controllers would write: the condition, then the taint. */
export async function turn({ client }: Deployed, cluster: string, to: 'healthy' | 'not ready'): Promise<void> {
  const isHealthy = to === 'healthy';
  const rest = { reason: 'Played', message: '', lastTransitionTime: toTimestamp(Date.now()) };
  const conditions = [{ type: 'Ready', status: isHealthy ? 'True' : 'False', ...rest }];
  await client.merge(`${CLUSTERS}/${cluster}/status`, { status: { conditions } });
  await client.merge(`${CLUSTERS}/${cluster}`, { spec: { taints: isHealthy ? null : [NOT_READY] } });
}

/** Bindings of Deployments in a separate namespace, with these current assignments, to be divided by the capacity of these clusters. */
export async function spread(
  { client }: Deployed,
  namespace: string,
  { names, held, over }: { readonly names: readonly string[]; readonly held: Held; readonly over: readonly string[] },
): Promise<void> {
  const placement = { clusterAffinity: { clusterNames: over }, replicaScheduling: DYNAMIC };
  await client.create('/api/v1/namespaces', { metadata: { name: namespace } });
  for (const name of names) {
    const spec = { resource: deploymentIn(namespace, name) };
    const { metadata, ...object } = bindingObject(held, { name, placement, spec });
    await client.create(bindingsPath(namespace), { ...object, metadata: { ...metadata, namespace } });
    await client.merge(`${bindingsPath(namespace)}/${metadata.name}/status`, { status: statusOf(held) });
  }
}

/** Handles every trigger, as a scheduler and the members would: assigns the replicas and reports them ready. Returns the names of the bindings. */
export async function scheduleTriggered(
  { client }: Deployed,
  namespace: string,
  held: Held,
): Promise<readonly string[]> {
  const bindings = await client.list<Binding>(bindingsPath(namespace));
  const triggered = bindings.filter(
    ({ spec, status }) => seconds(spec.rescheduleTriggeredAt) > seconds(status?.lastScheduledTime),
  );
  const clusters = Object.entries(held).map(([name, [replicas]]) => ({ name, replicas }));
  for (const { metadata, spec } of triggered) {
    const path = `${bindingsPath(namespace)}/${metadata.name}`;
    const written = await client.merge<{ metadata: { generation: number } }>(path, { spec: { clusters } });
    const lastScheduledTime = toTimestamp(seconds(spec.rescheduleTriggeredAt) + 1000);
    const schedulerObservedGeneration = written.metadata.generation;
    await client.merge(`${path}/status`, {
      status: { ...statusOf(held), lastScheduledTime, schedulerObservedGeneration },
    });
  }
  return triggered.map(({ metadata }) => metadata.name).toSorted();
}

function seconds(timestamp: string | undefined): number {
  return timestamp === undefined ? 0 : Date.parse(timestamp);
}

export interface Policy {
  readonly metadata: Meta;
  readonly status?: PolicyStatus;
}

export function createPolicy(
  { client }: Deployed,
  name: string,
  spec: { readonly triggers: PolicySpec['triggers']; readonly strategy?: object },
): Promise<Policy> {
  const { group, version, kind } = rebalancePolicies;
  const selector = { namespaces: [name] };
  return client.create(POLICIES, {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name },
    spec: { selector, ...spec },
  });
}

/** The policy once its status is as wanted. */
export async function policyOnce(
  { client }: Deployed,
  name: string,
  wanted: (status: PolicyStatus) => boolean,
): Promise<Policy> {
  return until(`the status of RebalancePolicy ${name} is as wanted`, async () => {
    const policy = await client.get<Policy>(`${POLICIES}/${name}`);
    return policy.status !== undefined && wanted(policy.status) ? policy : undefined;
  });
}

export interface WaveMade {
  readonly metadata: Meta & { readonly ownerReferences: readonly object[] };
  readonly spec: { readonly workloads: readonly object[] };
}

/** The WorkloadRebalancers that a policy created, oldest first. */
export async function wavesOf({ client }: Deployed, policy: string): Promise<readonly WaveMade[]> {
  const labelSelector = encodeURIComponent(`${POLICY_LABEL}=${policy}`);
  const made = await client.list<WaveMade>(`${REBALANCERS}?labelSelector=${labelSelector}`);
  return made.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
