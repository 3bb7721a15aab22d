/** What the stories are played on: a hub with Karmada, two members, and Evenkeel as people run it, told of changes by the hub's own audit events. */
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
 * Alike in cores: 160 places for pods of half a core on each, many more than any workload of a story has replicas.
 * Unlike in memory: 16 and 32 places for pods of 1 GiB.
 * Why so much room: Karmada's scheduler now and then acts twice on one trigger, because it does not see its own note of
 * the first time yet. The second time, the room it knows of is still that from before the replicas moved. With 16
 * places, 8 replicas that went from 8/0 to 4/4 would then weigh 12 to 20 and end as 3/5; with 160 they weigh 156 to 164,
 * and stay.
 */
const SIZES: Readonly<Record<MemberName, MemberSize>> = {
  member1: { nodes: 2, cpu: 40, memoryGi: 8 },
  member2: { nodes: 2, cpu: 40, memoryGi: 16 },
};

/** A pod of this size has a node to itself: two fill a member. */
export const WHOLE_NODE = { cpu: '40' };

/** Resync is out of the way, so that audit events alone drive what is seen; looks after the scheduler are soon over. */
const SETTINGS = { resyncMinutes: 1440, stalledSeconds: 0, rescheduleCheckSeconds: 1, rescheduleTimeoutSeconds: 4 };

export interface Fleet {
  readonly rig: Rig;
  readonly hub: Hub;
  readonly api: Api;
  readonly members: Readonly<Record<MemberName, Api>>;
  /** Where the members are, for what is started beside them. */
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

/** Again, for those who stopped it. */
export function runEvenkeel({ rig, hub }: Pick<Fleet, 'rig' | 'hub'>): Promise<void> {
  return startEvenkeel(rig, hub, SETTINGS);
}

/**
 * As a cluster that lost its power: nothing of its API is left to answer, and its controllers start anew with it. Those that live on
 * look again half a minute late, and a Deployment that went and came back in the meantime has its old pods left beside its new ones.
 */
export async function fail({ rig }: Pick<Fleet, 'rig'>, member: string): Promise<void> {
  for (const part of ['apiserver', 'controller-manager', 'scheduler', 'kwok'])
    await rig.processes.stop(`${member}-${part}`, 'SIGKILL');
}

export async function recover({ rig }: Fleet, member: MemberName): Promise<void> {
  await startMember(rig, member, SIZES[member]);
}
