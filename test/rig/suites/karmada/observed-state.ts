/** What can be seen of a fleet: where replicas are assigned, where pods run, what Karmada knows of the room, what was asked and answered. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { Meta } from '../api.ts';
import type { Fleet, MemberName } from './fleet.ts';
import { paths } from './manifests.ts';

const SOON_MS = 60_000;
/** Kubernetes' clients may take half a minute to look again at a cluster that was away. */
export const AFTER_OUTAGE_MS = 90_000;

/** Looks until it sees what is expected. */
export async function eventually<T>(look: () => Promise<T>, expected: T, withinMs = SOON_MS): Promise<void> {
  const sees = async () => expect(await look()).toEqual(expected);
  await vi.waitFor(sees, { timeout: withinMs, interval: 200 });
}

export interface Binding {
  readonly metadata: Meta;
  readonly spec: {
    readonly clusters?: readonly { readonly name: string; readonly replicas: number }[];
    readonly rescheduleTriggeredAt?: string;
  };
  readonly status: { readonly lastScheduledTime: string; readonly schedulerObservedGeneration?: number };
}

export function bindingOf({ api }: Fleet, workload: string): Promise<Binding> {
  return api.get(`${paths.bindings}/${workload}-deployment`);
}

export function clusterBindingOf({ api }: Fleet, role: string): Promise<Binding> {
  return api.get(`${paths.clusterBindings}/${role}-clusterrole`);
}

/** Whether its trigger is one that the scheduler has not acted on. */
export function isWaiting({ spec, status }: Binding): boolean {
  return seconds(spec.rescheduleTriggeredAt) > seconds(status.lastScheduledTime);
}

type Counts = Readonly<Partial<Record<string, number>>>;

/** What the scheduler decided; a member without replicas is not in it. */
export async function assigned(fleet: Fleet, workload: string): Promise<Counts> {
  const { spec } = await bindingOf(fleet, workload);
  return Object.fromEntries((spec.clusters ?? []).map(({ name, replicas }) => [name, replicas]));
}

interface Pod {
  readonly metadata: Meta;
  readonly status: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** Pods that are ready, by member. */
export function running(fleet: Fleet, workload: string): Promise<Counts> {
  return inEach(fleet, async (member) => {
    const pods = await fleet.members[member].list<Pod>(`${paths.pods}?labelSelector=app%3D${workload}`);
    return pods.filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && isTrue(status, 'Ready'))
      .length;
  });
}

/** Replicas in the specs of the members' Deployments, of all members together; 0 while a controller has not observed one of them. */
export async function inSpecs(fleet: Fleet, workload: string): Promise<number> {
  const counts = await inEach(fleet, async (member) => {
    const all = await fleet.members[member].list<Deployment>(paths.deployments);
    const one = all.find(({ metadata }) => metadata.name === workload);
    if (one === undefined) return 0;
    return one.status.observedGeneration === one.metadata.generation ? one.spec.replicas : -Infinity;
  });
  const sum = Object.values(counts).reduce<number>((all, one = 0) => all + one, 0);
  return Math.max(0, sum);
}

interface Deployment {
  readonly metadata: Meta;
  readonly spec: { readonly replicas: number };
  readonly status: { readonly observedGeneration?: number };
}

/** Where a workload is meant to be and where it is. */
export async function whereabouts(fleet: Fleet, workload: string): Promise<{ assigned: Counts; running: Counts }> {
  return { assigned: await assigned(fleet, workload), running: await running(fleet, workload) };
}

interface Cluster {
  readonly spec: { readonly taints?: readonly { readonly effect: string }[] };
  readonly status: {
    readonly conditions?: readonly Condition[];
    readonly resourceSummary?: { readonly allocated?: { pods?: string }; readonly allocating?: { pods?: string } };
  };
}

function clusterOf({ api }: Fleet, member: string): Promise<Cluster> {
  return api.get(`${paths.clusters}/${member}`);
}

/** Pods that Karmada's scheduler takes into account, by member; it learns of them about a second late. */
export function known(fleet: Fleet): Promise<Counts> {
  return inEach(fleet, async (member) => {
    const { allocated, allocating } = (await clusterOf(fleet, member)).status.resourceSummary ?? {};
    return Number(allocated?.pods ?? 0) + Number(allocating?.pods ?? 0);
  });
}

/** Whether Karmada sees the member as ready and free of taints. */
export async function isHealthy(fleet: Fleet, member: string): Promise<boolean> {
  const { spec, status } = await clusterOf(fleet, member);
  return isTrue(status, 'Ready') && (spec.taints ?? []).length === 0;
}

export interface Rebalancer {
  readonly metadata: Meta;
  readonly status?: {
    readonly observedWorkloads?: readonly object[];
    readonly observedGeneration?: number;
    readonly finishTime?: string;
  };
}

export function rebalancerOf({ api }: Fleet, name: string): Promise<Rebalancer> {
  return api.get(`${paths.rebalancers}/${name}`);
}

export function seconds(timestamp: string | undefined): number {
  return Date.parse(timestamp ?? '') / 1000;
}

/** Looks again and again over that time; returns every different thing seen, in order. */
export async function seenFor<T>(ms: number, look: () => Promise<T>): Promise<readonly T[]> {
  const seen = new Map<string, T>();
  for (const end = Date.now() + ms; Date.now() < end; await wait(200)) {
    const observation = await look();
    seen.set(JSON.stringify(observation), observation);
  }
  return [...seen.values()];
}

function isTrue({ conditions = [] }: { readonly conditions?: readonly Condition[] }, type: string): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === 'True');
}

async function inEach({ members }: Fleet, count: (member: MemberName) => Promise<number>): Promise<Counts> {
  const names = Object.keys(members) as MemberName[];
  const counts = await Promise.all(names.map(async (member) => [member, await count(member)] as const));
  return Object.fromEntries(counts);
}
