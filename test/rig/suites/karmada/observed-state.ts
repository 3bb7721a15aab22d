/** The observed state of a fleet: assigned replicas, running pods, capacity as Karmada reports it, triggers and results. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { Meta } from '../api.ts';
import type { Fleet, MemberName } from './fleet.ts';
import { paths } from './manifests.ts';
import { type Conditions, isReadyPod, isTrue, type SeenPod } from './ready-pod.ts';

const SOON_MS = 60_000;
/** Kubernetes clients may take half a minute to reconnect to a cluster after an outage. */
export const AFTER_OUTAGE_MS = 90_000;

/** Reads repeatedly until the value equals the expected one. */
export async function eventually<T>(read: () => Promise<T>, expected: T, withinMs = SOON_MS): Promise<void> {
  const matches = async () => expect(await read()).toEqual(expected);
  await vi.waitFor(matches, { timeout: withinMs, interval: 200 });
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

/** Whether the scheduler has not handled its trigger yet. */
export function isWaiting({ spec, status }: Binding): boolean {
  return seconds(spec.rescheduleTriggeredAt) > seconds(status.lastScheduledTime);
}

type Counts = Readonly<Partial<Record<string, number>>>;

/** The assigned replicas by member, without members that have none. */
export async function assigned(fleet: Fleet, workload: string): Promise<Counts> {
  const { spec } = await bindingOf(fleet, workload);
  return Object.fromEntries((spec.clusters ?? []).map(({ name, replicas }) => [name, replicas]));
}

/** Ready pods by member. */
export function running(fleet: Fleet, workload: string): Promise<Counts> {
  return inEach(fleet, async (member) => {
    const pods = await fleet.members[member].list<SeenPod>(`${paths.pods}?labelSelector=app%3D${workload}`);
    return pods.filter(isReadyPod).length;
  });
}

/** The ready replicas of the members' Deployments, of each at most as many as its spec requests; 0 while a controller has not observed one of them. */
export async function readyOfSpecs(fleet: Fleet, workload: string): Promise<number> {
  const counts = await inEach(fleet, async (member) => {
    const all = await fleet.members[member].list<Deployment>(paths.deployments);
    const one = all.find(({ metadata }) => metadata.name === workload);
    if (one === undefined) return 0;
    return one.status.observedGeneration === one.metadata.generation
      ? Math.min(one.spec.replicas, one.status.readyReplicas ?? 0)
      : -Infinity;
  });
  const sum = Object.values(counts).reduce<number>((all, one = 0) => all + one, 0);
  return Math.max(0, sum);
}

interface Deployment {
  readonly metadata: Meta;
  readonly spec: { readonly replicas: number };
  readonly status: { readonly observedGeneration?: number; readonly readyReplicas?: number };
}

/** The assigned and the ready replicas of a workload. */
export async function whereabouts(fleet: Fleet, workload: string): Promise<{ assigned: Counts; running: Counts }> {
  return { assigned: await assigned(fleet, workload), running: await running(fleet, workload) };
}

interface Cluster {
  readonly spec: { readonly taints?: readonly { readonly effect: string }[] };
  readonly status: {
    readonly conditions?: Conditions;
    readonly resourceSummary?: { readonly allocated?: { pods?: string }; readonly allocating?: { pods?: string } };
  };
}

function clusterOf({ api }: Fleet, member: string): Promise<Cluster> {
  return api.get(`${paths.clusters}/${member}`);
}

/** The pods that Karmada's scheduler takes into account, by member; the cluster status is about a second late. */
export function known(fleet: Fleet): Promise<Counts> {
  return inEach(fleet, async (member) => {
    const { allocated, allocating } = (await clusterOf(fleet, member)).status.resourceSummary ?? {};
    return Number(allocated?.pods ?? 0) + Number(allocating?.pods ?? 0);
  });
}

/** Whether the member is Ready and without taints on the hub. */
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

/** Reads repeatedly during that time; returns every distinct value, in order. */
export async function seenFor<T>(ms: number, read: () => Promise<T>): Promise<readonly T[]> {
  const seen = new Map<string, T>();
  for (const end = Date.now() + ms; Date.now() < end; await wait(200)) {
    const observation = await read();
    seen.set(JSON.stringify(observation), observation);
  }
  return [...seen.values()];
}

async function inEach({ members }: Fleet, count: (member: MemberName) => Promise<number>): Promise<Counts> {
  const names = Object.keys(members) as MemberName[];
  const counts = await Promise.all(names.map(async (member) => [member, await count(member)] as const));
  return Object.fromEntries(counts);
}
