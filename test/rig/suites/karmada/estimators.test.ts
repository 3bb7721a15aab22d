/** Karmada's own scheduler-estimator and our ways of asking, about the same pods of the same members. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PodEstimator } from '../../../../shared/adapters/estimators/pod-estimator.ts';
import { connectHub } from '../../../../shared/adapters/kubernetes/connect-hub.ts';
import { connectionFromKubeconfig } from '../../../../shared/adapters/kubernetes/kubeconfig.ts';
import { GrpcEstimator } from '../../../../shared/adapters/scheduler-estimator/grpc-estimator.ts';
import { availableReplicas } from '../../../../shared/model/assignment/available-replicas.ts';
import { clusters } from '../../../../shared/model/assignment/cluster.ts';
import type { ReplicaRequirements } from '../../../../shared/ports/estimator.ts';
import type { Hub } from '../../../../shared/ports/hub.ts';
import { parseSettings } from '../../../../shared/settings.ts';
import { recording } from '../../../fakes/telemetry.ts';
import { startEstimator, stopEstimator } from '../../parts/estimators.ts';
import { clear, propagate } from './acts.ts';
import { type Fleet, MEMBERS, type MemberName, startFleet, WHOLE_NODE } from './fleet.ts';
import { deployment, HALF_CORE, paths, reference } from './manifests.ts';
import { eventually, known, running, seenFor } from './observed-state.ts';

const DUPLICATED = { replicaSchedulingType: 'Duplicated' };
const LONG = 3600;
/** Of whoever asks an estimator: a shared machine may stand still for seconds. */
const TIMEOUT_MS = 30_000;

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
  }, 600_000);

  afterAll(async () => {
    await clear(fleet);
    for (const member of MEMBERS) {
      theirs[member].close();
      await stopEstimator(fleet.rig, member);
    }
    fleet.close();
  }, 200_000);

  const capacity = (requirements: ReplicaRequirements) => theirs.member1.maxAvailableReplicas('member1', requirements);

  /** [what Karmada's estimator says, what we count] of each member. */
  function counted(workload: string, seconds: number): Promise<readonly (readonly [number, number])[]> {
    const both = async (member: MemberName) => {
      const asked = [theirs[member], ours].map((one) =>
        one.unschedulableReplicas(member, reference(workload), seconds),
      );
      const [their = Number.NaN, our = Number.NaN] = await Promise.all(asked);
      return [their, our] as const;
    };
    return Promise.all(MEMBERS.map(both));
  }

  /** Pods by the version that they are of. */
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

  it('have the room that Karmada itself reads from what a member reports', async () => {
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

  it('know what the sums of a report hide: three pods of 24 cores do not fit on two nodes of 40', async () => {
    const request = { cpu: '24' };
    expect([await reportedCapacity(request), await capacity({ resourceRequest: request })]).toEqual([3, 2]);
  });

  it('understand on which nodes a pod may be', async () => {
    const onFirst = { key: 'metadata.name', operator: 'In', values: ['member1-node1'] };
    const notFirst = { key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['member1-node1'] };
    const ofNodes = (nodeClaim: object) => capacity({ resourceRequest: HALF_CORE, nodeClaim });
    expect(await ofNodes({ nodeSelector: { 'kubernetes.io/hostname': 'member1-node2' } })).toBe(80);
    expect(await ofNodes({ hardNodeAffinity: { nodeSelectorTerms: [{ matchFields: [onFirst] }] } })).toBe(80);
    expect(await ofNodes({ hardNodeAffinity: { nodeSelectorTerms: [{ matchExpressions: [notFirst] }] } })).toBe(80);
    expect(await ofNodes({ nodeSelector: { 'kubernetes.io/hostname': 'elsewhere' } })).toBe(0);
  });

  it('understand which taints a pod tolerates', async () => {
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

  it('count the same pods that no node takes, over gRPC and through the proxy of the hub', async () => {
    // Two whole nodes a member, and five pods that need one each.
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

  it('count no pods of another workload that wears the same labels', async () => {
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

  it('agree when a new version is rolled out and nothing of it can run', async () => {
    const agreed: [number, number][] = [
      [3, 3],
      [3, 3],
    ];
    // Pods tell their age in whole seconds.
    await eventually(() => counted('web', 1), agreed);
    const containers = [{ name: 'web', image: 'web:2', resources: { requests: WHOLE_NODE } }];
    await fleet.api.merge(`${paths.deployments}/web`, { spec: { template: { spec: { containers } } } });
    // The old version keeps both nodes of each member, and two pods that wait as well: they are on their way out and do not count.
    await eventually(() => images('member1'), { web: 4, 'web:2': 3 });
    await eventually(() => images('member2'), { web: 4, 'web:2': 3 });
    await eventually(() => counted('web', 0), agreed);
    expect(await seenFor(3000, () => counted('web', 0))).toEqual([agreed]);
  });

  it('leave the others answering when one of them is away, and answer again when it is back', async () => {
    await stopEstimator(fleet.rig, 'member2');
    await expect(theirs.member2.unschedulableReplicas('member2', reference('web'), 0)).rejects.toMatchObject({
      reason: 'EstimatorUnreachable',
    });
    expect(await theirs.member1.unschedulableReplicas('member1', reference('web'), 0)).toBeGreaterThan(0);
    await startEstimator(fleet.rig, fleet.kubernetes.member2);
    expect(await theirs.member2.unschedulableReplicas('member2', reference('web'), LONG)).toBe(0);
  });

  it('refuse the name of another cluster, a kind that they do not know, and who is not known to them', async () => {
    await expect(theirs.member1.maxAvailableReplicas('member2', {})).rejects.toMatchObject({
      reason: 'EstimatorFailed',
      message: expect.stringContaining('cluster name does not match, got: member2, desire: member1') as string,
    });
    const set = { ...reference('web'), kind: 'StatefulSet' };
    await expect(theirs.member1.unschedulableReplicas('member1', set, 0)).rejects.toMatchObject({
      reason: 'EstimatorFailed',
    });
    const estimator = await startEstimator(fleet.rig, fleet.kubernetes.member1);
    const { certificateData, keyData } = await startEstimator(fleet.rig, fleet.kubernetes.member2);
    const stranger = new GrpcEstimator({ ...estimator, certificateData, keyData }, TIMEOUT_MS);
    await expect(stranger.maxAvailableReplicas('member1', {})).rejects.toMatchObject({ reason: 'EstimatorUntrusted' });
    stranger.close();
  });
});
