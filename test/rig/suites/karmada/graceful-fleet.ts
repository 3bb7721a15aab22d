/** The fleet for held reductions: a hub whose API server holds them, Karmada with three members of ample capacity, and Evenkeel. */
import { QUEUE, REDUCTION_STRATEGY } from '../../../../shared/graceful-reduction/replica-reduction.ts';
import { startEvenkeelWith, stopEvenkeel } from '../../parts/evenkeel.ts';
import { startHub } from '../../parts/hub.ts';
import { startKarmada } from '../../parts/karmada.ts';
import { addNamedNodes, type Member, type MemberSize, startMember } from '../../parts/member.ts';
import { Api } from '../api.ts';
import { rigBeside } from '../rig-of-suite.ts';
import { clear } from './acts.ts';
import type { Fleet } from './fleet.ts';
import { deployment, paths, policy, type Workload } from './manifests.ts';
import { type Binding, bindingOf, eventually } from './observed-state.ts';

/** Capacity for 320 pods of half a core each, so that other workloads' moves do not change a workload's shares; member2 has the most memory. */
const SIZES = {
  member1: { nodes: 4, cpu: 40, memoryGi: 8 },
  member2: { nodes: 4, cpu: 40, memoryGi: 16 },
  member3: { nodes: 4, cpu: 40, memoryGi: 8 },
} as const satisfies Readonly<Record<string, MemberSize>>;
export type Name = keyof typeof SIZES;
const NAMES = Object.keys(SIZES) as readonly Name[];

export interface GracefulFleet extends Fleet {
  readonly members: Readonly<Record<Name, Api>>;
  readonly kubernetes: Readonly<Record<Name, Member>>;
}

/** One rig for all files that call this. There are no workloads, and no function runs. */
export async function startGracefulFleet(): Promise<GracefulFleet> {
  const rig = rigBeside('graceful');
  const hub = await startHub(rig, { scheduler: true });
  const started = await Promise.all(
    NAMES.map(async (name) => [name, await startMember(rig, name, SIZES[name])] as const),
  );
  const kubernetes = Object.fromEntries(started) as Record<Name, Member>;
  await startKarmada(rig, hub, Object.values(kubernetes));
  await hub.kubectl.typed(await hub.manifests('rbac', '--count-pods'));
  const ofMembers = await hub.manifests('member-rbac');
  for (const name of NAMES) await kubernetes[name].kubectl.typed(ofMembers);
  const api = await Api.of(hub.adminKubeconfig);
  const members = {
    member1: await Api.of(kubernetes.member1.adminKubeconfig),
    member2: await Api.of(kubernetes.member2.adminKubeconfig),
    member3: await Api.of(kubernetes.member3.adminKubeconfig),
  };
  const close = () => {
    for (const one of [api, ...Object.values(members)]) one.close();
  };
  const fleet = { rig, hub, api, members, kubernetes, close };
  await stopEvenkeel(rig);
  await clear(fleet);
  return fleet;
}

/** Adds nodes again that a test deleted. */
export function restoreNodes({ kubernetes }: GracefulFleet, member: Name, nodes: readonly string[]): Promise<void> {
  return addNamedNodes(kubernetes[member], nodes, SIZES[member]);
}

/** Starts a member again that failed. */
export async function recoverMember({ rig }: GracefulFleet, member: Name): Promise<void> {
  await startMember(rig, member, SIZES[member]);
}

/** Resync is disabled in effect; the descheduler runs once, at the start. */
const SETTINGS = {
  resyncMinutes: 1440,
  deschedulingMinutes: 1440,
  unschedulableSeconds: 2,
  stalledSeconds: 0,
  rescheduleCheckSeconds: 1,
  rescheduleTimeoutSeconds: 4,
};

export function runEvenkeelOn({ rig, hub }: GracefulFleet): Promise<void> {
  return startEvenkeelWith(rig, hub, { settings: SETTINGS, args: ['--estimator', 'pods'] });
}

/** The annotation of a policy whose workloads lose no replica before the replacement is ready. */
const STRATEGY = { [REDUCTION_STRATEGY]: 'DelayWorkDeletion' };

/** Creates the workload with an annotated policy, and waits until its binding has the annotation. */
export async function propagateGracefully(fleet: Fleet, workload: Workload, how: object, more?: object): Promise<void> {
  const wish = policy(workload.name, how, more) as { metadata: object };
  await fleet.api.create(paths.policies, { ...wish, metadata: { ...wish.metadata, annotations: STRATEGY } });
  await fleet.api.create(paths.deployments, deployment(workload));
  await eventually(() => hasStrategy(fleet, workload.name), true);
}

async function hasStrategy(fleet: Fleet, workload: string): Promise<boolean> {
  const { metadata } = await bindingOf(fleet, workload);
  return metadata.annotations?.[REDUCTION_STRATEGY] === STRATEGY[REDUCTION_STRATEGY];
}

/** Annotates the binding, as a user may if no function copies the annotation from the policy. */
export async function setStrategy(
  fleet: Fleet,
  workload: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  await annotateBinding(fleet, workload, { ...STRATEGY, ...more });
}

async function annotateBinding(
  { api }: Fleet,
  workload: string,
  annotations: Readonly<Record<string, string | null>>,
): Promise<void> {
  await api.merge(`${paths.bindings}/${workload}-deployment`, { metadata: { annotations } });
}

/** Removes the entry from the queue, as a user may without a tool. */
export async function releaseByHand(fleet: Fleet, workload: string, member: Name): Promise<void> {
  await annotateBinding(fleet, workload, { [`${QUEUE}${member}`]: null });
}

/** The held replicas of each cluster, according to the queue. */
export async function held(fleet: Fleet, workload: string): Promise<Readonly<Record<string, number>>> {
  return heldIn(await bindingOf(fleet, workload));
}

export function heldIn({ metadata }: Binding): Readonly<Record<string, number>> {
  const entries = Object.entries(metadata.annotations ?? {}).filter(([name]) => name.startsWith(QUEUE));
  const sizes = entries.map(([name, text]) => [
    name.slice(QUEUE.length),
    (JSON.parse(text) as { replicas: number }).replicas,
  ]);
  return Object.fromEntries(sizes) as Record<string, number>;
}

const REVISION = 'evenkeel.dev/test-revision';

/** A template change, which replaces all pods. */
export async function reviseTemplate(fleet: Fleet, workload: string, revision: string): Promise<void> {
  await inTemplate(fleet, workload, { [REVISION]: revision });
}

export async function inTemplate(
  { api }: Fleet,
  workload: string,
  annotations: Readonly<Record<string, string>>,
): Promise<void> {
  const spec = { template: { metadata: { annotations } } };
  await api.merge(`${paths.deployments}/${workload}`, { spec });
}

/** The revisions of each member's pods; 'first' before the first change. */
export async function revisions(
  { members }: GracefulFleet,
  workload: string,
): Promise<Record<Name, readonly string[]>> {
  const all = NAMES.map(async (name) => {
    const pods = await members[name].list<{
      metadata: { annotations?: Record<string, string>; deletionTimestamp?: string };
    }>(`${paths.pods}?labelSelector=app%3D${workload}`);
    const live = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    return [
      name,
      [...new Set(live.map(({ metadata }) => metadata.annotations?.[REVISION] ?? 'first'))].sort(),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(all)) as unknown as Record<Name, readonly string[]>;
}

/** Changes the replica scheduling of the policy. */
export async function reweigh({ api }: Fleet, workload: string, how: object): Promise<void> {
  await api.merge(`${paths.policies}/${workload}`, { spec: { placement: { replicaScheduling: how } } });
}
