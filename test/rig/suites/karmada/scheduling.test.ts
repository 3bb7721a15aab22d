/** 100 bindings, each scheduled by karmada-scheduler 1.18 and by Evenkeel's scheduler, on the same objects of one hub, with the same clusters and reason. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../../../shared/core/settings.ts';
import type { PlacedBinding } from '../../../../shared/karmada/placed-binding.ts';
import { connectHub } from '../../../../shared/kubernetes/client/connect-hub.ts';
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import type { Hub as HubPort } from '../../../../shared/kubernetes/hub.ts';
import { recording } from '../../../fakes/telemetry.ts';
import { startEvenkeelWith } from '../../parts/evenkeel.ts';
import { type Hub, startHub } from '../../parts/hub.ts';
import { startSchedulerAlone } from '../../parts/karmada.ts';
import { Api } from '../api.ts';
import { patchesOf } from '../audit-log.ts';
import { rigBeside } from '../rig-of-suite.ts';
import { paths } from './manifests.ts';
import { eventually } from './observed-state.ts';
import {
  type Answer,
  askFunction,
  askKarmada,
  askModel,
  BINDINGS,
  CLUSTERS,
  hasOverflowed,
  makeBinding,
  makeClusters,
} from './scheduling/ask-schedulers.ts';
import { bindingCase, clusterCases } from './scheduling/cases.ts';
import { Dice } from './scheduling/dice.ts';
import { bindingFor, emptyCluster, failedOver, movedTo, triggered } from './scheduling/plain.ts';
import { type Version, Versions } from './scheduling/versions.ts';

const ROUNDS = 5;
const BINDINGS_A_ROUND = 20;
/** This many of each round are also scheduled by the function itself. */
const BY_FUNCTION = 4;
const SEED = 20261121;

/** A separate rig: its clusters have no API server and its bindings no controller, so no other suite can use this hub. */
const rig = rigBeside('scheduling');
let hub: Hub;
let api: Api;
let port: HubPort;
let versions: Versions;
const reasons = new Map<string, number>();

beforeAll(async () => {
  hub = await startHub(rig, { scheduler: true });
  await startSchedulerAlone(rig, hub);
  api = await Api.of(hub.adminKubeconfig);
  for (const path of [BINDINGS, CLUSTERS]) await api.delete(path);
  versions = await Versions.of(hub.adminKubeconfig, BINDINGS);
  port = connectHub('karmada', await connectionFromKubeconfig(hub.kubeconfig), {
    settings: parseSettings({}),
    telemetry: recording([]),
  });
});

afterAll(async () => {
  await versions.close();
  api.close();
  await rig.down();
});

describe('a binding is scheduled as by karmada-scheduler', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => round))('round %i', async (round) => {
    const dice = new Dice(SEED + round);
    const names = Array.from({ length: dice.number(1, 9) }, (_, index) => `r${round}-m${index + 1}`);
    const clusters = await makeClusters(api, round, clusterCases(dice, names));
    const cases = Array.from({ length: BINDINGS_A_ROUND }, (_, index) =>
      bindingCase(dice, `r${round}-b${index}`, names),
    );
    const before = await Promise.all(cases.map((each) => makeBinding(api, each)));
    const theirs = await Promise.all(before.map((binding) => askKarmada(api, versions, binding)));
    const ours = before.map((binding) => askModel(namingOurs(binding), clusters));
    const expected = before.map((binding, index) =>
      hasOverflowed(versions, binding.metadata.name) ? theirs[index] : askModel(binding, clusters),
    );
    expect(labelled(before, theirs)).toEqual(labelled(before, expected));
    const some = cases.slice(0, BY_FUNCTION);
    const byFunction = await Promise.all(some.map((each) => askFunction(api, port, each, `ours-${each.name}`)));
    expect(byFunction).toEqual(ours.slice(0, BY_FUNCTION));
    for (const { reason } of theirs) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    for (const path of [BINDINGS, CLUSTERS]) await api.delete(path);
  });

  it('except for a trigger of a workload without replicas on two clusters, whose capacity karmada-scheduler sums up to -2', async () => {
    const clusters = await makeClusters(api, ROUNDS, ['none-1', 'none-2'].map(emptyCluster));
    const before = await makeBinding(api, triggered('none', 0));
    const theirs = await askKarmada(api, versions, before);
    expect([theirs.reason, hasOverflowed(versions, 'none')]).toEqual(['Unschedulable', true]);
    expect(askModel(before, clusters)).toEqual({ clusters: {}, reason: 'Success', affinity: '' });
    for (const path of [BINDINGS, CLUSTERS]) await api.delete(path);
  });

  it('on a trigger both stay with the current term of clusterAffinities, and only a binding with our scheduler starts with the first term', async () => {
    const clusters = await makeClusters(api, ROUNDS + 1, ['first', 'second'].map(emptyCluster));
    const before = await makeBinding(api, movedTo('second', triggered('moved', 10), ['first', 'second']));
    const theirs = await askKarmada(api, versions, before);
    expect(theirs).toEqual({ clusters: { second: 10 }, reason: 'Success', affinity: 'second' });
    expect(askModel(before, clusters)).toEqual(theirs);
    expect(askModel(namingOurs(before), clusters)).toEqual({
      clusters: { first: 10 },
      reason: 'Success',
      affinity: 'first',
    });
    for (const path of [BINDINGS, CLUSTERS]) await api.delete(path);
  });

  it('and every outcome occurs', () => {
    expect([...reasons.keys()].sort()).toEqual([
      'NoClusterFit',
      'SchedulerError',
      'Success',
      'Unschedulable',
      'as it was',
    ]);
    expect([...reasons.values()].reduce((sum, count) => sum + count, 0)).toBe(ROUNDS * BINDINGS_A_ROUND);
  });
});

describe('our function beside karmada-scheduler, triggered by audit events of bindings', () => {
  const [ours, theirs] = ['ours', 'theirs'].map((prefix) => `${prefix}-${Date.now().toString(36)}`) as [string, string];

  it('schedules a binding with schedulerName evenkeel, and does not write others', async () => {
    await startEvenkeelWith(rig, hub, { settings: { resyncMinutes: 1440 }, args: ['--failback'] });
    await makeClusters(api, ROUNDS + 2, ['near', 'far'].map(emptyCluster));
    await api.create(BINDINGS, bindingFor(ours, 'evenkeel'));
    await api.create(BINDINGS, bindingFor(theirs, 'default-scheduler'));
    const even = { near: 5, far: 5 };
    await eventually(() => assignedOf(ours), even);
    await eventually(() => assignedOf(theirs), even);
    // Two patches of our binding: the spec, and then the status.
    const patches = async () => [ours, theirs].map((name) => patchesOf(hub, 'default').get(name));
    await eventually(patches, [2, undefined]);
  });

  it('on a hub with --failback, has karmada-scheduler return a rebalanced binding to the first term of clusterAffinities', async () => {
    const workload = `home-${Date.now().toString(36)}`;
    await makeClusters(api, ROUNDS + 3, ['primary', 'backup'].map(emptyCluster));
    const { name } = (await makeBinding(api, failedOver(workload, ['primary', 'backup']))).metadata;
    expect(await assignedOf(name)).toEqual({ backup: 10 });
    const workloads = [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: workload }];
    await api.create(paths.rebalancers, {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name: workload },
      spec: { workloads },
    });
    await eventually(() => assignedOf(name), { primary: 10 });
    // karmada-scheduler writes the clusters first, and the term in the status after that.
    const observed = async () => (await api.get<Version>(`${BINDINGS}/${name}`)).status?.schedulerObservingAffinityName;
    await eventually(observed, 'primary');
  });

  async function assignedOf(name: string): Promise<object> {
    const { spec } = await api.get<Version>(`${BINDINGS}/${name}`);
    return Object.fromEntries((spec.clusters ?? []).map(({ name: cluster, replicas }) => [cluster, replicas]));
  }
});

/** The same binding, with our scheduler named. */
function namingOurs(binding: PlacedBinding): PlacedBinding {
  return { ...binding, spec: { ...binding.spec, schedulerName: 'evenkeel' } };
}

/** With the inputs as labels, so that a difference shows them. */
function labelled(bindings: readonly PlacedBinding[], answers: readonly (Answer | undefined)[]): object {
  return Object.fromEntries(
    bindings.map(({ metadata, spec }, index) => [
      `${metadata.name}: ${JSON.stringify({ ...spec.placement, replicas: spec.replicas, now: spec.clusters })}`,
      answers[index],
    ]),
  );
}
