/** The fleet for RebalancePolicies: a hub with Karmada and three members, a fourth member that has not joined yet, and Evenkeel, triggered by the hub's audit events. */

import { join } from 'node:path';
import { admitChanges } from '../../../../functions/cluster-hook/admit-change.ts';
import { REAL_HUB } from '../../../../local/run.ts';
import { startTable } from '../../../../local/table.ts';
import { type PolicyRun, triggerText } from '../../../../shared/rebalance-policy/policy-run.ts';
import { readRuns } from '../../../../shared/rebalance-policy/read-run.ts';
import type { PolicySpec, PolicyStatus } from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import { POLICY_LABEL } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { startEvenkeel, stopEvenkeel } from '../../parts/evenkeel.ts';
import { ACCOUNT, startHub } from '../../parts/hub.ts';
import { join as joinMember } from '../../parts/join.ts';
import { startKarmada } from '../../parts/karmada.ts';
import { type Member, startMember } from '../../parts/member.ts';
import type { Rig } from '../../rig.ts';
import { Api, type Meta } from '../api.ts';
import { readJsonLines } from '../json-lines.ts';
import type { Fleet } from './fleet.ts';
import { paths } from './manifests.ts';
import { eventually, isHealthy } from './observed-state.ts';

/** As in the fleet of two: equal cores, and member2 with more memory. Capacity for 16 pods of 1 GiB, and for 32 on member2. */
const SIZES = {
  member1: { nodes: 2, cpu: 40, memoryGi: 8 },
  member2: { nodes: 2, cpu: 40, memoryGi: 16 },
  member3: { nodes: 2, cpu: 40, memoryGi: 8 },
  member4: { nodes: 2, cpu: 40, memoryGi: 8 },
};
type Name = keyof typeof SIZES;

const POLICIES = '/apis/evenkeel.dev/v1alpha1/rebalancepolicies';

export interface PolicyFleet extends Fleet {
  readonly members: Readonly<Record<'member1' | 'member2' | 'member3', Api>>;
  /** It runs, but has not joined the hub. */
  readonly member4: Member;
}

export async function startPolicyFleet(rig: Rig): Promise<PolicyFleet> {
  const hub = await startHub(rig);
  const names = Object.keys(SIZES) as Name[];
  const started = await Promise.all(
    names.map(async (name) => [name, await startMember(rig, name, SIZES[name])] as const),
  );
  const { member4, ...kubernetes } = Object.fromEntries(started) as Record<Name, Member>;
  await startKarmada(rig, hub, Object.values(kubernetes));
  const api = await Api.of(hub.adminKubeconfig);
  const members = {
    member1: await Api.of(kubernetes.member1.adminKubeconfig),
    member2: await Api.of(kubernetes.member2.adminKubeconfig),
    member3: await Api.of(kubernetes.member3.adminKubeconfig),
  };
  const close = () => {
    for (const one of [api, ...Object.values(members)]) one.close();
  };
  return { rig, hub, api, members, kubernetes, member4, close };
}

/** Checks waves every second; resyncs once a day by default, so that only the hub's events trigger functions. */
export function runEvenkeelOn({ rig, hub }: PolicyFleet, resyncMinutes = 1440): Promise<void> {
  return startEvenkeel(rig, hub, { resyncMinutes, policyLookSeconds: 1 });
}

export async function recoverMember({ rig }: PolicyFleet, name: Name): Promise<void> {
  await startMember(rig, name, SIZES[name]);
}

/** The fleet with member4. Its `close` closes only the client of member4. */
export async function joinMember4(fleet: PolicyFleet): Promise<Fleet> {
  const { rig, hub, members, member4 } = fleet;
  await joinMember(rig, hub, member4);
  await eventually(() => isHealthy(fleet, 'member4').catch(() => false), true);
  const joined = await Api.of(member4.adminKubeconfig);
  const all = { ...members, member4: joined };
  return { ...fleet, members: all, close: () => joined.close() };
}

interface Policy {
  readonly metadata: Meta;
  readonly status?: PolicyStatus;
}

/** The spec as a user writes it; the API server adds the defaults. */
export interface PolicySpecInput {
  readonly selector?: Partial<PolicySpec['selector']>;
  readonly triggers: object;
  readonly strategy?: object;
}

export async function createPolicy({ api }: Fleet, name: string, spec: PolicySpecInput): Promise<void> {
  await api.create(POLICIES, {
    apiVersion: 'evenkeel.dev/v1alpha1',
    kind: 'RebalancePolicy',
    metadata: { name },
    spec,
  });
}

export async function deletePolicies({ api }: Fleet): Promise<void> {
  await api.delete(POLICIES);
}

export async function statusOf({ api }: Fleet, name: string): Promise<PolicyStatus> {
  return (await api.get<Policy>(`${POLICIES}/${name}`)).status ?? {};
}

/** The names of the WorkloadRebalancers that a policy created. */
export async function wavesOf({ api }: Fleet, policy: string): Promise<readonly string[]> {
  const found = await api.list<{ metadata: Meta }>(
    `${paths.rebalancers}?labelSelector=${encodeURIComponent(`${POLICY_LABEL}=${policy}`)}`,
  );
  return found.map(({ metadata }) => metadata.name);
}

/** Restarts Evenkeel, and runs `meanwhile` while it is stopped. */
export async function restartEvenkeel(
  fleet: PolicyFleet,
  { resyncMinutes, meanwhile }: { readonly resyncMinutes: number; readonly meanwhile: () => Promise<void> },
): Promise<void> {
  await stopEvenkeel(fleet.rig);
  await meanwhile();
  await runEvenkeelOn(fleet, resyncMinutes);
}

export interface PolicyRunSeen extends Pick<PolicyRun, 'state' | 'moved'> {
  readonly triggers: readonly string[];
  /** "Moved: rescheduled and ready", by workload. */
  readonly decisions: Readonly<Record<string, string>>;
}

/** The runs of a policy, oldest first; read from the table, while Evenkeel is stopped. */
export async function runsOf({ hub }: PolicyFleet, policy: string): Promise<readonly PolicyRunSeen[]> {
  const table = await startTable(join(hub.hook.folder, 'table'));
  try {
    const records = (await readRuns(table.policies, REAL_HUB, 100)).filter(({ name }) => name === policy).toReversed();
    return await Promise.all(
      records.map(async ({ uid, run: { run, state, moved, triggers } }) => {
        const { waves, skipped } = await table.policies.decisions({ hub: REAL_HUB, uid, run });
        const all = [...waves, ...skipped].flatMap(({ workloads }) => workloads);
        const texts = all.map(({ workload, outcome, reason }) => [workload.name, `${outcome}: ${reason}`]);
        const decisions = Object.fromEntries(texts) as Readonly<Record<string, string>>;
        return { state, moved, triggers: triggers.map(triggerText), decisions };
      }),
    );
  } finally {
    await table.close();
  }
}

/** The events that the hook derives from the hub's audit events: "ClusterChanged member2". */
export function auditedChangesOf({ hub }: PolicyFleet): readonly string[] {
  const events = readJsonLines<unknown>(hub.auditLog).flatMap(
    (line) => admitChanges({ hub: REAL_HUB, account: ACCOUNT }, [line]).events,
  );
  return events.map(({ type, detail }) => `${type} ${detail.name ?? ''}`);
}
