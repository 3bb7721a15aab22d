/** Story 1 of the descheduler proposal on real Karmada: three members, pending pods, and karmada-scheduler, which places the evicted replicas. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESCHEDULING_POLICY } from '../../../../shared/karmada/rescheduling-policy.ts';
import { startEvenkeelWith, stopEvenkeel } from '../../parts/evenkeel.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { startKarmada } from '../../parts/karmada.ts';
import { addNamedNodes, type Member, startMember } from '../../parts/member.ts';
import { Api } from '../api.ts';
import { readJsonLines } from '../json-lines.ts';
import { rigBeside } from '../rig-of-suite.ts';
import { DYNAMIC_WEIGHT, deployment, HALF_CORE, paths, policy } from './manifests.ts';
import { eventually, seenFor } from './observed-state.ts';

/** Cores; the pods of the story need half a core each. */
const CORES = { member1: 1, member2: 3, member3: 2 } as const;
type Name = keyof typeof CORES;
const NAMES = Object.keys(CORES) as readonly Name[];
const NODES = '/api/v1/nodes';
const TAKEN = '1 binding asked about, 3 replicas taken out (the last chunk)';

const rig = rigBeside('descheduler');
let hub: Hub;
let api: Api;
let members: Readonly<Record<Name, Member>>;
let apis: Readonly<Record<Name, Api>>;

async function eachMember<T>(act: (name: Name) => Promise<T>): Promise<Record<Name, T>> {
  const all = await Promise.all(NAMES.map(async (name) => [name, await act(name)] as const));
  return Object.fromEntries(all) as Record<Name, T>;
}

beforeAll(async () => {
  hub = await startHub(rig);
  members = await eachMember((name) => startMember(rig, name, { nodes: 1, cpu: CORES[name] }));
  await addNamedNodes(members.member1, ['member1-lost'], { cpu: 4 });
  await startKarmada(rig, hub, Object.values(members));
  api = await Api.of(hub.adminKubeconfig);
  apis = await eachMember((name) => Api.of(members[name].adminKubeconfig));
  await hub.kubectl.typed(await hub.manifests('rbac', '--count-pods'));
  const ofMembers = await hub.manifests('member-rbac');
  for (const name of NAMES) await members[name].kubectl.typed(ofMembers);
}, 600_000);

afterAll(async () => {
  for (const one of [api, ...Object.values(apis)]) one.close();
  await rig.down();
}, 120_000);

interface Binding {
  readonly spec: { readonly clusters?: readonly { readonly name: string; readonly replicas: number }[] };
  readonly status: { readonly conditions?: readonly { type: string; reason: string }[] };
}

function binding(): Promise<Binding> {
  return api.get(`${paths.bindings}/web-deployment`);
}

async function assigned(): Promise<Record<string, number>> {
  return Object.fromEntries(((await binding()).spec.clusters ?? []).map(({ name, replicas }) => [name, replicas]));
}

interface Pod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly conditions?: readonly { type: string; status: string; reason?: string }[] };
}

function pods(member: Name): Promise<readonly Pod[]> {
  return apis[member].list<Pod>(`${paths.pods}?labelSelector=app%3Dweb`);
}

function counted(holds: (pod: Pod) => boolean): Promise<Record<Name, number>> {
  return eachMember(
    async (name) => (await pods(name)).filter((pod) => !pod.metadata.deletionTimestamp && holds(pod)).length,
  );
}

const ready = () => counted(({ status }) => has(status, 'Ready', 'True'));
const pending = () => counted(({ status }) => has(status, 'PodScheduled', 'False', 'Unschedulable'));

function has({ conditions = [] }: Pod['status'], type: string, status: string, reason?: string): boolean {
  return conditions.some((one) => one.type === type && one.status === status && one.reason === reason);
}

/** The free capacity that Karmada reports, in pods of half a core. */
function capacity(): Promise<Record<Name, number>> {
  return eachMember(async (name) => {
    const { status } = await api.get<{ status: { resourceSummary?: Record<string, Record<string, string>> } }>(
      `${paths.clusters}/${name}`,
    );
    const cpu = (list: string): number => {
      const text = status.resourceSummary?.[list]?.cpu ?? '0';
      return text.endsWith('m') ? Number(text.slice(0, -1)) / 1000 : Number(text);
    };
    return (cpu('allocatable') - cpu('allocated') - cpu('allocating')) * 2;
  });
}

/** Restarts Evenkeel, whose descheduler evaluates the hub once at the start. */
async function deschedule(): Promise<void> {
  await stopEvenkeel(rig);
  const settings = { resyncMinutes: 1440, deschedulingMinutes: 1440, unschedulableSeconds: 2 };
  await startEvenkeelWith(rig, hub, { settings, args: ['--estimator', 'pods'] });
}

function reasons(event: string): readonly string[] {
  const lines = readJsonLines<{ event?: string; reason?: string }>(join(hub.hook.folder, 'evenkeel.log'));
  return lines.flatMap((line) => (line.event === event ? [line.reason ?? ''] : []));
}

describe('a Deployment of which a member lost nodes', () => {
  it('is spread over three members by capacity, and three of its replicas are pending after a loss of nodes', async () => {
    await eventually(capacity, { member1: 10, member2: 6, member3: 4 });
    const wish = policy('web', DYNAMIC_WEIGHT) as { metadata: object };
    const annotations = { [RESCHEDULING_POLICY]: 'OnUnschedulable' };
    await api.create(paths.policies, { ...wish, metadata: { ...wish.metadata, annotations } });
    await api.create(paths.deployments, deployment({ name: 'web', replicas: 10, requests: HALF_CORE }));
    await eventually(ready, { member1: 5, member2: 3, member3: 2 });
    const lost = (await pods('member1')).filter(({ spec }) => spec.nodeName === 'member1-lost');
    await apis.member1.delete(`${NODES}/member1-lost`);
    // By force: no kubelet is left on that node to end them.
    const names = lost.map(({ metadata }) => metadata.name);
    await members.member1.kubectl.run('delete', 'pod', ...names, '--grace-period=0', '--force');
    await eventually(ready, { member1: 2, member2: 3, member3: 2 });
    await eventually(pending, { member1: 3, member2: 0, member3: 0 });
    expect(await assigned()).toEqual({ member1: 5, member2: 3, member3: 2 });
  });

  it('keeps the pending replicas assigned while no other member has capacity', async () => {
    // Another tenant uses the free capacity of the other members.
    for (const [name, replicas] of [
      ['member2', 3],
      ['member3', 2],
    ] as const)
      await apis[name].create(paths.deployments, deployment({ name: 'tenant', replicas, requests: HALF_CORE }));
    await eventually(capacity, { member1: -3, member2: 0, member3: 0 });
    await deschedule();
    await eventually(async () => reasons('DeschedulingChunkPlanned').length, 1);
    expect(reasons('DeschedulingChunkPlanned')[0]).toContain('0 replicas taken out');
    expect(await seenFor(3000, assigned)).toEqual([{ member1: 5, member2: 3, member3: 2 }]);
    expect((await binding()).status.conditions?.find(({ type }) => type === 'Scheduled')?.reason).toBe('Success');
  });

  it('loses its pending replicas, and no ready ones, when other members have capacity, where the scheduler places them', async () => {
    for (const name of ['member2', 'member3'] as const) await apis[name].delete(`${paths.deployments}/tenant`);
    await eventually(capacity, { member1: -3, member2: 3, member3: 2 });
    await deschedule();
    await eventually(async () => reasons('DeschedulingChunkPlanned').at(-1), TAKEN);
    await eventually(ready, { member1: 2, member2: 5, member3: 3 });
    expect(await assigned()).toEqual({ member1: 2, member2: 5, member3: 3 });
    expect(await pending()).toEqual({ member1: 0, member2: 0, member3: 0 });
  });
});
