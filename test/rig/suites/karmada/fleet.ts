/** The fleet of the stories: a hub with Karmada, two members, and Evenkeel as users run it, triggered by the hub's audit events. */
import { startEvenkeel } from '../../parts/evenkeel.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { startKarmada } from '../../parts/karmada.ts';
import { type Member, type MemberSize, startMember } from '../../parts/member.ts';
import type { Rig } from '../../rig.ts';
import { Api } from '../api.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

export const MEMBERS = ['member1', 'member2'] as const;
export type MemberName = (typeof MEMBERS)[number];

/**
 * Equal cores: capacity for 160 pods of half a core each, many more than any workload of a story has replicas.
 * Different memory: capacity for 16 and 32 pods of 1 GiB.
 * Why so much capacity: Karmada's scheduler sometimes acts twice on one trigger, because its cache does not have its own status
 * update of the first time yet. The second time, it still sees the capacity from before the replicas moved. With 16
 * places, 8 replicas that moved from 8/0 to 4/4 would then have weights 12 and 20 and end as 3/5; with 160 the weights are 156 and 164,
 * and the assignment stays.
 */
const SIZES: Readonly<Record<MemberName, MemberSize>> = {
  member1: { nodes: 2, cpu: 40, memoryGi: 8 },
  member2: { nodes: 2, cpu: 40, memoryGi: 16 },
};

/** A pod of this size fills a node: two fill a member. */
export const WHOLE_NODE = { cpu: '40' };

/** Resync is disabled in effect, so that only audit events trigger functions; rescheduling checks end after a few seconds. */
const SETTINGS = { resyncMinutes: 1440, stalledSeconds: 0, rescheduleCheckSeconds: 1, rescheduleTimeoutSeconds: 4 };

export interface Fleet {
  readonly rig: Rig;
  readonly hub: Hub;
  readonly api: Api;
  readonly members: Readonly<Record<MemberName, Api>>;
  /** The members, for components that a suite starts beside them. */
  readonly kubernetes: Readonly<Record<MemberName, Member>>;
  close(): void;
}

export async function startFleet(): Promise<Fleet> {
  const rig = rigOfSuite();
  const hub = await startHub(rig);
  const member1 = await startMember(rig, 'member1', SIZES.member1);
  const member2 = await startMember(rig, 'member2', SIZES.member2);
  await startKarmada(rig, hub, [member1, member2]);
  await runEvenkeel({ rig, hub });
  const api = await Api.of(hub.adminKubeconfig);
  const members = { member1: await Api.of(member1.adminKubeconfig), member2: await Api.of(member2.adminKubeconfig) };
  const close = () => {
    for (const one of [api, members.member1, members.member2]) one.close();
  };
  return { rig, hub, api, members, kubernetes: { member1, member2 }, close };
}

/** Starts Evenkeel again, for suites that stopped it. */
export function runEvenkeel({ rig, hub }: Pick<Fleet, 'rig' | 'hub'>): Promise<void> {
  return startEvenkeel(rig, hub, SETTINGS);
}

/**
 * As after a power failure: the API server and the controllers end together. Controllers that continued to run would
 * reconnect half a minute late, and a Deployment that was deleted and created meanwhile would have its old pods beside its new ones.
 */
export async function fail({ rig }: Pick<Fleet, 'rig'>, member: string): Promise<void> {
  for (const part of ['apiserver', 'controller-manager', 'scheduler', 'kwok'])
    await rig.processes.stop(`${member}-${part}`, 'SIGKILL');
}

export async function recover({ rig }: Fleet, member: MemberName): Promise<void> {
  await startMember(rig, member, SIZES[member]);
}
