/** The actions of users on a fleet in the stories. */
import { expect } from 'vitest';
import type { Api } from '../api.ts';
import { type Fleet, type MemberName, WHOLE_NODE } from './fleet.ts';
import { DYNAMIC_WEIGHT, deployment, paths, policy, rebalancer, reference, type Workload } from './manifests.ts';
import {
  AFTER_OUTAGE_MS,
  type Binding,
  bindingOf,
  eventually,
  isHealthy,
  isWaiting,
  known,
  type Rebalancer,
  rebalancerOf,
  running,
  seconds,
} from './observed-state.ts';

interface MembersOf<Name extends string> {
  readonly members: Readonly<Record<Name, Api>>;
}

/** Deletes all workloads and policies, and waits until Karmada reports the full capacity as free. */
export async function clear(fleet: Fleet): Promise<void> {
  // Before the policies are deleted: the policy that tainted a member also removes the taint.
  const members = Object.keys(fleet.members) as MemberName[];
  for (const member of members) await eventually(() => isHealthy(fleet, member), true, AFTER_OUTAGE_MS);
  for (const path of [paths.rebalancers, paths.deployments, paths.policies, paths.taintPolicies])
    await fleet.api.delete(path);
  // Karmada's finalizers keep a deleted policy for some time, in which its name can't be used again.
  for (const path of [paths.bindings, paths.policies, paths.taintPolicies])
    await eventually(() => fleet.api.list(path), [], AFTER_OUTAGE_MS);
  for (const member of members) await fleet.members[member].delete(paths.deployments);
  const none = Object.fromEntries(members.map((member) => [member, 0]));
  await eventually(() => known(fleet), none, AFTER_OUTAGE_MS);
}

export async function propagate(fleet: Fleet, workload: Workload, how: object, more?: object): Promise<void> {
  await fleet.api.create(paths.policies, policy(workload.name, how, more));
  await fleet.api.create(paths.deployments, deployment(workload));
}

export async function scale({ api }: Fleet, workload: string, replicas: number): Promise<void> {
  await api.merge(`${paths.deployments}/${workload}`, { spec: { replicas } });
}

/** Creates a workload in the member, which Karmada sees only as used capacity. */
export async function occupy<Name extends string>(
  { members }: MembersOf<Name>,
  member: NoInfer<Name>,
  own: Workload,
): Promise<void> {
  await members[member].create(paths.deployments, deployment(own));
}

export async function vacate<Name extends string>(
  { members }: MembersOf<Name>,
  member: NoInfer<Name>,
  name: string,
): Promise<void> {
  await members[member].delete(`${paths.deployments}/${name}`);
}

/** Creates a workload while member2 is full, so that all of it runs on member1, and then empties member2. */
export async function crowdOntoMember1(fleet: Fleet, workload: Workload): Promise<void> {
  await occupy(fleet, 'member2', { name: 'tenant', replicas: 2, requests: WHOLE_NODE });
  await eventually(() => known(fleet), { member1: 0, member2: 2 });
  await propagate(fleet, workload, DYNAMIC_WEIGHT);
  await eventually(() => running(fleet, workload.name), { member1: workload.replicas, member2: 0 });
  await vacate(fleet, 'member2', 'tenant');
  await eventually(() => known(fleet), { member1: workload.replicas, member2: 0 });
}

/** Creates a WorkloadRebalancer and waits until each of its workloads is reported Successful. */
export async function rebalance(fleet: Fleet, name: string, ...workloads: readonly string[]): Promise<Rebalancer> {
  const created = await fleet.api.create<Rebalancer>(paths.rebalancers, rebalancer(name, ...workloads));
  await reported(fleet, created, workloads);
  return created;
}

export async function reported(fleet: Fleet, created: Rebalancer, workloads: readonly string[]): Promise<void> {
  const { name, creationTimestamp } = created.metadata;
  await eventually(async () => (await rebalancerOf(fleet, name)).status, {
    observedGeneration: 1,
    observedWorkloads: workloads.map((workload) => ({ workload: reference(workload), result: 'Successful' })),
    finishTime: expect.any(String) as string,
  });
  const { status } = await rebalancerOf(fleet, name);
  expect(seconds(status?.finishTime)).toBeGreaterThanOrEqual(seconds(creationTimestamp));
}

/** Waits until the scheduler has handled the binding's trigger, and returns the binding. */
export async function rescheduled(fleet: Fleet, workload: string, before: Binding): Promise<Binding> {
  await eventually(async () => isWaiting(await bindingOf(fleet, workload)), false);
  const after = await bindingOf(fleet, workload);
  expect(seconds(after.status.lastScheduledTime)).toBeGreaterThan(seconds(before.status.lastScheduledTime));
  return after;
}
