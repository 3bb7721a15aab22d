/** Karmada's scheduler-estimator and Evenkeel's own estimator, compared on the same pods of the same members. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../../../shared/core/settings.ts';
import type { ReplicaRequirements } from '../../../../shared/estimator/estimator.ts';
import { GrpcEstimator } from '../../../../shared/estimator/grpc-estimator.ts';
import { PodEstimator } from '../../../../shared/estimator/pod-estimator.ts';
import { availableReplicas } from '../../../../shared/karmada/assignment/available-replicas.ts';
import { clusters } from '../../../../shared/karmada/assignment/cluster.ts';
import { connectHub } from '../../../../shared/kubernetes/client/connect-hub.ts';
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import type { Hub } from '../../../../shared/kubernetes/hub.ts';
import { recording } from '../../../fakes/telemetry.ts';
import { startEstimator, stopEstimator } from '../../parts/estimators.ts';
import { clear, propagate } from './acts.ts';
import { type Fleet, MEMBERS, type MemberName, startFleet, WHOLE_NODE } from './fleet.ts';
import { deployment, HALF_CORE, paths, reference } from './manifests.ts';
import { eventually, known, running, seenFor } from './observed-state.ts';

const DUPLICATED = { replicaSchedulingType: 'Duplicated' };
const LONG = 3600;
/** The timeout of requests to an estimator: a shared machine may stall for seconds. */
const TIMEOUT_MS = 30_000;

/** Of the Deployments here, whose counts do not depend on it. */
const assigned = (name: string) => ({ ...reference(name), replicas: 5 });

describe('the estimators of the members', () => {
  let fleet: Fleet;
  let hub: Hub;
  let theirs: Readonly<Record<MemberName, GrpcEstimator>>;
  let ours: PodEstimator;

  beforeAll(async () => {
    fleet = await startFleet();
    const { rig, hub: server, kubernetes } = fleet;
    const settings = parseSettings({});
    hub = connectHub('karmada', await connectionFromKubeconfig(server.kubeconfig), {
      settings,
      telemetry: recording([]),
    });
    await server.kubectl.typed(await server.manifests('rbac', '--count-pods'));
    const ofMembers = await server.manifests('member-rbac');
    for (const member of MEMBERS) await kubernetes[member].kubectl.typed(ofMembers);
    const ask = async (member: MemberName) =>
      new GrpcEstimator(await startEstimator(rig, kubernetes[member]), TIMEOUT_MS);
    theirs = { member1: await ask('member1'), member2: await ask('member2') };
    ours = new PodEstimator(hub, { timeoutMs: TIMEOUT_MS, now: () => Date.now() });
    await clear(fleet);
  });

  afterAll(async () => {
    await clear(fleet);
    for (const member of MEMBERS) {
      theirs[member].close();
      await stopEstimator(fleet.rig, member);
    }
    fleet.close();
  });

  const capacity = (requirements: ReplicaRequirements) => theirs.member1.maxAvailableReplicas('member1', requirements);

  /** [the count of Karmada's estimator, our count] of each member. */
  function counted(workload: string, seconds: number): Promise<readonly (readonly [number, number])[]> {
    const both = async (member: MemberName) => {
      const asked = [theirs[member], ours].map((one) => one.unschedulableReplicas(member, assigned(workload), seconds));
      const [their = Number.NaN, our = Number.NaN] = await Promise.all(asked);
      return [their, our] as const;
    };
    return Promise.all(MEMBERS.map(both));
  }

  /** The number of pods by image. */
  async function images(member: MemberName): Promise<Readonly<Record<string, number>>> {
    const pods = await fleet.members[member].list<{ spec: { containers: { image: string }[] } }>(paths.pods);
    const named = Map.groupBy(pods, ({ spec }) => spec.containers[0]?.image ?? '');
    return Object.fromEntries([...named].map(([image, all]) => [image, all.length]));
  }

  async function reportedCapacity(request: Readonly<Record<string, string>>): Promise<number> {
    for await (const page of hub.list(clusters)) {
      const member1 = page.find(({ name }) => name === 'member1');
      if (member1 !== undefined) return availableReplicas({ summary: member1.resourceSummary, request });
    }
    throw new Error('there is no member1');
  }

  it('report the capacity that Karmada computes from the cluster status', async () => {
    for (const [request, places] of [
      [HALF_CORE, 160],
      [{ memory: '1Gi' }, 16],
      [WHOLE_NODE, 2],
      [{ cpu: '250m', memory: '3Gi' }, 4],
    ] as const) {
      expect([request, await capacity({ resourceRequest: request })]).toEqual([request, places]);
    }
    expect(await capacity({})).toBe(220);
    expect([await reportedCapacity(HALF_CORE), await reportedCapacity({ memory: '1Gi' })]).toEqual([160, 16]);
  });

  it('count by node and not by sum: three pods of 24 cores do not fit on two nodes of 40', async () => {
    const request = { cpu: '24' };
    expect([await reportedCapacity(request), await capacity({ resourceRequest: request })]).toEqual([3, 2]);
  });

  it('apply node selectors and node affinity', async () => {
    const onFirst = { key: 'metadata.name', operator: 'In', values: ['member1-node1'] };
    const notFirst = { key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['member1-node1'] };
    const ofNodes = (nodeClaim: object) => capacity({ resourceRequest: HALF_CORE, nodeClaim });
    expect(await ofNodes({ nodeSelector: { 'kubernetes.io/hostname': 'member1-node2' } })).toBe(80);
    expect(await ofNodes({ hardNodeAffinity: { nodeSelectorTerms: [{ matchFields: [onFirst] }] } })).toBe(80);
    expect(await ofNodes({ hardNodeAffinity: { nodeSelectorTerms: [{ matchExpressions: [notFirst] }] } })).toBe(80);
    expect(await ofNodes({ nodeSelector: { 'kubernetes.io/hostname': 'elsewhere' } })).toBe(0);
  });

  it('apply taints and tolerations', async () => {
    const node = '/api/v1/nodes/member1-node1';
    const taints = [{ key: 'gpu', value: 'a100', effect: 'NoSchedule' }];
    await fleet.members.member1.merge(node, { spec: { taints } });
    const tolerating = (tolerations: readonly object[]) =>
      capacity({ resourceRequest: HALF_CORE, nodeClaim: { tolerations } });
    try {
      await eventually(() => tolerating([]), 80);
      expect(await tolerating([{ key: 'gpu', operator: 'Exists' }])).toBe(160);
      expect(await tolerating([{ key: 'gpu', operator: 'Equal', value: 'v100' }])).toBe(80);
    } finally {
      await fleet.members.member1.merge(node, { spec: { taints: null } });
    }
    await eventually(() => tolerating([]), 160);
  });

  it('count the same unschedulable pods, over gRPC and through the proxy of the hub', async () => {
    // Two nodes per member, and five pods that need one node each.
    await propagate(fleet, { name: 'web', replicas: 5, requests: WHOLE_NODE }, DUPLICATED);
    await eventually(() => running(fleet, 'web'), { member1: 2, member2: 2 });
    await eventually(
      () => counted('web', 0),
      [
        [3, 3],
        [3, 3],
      ],
    );
    expect(await counted('web', LONG)).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(await capacity({ resourceRequest: WHOLE_NODE })).toBe(0);
  });

  it('do not count pods of another workload with the same labels', async () => {
    const canary = deployment({ name: 'web-canary', replicas: 2, requests: WHOLE_NODE });
    const text = JSON.stringify(canary).replaceAll('"app":"web-canary"', '"app":"web"');
    await fleet.members.member1.create(paths.deployments, JSON.parse(text) as object);
    await eventually(() => known(fleet), { member1: 7, member2: 5 });
    expect(await counted('web', 0)).toEqual([
      [3, 3],
      [3, 3],
    ]);
    await fleet.members.member1.delete(`${paths.deployments}/web-canary`);
    await eventually(() => known(fleet), { member1: 5, member2: 5 });
  });

  it('agree during a rollout whose new pods cannot be scheduled', async () => {
    const agreed: [number, number][] = [
      [3, 3],
      [3, 3],
    ];
    // The age of a pod has a resolution of one second.
    await eventually(() => counted('web', 1), agreed);
    const containers = [{ name: 'web', image: 'web:2', resources: { requests: WHOLE_NODE } }];
    await fleet.api.merge(`${paths.deployments}/web`, { spec: { template: { spec: { containers } } } });
    // The old version keeps both nodes of each member, and two pending pods, which are being replaced and do not count.
    await eventually(() => images('member1'), { web: 4, 'web:2': 3 });
    await eventually(() => images('member2'), { web: 4, 'web:2': 3 });
    await eventually(() => counted('web', 0), agreed);
    expect(await seenFor(3000, () => counted('web', 0))).toEqual([agreed]);
  });

  it('are independent: if one is down, the others answer, and it answers again after a restart', async () => {
    await stopEstimator(fleet.rig, 'member2');
    await expect(theirs.member2.unschedulableReplicas('member2', assigned('web'), 0)).rejects.toMatchObject({
      reason: 'EstimatorUnreachable',
    });
    expect(await theirs.member1.unschedulableReplicas('member1', assigned('web'), 0)).toBeGreaterThan(0);
    await startEstimator(fleet.rig, fleet.kubernetes.member2);
    expect(await theirs.member2.unschedulableReplicas('member2', assigned('web'), LONG)).toBe(0);
  });

  it('reject the name of another cluster, an unknown kind, and an untrusted client certificate', async () => {
    await expect(theirs.member1.maxAvailableReplicas('member2', {})).rejects.toMatchObject({
      reason: 'EstimatorFailed',
      message: expect.stringContaining('cluster name does not match, got: member2, desire: member1') as string,
    });
    const another = { ...assigned('web'), apiVersion: 'apps/v1beta0' };
    await expect(theirs.member1.unschedulableReplicas('member1', another, 0)).rejects.toMatchObject({
      reason: 'EstimatorFailed',
    });
    const estimator = await startEstimator(fleet.rig, fleet.kubernetes.member1);
    const { certificateData, keyData } = await startEstimator(fleet.rig, fleet.kubernetes.member2);
    const stranger = new GrpcEstimator({ ...estimator, certificateData, keyData }, TIMEOUT_MS);
    await expect(stranger.maxAvailableReplicas('member1', {})).rejects.toMatchObject({ reason: 'EstimatorUntrusted' });
    stranger.close();
  });
});
