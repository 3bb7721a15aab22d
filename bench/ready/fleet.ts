/** Real Karmada with two members, on whose hub either Karmada's own rebalancer runs or Evenkeel. */
import { type Hub, startHub } from '../../test/rig/parts/hub.ts';
import { startKarmada } from '../../test/rig/parts/karmada.ts';
import { type Member, type MemberSize, startMember } from '../../test/rig/parts/member.ts';
import type { Rig } from '../../test/rig/rig.ts';
import { Api } from '../../test/rig/suites/api.ts';
import { paths } from '../../test/rig/suites/karmada/manifests.ts';

/** Capacity for 160 pods of half a core, so that a dozen pods do not change by what both members are weighted. */
const SIZE: MemberSize = { nodes: 2, cpu: 40 };

export interface ReadyFleet {
  readonly rig: Rig;
  readonly hub: Hub;
  readonly api: Api;
  readonly kubernetes: { readonly member1: Member; readonly member2: Member };
}

export async function startReadyFleet(rig: Rig): Promise<ReadyFleet> {
  const hub = await startHub(rig);
  const member1 = await startMember(rig, 'member1', SIZE);
  const member2 = await startMember(rig, 'member2', SIZE);
  await startKarmada(rig, hub, [member1, member2]);
  return { rig, hub, api: await Api.of(hub.adminKubeconfig), kubernetes: { member1, member2 } };
}

/** A taint keeps new replicas away from a cluster and moves none. */
const CLOSED = { key: 'bench.evenkeel.dev/closed', effect: 'NoSchedule' };

/** Whether the scheduler may assign replicas to member2. */
export async function openMember2({ api }: ReadyFleet, isOpen: boolean): Promise<void> {
  await api.merge(`${paths.clusters}/member2`, { spec: { taints: isOpen ? [] : [CLOSED] } });
}
