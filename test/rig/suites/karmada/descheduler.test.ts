/** Story 1 of the descheduler proposal on real Karmada: three members, pending pods, and karmada-scheduler, which places the evicted replicas. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RESCHEDULING_POLICY } from '../../../../shared/karmada/rescheduling-policy.ts';
import { PRESERVE_ANNOTATION } from '../../../../shared/workload-rebalancer/workload-rebalancer.ts';
import { startEvenkeelWith, stopEvenkeel } from '../../parts/evenkeel.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { startKarmada } from '../../parts/karmada.ts';
import { addNamedNodes, type Member, startMember } from '../../parts/member.ts';
import { Api } from '../api.ts';
import { readJsonLines } from '../json-lines.ts';
import { rigBeside } from '../rig-of-suite.ts';
import { DYNAMIC_WEIGHT, deployment, HALF_CORE, paths, policy, rebalancer, statefulSet } from './manifests.ts';
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
});

afterAll(async () => {
  for (const one of [api, ...Object.values(apis)]) one.close();
  await rig.down();
});

interface Binding {
  readonly spec: { readonly clusters?: readonly { readonly name: string; readonly replicas: number }[] };
  readonly status: {
    readonly conditions?: readonly { type: string; reason: string }[];
    readonly aggregatedStatus?: readonly { clusterName: Name; status?: { readyReplicas?: number } }[];
  };
}

function binding(name = 'web', kind = 'deployment'): Promise<Binding> {
  return api.get(`${paths.bindings}/${name}-${kind}`);
}

async function assigned(name = 'web', kind?: string): Promise<Record<string, number>> {
  return Object.fromEntries(
    ((await binding(name, kind)).spec.clusters ?? []).map(({ name, replicas }) => [name, replicas]),
  );
}

interface Pod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly conditions?: readonly { type: string; status: string; reason?: string }[] };
}

function pods(member: Name, app = 'web'): Promise<readonly Pod[]> {
  return apis[member].list<Pod>(`${paths.pods}?labelSelector=app%3D${app}`);
}

function counted(holds: (pod: Pod) => boolean, app = 'web'): Promise<Record<Name, number>> {
  return eachMember(
    async (name) => (await pods(name, app)).filter((pod) => !pod.metadata.deletionTimestamp && holds(pod)).length,
  );
}

const ready = (app?: string) => counted(({ status }) => has(status, 'Ready', 'True'), app);
const pending = (app?: string) => counted(({ status }) => has(status, 'PodScheduled', 'False', 'Unschedulable'), app);

function has({ conditions = [] }: Pod['status'], type: string, status: string, reason?: string): boolean {
  return conditions.some((one) => one.type === type && one.status === status && one.reason === reason);
}

/** A node of member1 goes, with its pods. */
async function lose(node: string, app: string): Promise<void> {
  const lost = (await pods('member1', app)).filter(({ spec }) => spec.nodeName === node);
  await apis.member1.delete(`${NODES}/${node}`);
  // By force: no kubelet is left on that node to end them.
  const names = lost.map(({ metadata }) => metadata.name);
  await members.member1.kubectl.run('delete', 'pod', ...names, '--grace-period=0', '--force');
}

/** Creates a rebalancer that preserves available replicas, and returns the results of its workloads. */
async function preserve(name: string, workload: string): Promise<readonly string[]> {
  const { metadata, ...rest } = rebalancer(name, workload) as { metadata: object };
  const annotations = { [PRESERVE_ANNOTATION]: 'true' };
  await api.create(paths.rebalancers, { ...rest, metadata: { ...metadata, annotations } });
  const results = async (): Promise<readonly string[]> => {
    const { status } = await api.get<{ status?: { observedWorkloads?: readonly Record<string, string>[] } }>(
      `${paths.rebalancers}/${name}`,
    );
    return (status?.observedWorkloads ?? []).map(({ result = '', reason = '' }) => `${result} ${reason}`.trim());
  };
  await eventually(async () => (await results()).some((result) => result !== ''), true);
  return results();
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

/** The ready replicas of each member according to the binding, which Karmada updates later than the members. */
async function reportedReady(app: string, kind: string): Promise<Record<Name, number>> {
  const { aggregatedStatus = [] } = (await binding(app, kind)).status;
  const of = new Map(aggregatedStatus.map(({ clusterName, status }) => [clusterName, status?.readyReplicas ?? 0]));
  return eachMember(async (name) => of.get(name) ?? 0);
}

/** Restarts Evenkeel, whose descheduler evaluates the hub once at the start, and takes only what Karmada reports by then. */
async function deschedule(app = 'web', kind = 'deployment'): Promise<void> {
  await eventually(() => reportedReady(app, kind), await ready(app));
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
    await lose('member1-lost', 'web');
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

describe('a rebalancer that preserves available replicas', () => {
  it('leaves a Deployment with unschedulable replicas as it is while no other member has capacity for them', async () => {
    await addNamedNodes(members.member1, ['member1-more'], { cpu: 2 });
    await eventually(capacity, { member1: 4, member2: 1, member3: 1 });
    await api.create(paths.policies, policy('batch', DYNAMIC_WEIGHT));
    await api.create(paths.deployments, deployment({ name: 'batch', replicas: 4, requests: HALF_CORE }));
    await eventually(async () => total(await ready('batch')), 4);
    await lose('member1-more', 'batch');
    await eventually(async () => (await pending('batch')).member1, (await assigned('batch')).member1);
    const before = await assigned('batch');
    // Longer than unschedulableSeconds.
    expect(await seenFor(4000, () => assigned('batch'))).toEqual([before]);
    expect(await preserve('without-capacity', 'batch')).toEqual(['Failed InsufficientCapacity']);
    expect(await assigned('batch')).toEqual(before);
  });

  it('moves them, and no ready ones, when there is capacity, and karmada-scheduler leaves that assignment', async () => {
    const { member1: _lost, ...kept } = await assigned('batch');
    const [wasReady, web] = [await ready('batch'), await assigned()];
    await addNamedNodes(members.member3, ['member3-more'], { cpu: 2 });
    await eventually(async () => (await capacity()).member3 > 3, true);
    expect(await preserve('with-capacity', 'batch')).toEqual(['Successful']);
    const after = await assigned('batch');
    expect(total(after)).toBe(4);
    expect(after.member1 ?? 0).toBe(0);
    for (const [name, replicas] of Object.entries(kept)) expect(after[name]).toBeGreaterThanOrEqual(replicas);
    await eventually(async () => total(await ready('batch')), 4);
    expect(await seenFor(3000, () => assigned('batch'))).toEqual([after]);
    expect((await ready('batch')).member2).toBeGreaterThanOrEqual(wasReady.member2);
    expect(await assigned()).toEqual(web);
  });
});

describe('a StatefulSet of which a member lost a node', () => {
  const names = async (member: Name) => (await pods(member, 'db')).map(({ metadata }) => metadata.name).sort();

  it('has a pod that is pending, and none above it, because its pods start one after another', async () => {
    for (const path of [paths.deployments, paths.policies]) await api.delete(path);
    await eventually(capacity, { member1: 2, member2: 6, member3: 8 });
    // The node that stays is full while the StatefulSet starts.
    await apis.member1.create(paths.deployments, deployment({ name: 'tenant', replicas: 2, requests: HALF_CORE }));
    await eventually(async () => (await capacity()).member1, 0);
    await addNamedNodes(members.member1, ['member1-more'], { cpu: 2 });
    await eventually(capacity, { member1: 4, member2: 6, member3: 8 });
    const resourceSelectors = [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db' }];
    const wish = policy('db', DYNAMIC_WEIGHT, { resourceSelectors }) as { metadata: object };
    const annotations = { [RESCHEDULING_POLICY]: 'OnUnschedulable' };
    await api.create(paths.policies, { ...wish, metadata: { ...wish.metadata, annotations } });
    await api.create(paths.statefulSets, statefulSet({ name: 'db', replicas: 12, requests: HALF_CORE }));
    await eventually(() => ready('db'), { member1: 3, member2: 4, member3: 5 });
    await apis.member1.merge(`${paths.deployments}/tenant`, { spec: { replicas: 1 } });
    await lose('member1-more', 'db');
    await eventually(() => ready('db'), { member1: 1, member2: 4, member3: 5 });
    await eventually(() => pending('db'), { member1: 1, member2: 0, member3: 0 });
    expect(await names('member1')).toEqual(['db-0', 'db-1']);
  });

  it('gives up the pending one and those above it, and keeps the one that is ready', async () => {
    await deschedule('db', 'statefulset');
    await eventually(async () => (await assigned('db', 'statefulset')).member1, 1);
    await eventually(async () => total(await ready('db')), 12);
    expect(await names('member1')).toEqual(['db-0']);
    expect(await pending('db')).toEqual({ member1: 0, member2: 0, member3: 0 });
  });
});

function total(numbers: Readonly<Record<string, number>>): number {
  return Object.values(numbers).reduce((sum, count) => sum + count, 0);
}
