/**
 * A FederatedHPA of real Karmada scales a workload up and down while a policy rebalances it: neither corrects the other, and no replica is lost.
 * The demand is made up (kwok's pods use no CPU); the controller that decides on it is Karmada's. The tests are steps of one course, in order.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PolicyStatus } from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import { startEvenkeelWith } from '../../parts/evenkeel.ts';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { type Metered, PodMetrics } from '../../parts/pod-metrics.ts';
import { REBALANCERS } from '../hub-client.ts';
import { occupy, vacate } from './acts.ts';
import { type GracefulFleet, held, propagateGracefully, startGracefulFleet } from './graceful-fleet.ts';
import { DYNAMIC_WEIGHT, HALF_CORE, paths } from './manifests.ts';
import { ObjectWatch } from './object-watch.ts';
import { assigned, type Binding, eventually, known } from './observed-state.ts';
import { ReadyCurve } from './ready-curve.ts';
import { isReadyPod } from './ready-pod.ts';

const AUTOSCALERS = '/apis/autoscaling.karmada.io/v1alpha1/namespaces/default/federatedhpas';
const POLICIES = '/apis/evenkeel.dev/v1alpha1/rebalancepolicies';
const BUDGETS = '/apis/evenkeel.dev/v1alpha1/movebudgets';
const EVENTS = '/api/v1/events';
const DRAINS = '/apis/evenkeel.dev/v1alpha1/clusterdrains';
/** Millicores that a replica is to use. */
const TARGET = 100;
/** Longer than a replacement takes to be ready, so that the autoscaler does not count the held replicas. */
const WINDOW_SECONDS = 30;
const LOW = 6;
const HIGH = 12;
const STEP = { type: 'Pods', value: HIGH - LOW, periodSeconds: WINDOW_SECONDS };
const WITHIN_MS = 120_000;
const WAITING = /FederatedHPA default\/web (is scaling it|scaled it)/;
/** It leaves capacity for 24 replicas of web, where an empty member has it for 320: a fresh scheduling assigns none there. */
const TENANT = { name: 'tenant', replicas: 4, requests: { cpu: '37' } };

const autoscaler = {
  apiVersion: 'autoscaling.karmada.io/v1alpha1',
  kind: 'FederatedHPA',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 2,
    maxReplicas: 40,
    // One step each. Until members have the replicas of a step, a FederatedHPA that decides every second would go on.
    behavior: {
      scaleUp: { stabilizationWindowSeconds: 0, policies: [STEP] },
      scaleDown: { stabilizationWindowSeconds: WINDOW_SECONDS, policies: [STEP] },
    },
    metrics: [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: `${TARGET}m` } } },
    ],
  },
};

const parts = new AsyncDisposableStack();
let fleet: GracefulFleet;
let metered: Metered;
let curve: ReadyCurve;
/** Since the last `count`: the replicas of the Deployment, and the sums that its binding assigned, each where it differs from the one before. */
let replicas: number[] = [];
let sums: number[] = [];
/** Of the status of policies and drains, as their watches have them. */
const messages = new Set<string>();

interface Policy {
  readonly metadata: { readonly name: string };
  readonly status?: PolicyStatus;
}

interface Scalable {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly replicas: number };
}

interface Autoscaled {
  readonly status?: { readonly desiredReplicas?: number; readonly lastScaleTime?: string };
}

interface Tainted {
  readonly spec: { readonly taints?: readonly { readonly key: string }[] };
}

interface Pod {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly deletionTimestamp?: string };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

async function webPods() {
  const of = Object.values(fleet.members).map((member) => member.list<Pod>(`${paths.pods}?labelSelector=app%3Dweb`));
  const pods = (await Promise.all(of)).flat();
  return pods.map((pod) => ({ ...pod.metadata, isReady: isReadyPod(pod) }));
}

function note(list: number[], value: number): void {
  if (list.at(-1) !== value) list.push(value);
}

beforeAll(async () => {
  fleet = parts.adopt(await startGracefulFleet(), (started) => started.close());
  metered = { demandMillis: LOW * TARGET, pods: webPods };
  parts.adopt(await PodMetrics.on(fleet.rig, fleet.hub, metered), (metrics) => metrics.close());
  await startEvenkeelWith(fleet.rig, fleet.hub, {
    settings: { resyncMinutes: 1440, policyLookSeconds: 1, rescheduleCheckSeconds: 1 },
    args: [],
  });
  // web runs on the other two, and a policy has something to correct when member3 is empty.
  await occupy(fleet, 'member3', TENANT);
  await eventually(() => known(fleet), { member1: 0, member2: 0, member3: 4 });
  const web = { name: 'web', replicas: LOW, requests: HALF_CORE, annotations: { [READY_AFTER]: '6s' } };
  await propagateGracefully(fleet, web, DYNAMIC_WEIGHT);
  await eventually(() => assigned(fleet, 'web'), { member1: 3, member2: 3 });
  curve = await ReadyCurve.of(fleet, 'web', LOW);
  await watchAll();
  await fleet.api.create(AUTOSCALERS, autoscaler);
});

afterAll(async () => {
  for (const path of [REBALANCERS, BUDGETS, POLICIES, DRAINS, AUTOSCALERS]) await fleet.api.delete(path);
  await parts.disposeAsync();
});

async function watchAll(): Promise<void> {
  const { adminKubeconfig } = fleet.hub;
  const watches = [
    await ObjectWatch.of<Scalable>(adminKubeconfig, paths.deployments, ({ object }) =>
      note(replicas, object.spec.replicas),
    ),
    await ObjectWatch.of<Binding>(adminKubeconfig, paths.bindings, ({ object }) =>
      note(
        sums,
        (object.spec.clusters ?? []).reduce((sum, one) => sum + one.replicas, 0),
      ),
    ),
    ...(await Promise.all(
      [POLICIES, DRAINS].map((path) =>
        ObjectWatch.of<Policy>(adminKubeconfig, path, ({ object: { metadata, status } }) =>
          messages.add(`${metadata.name}: ${status?.message ?? ''}`),
        ),
      ),
    )),
  ];
  parts.defer(async () => {
    const ends = await Promise.all(watches.map((watch) => watch.close()));
    await curve.close();
    expect(ends).toEqual(watches.map(() => undefined));
  });
}

/** Counts from here on. */
function count(): void {
  replicas = replicas.slice(-1);
  sums = sums.slice(-1);
  curve.begin();
}

async function lastRun(of: string): Promise<PolicyStatus['lastRun']> {
  return (await fleet.api.get<Policy>(of)).status?.lastRun;
}

async function isFinished(of: string): Promise<void> {
  await eventually(async () => (await lastRun(of))?.state, 'Finished', WITHIN_MS);
}

/** Why it waited for the autoscaler, without the seconds. */
function waitsOf(name: string): readonly string[] {
  const reasons = [...messages]
    .filter((text) => text.startsWith(name))
    .flatMap((text) => WAITING.exec(text)?.[0] ?? []);
  return [...new Set(reasons)];
}

const strategy = { waves: { readyWithin: '5m' } };

/** Moves whatever a fresh scheduling would assign otherwise. */
const even = {
  apiVersion: 'evenkeel.dev/v1alpha1',
  kind: 'RebalancePolicy',
  metadata: { name: 'even' },
  spec: { selector: { names: ['web'] }, triggers: { imbalance: { percent: 1 } }, strategy },
};

const drained = {
  apiVersion: 'evenkeel.dev/v1alpha1',
  kind: 'ClusterDrain',
  metadata: { name: 'member1' },
  spec: { cluster: 'member1', strategy },
};

/** The replicas, once the autoscaler has reported that it set them; -1 before. */
async function scaled(): Promise<number> {
  const { spec } = await fleet.api.get<Scalable>(`${paths.deployments}/web`);
  const { status } = await fleet.api.get<Autoscaled>(`${AUTOSCALERS}/web`);
  return status?.desiredReplicas === spec.replicas ? spec.replicas : -1;
}

async function scaledAt(): Promise<string> {
  return (await fleet.api.get<Autoscaled>(`${AUTOSCALERS}/web`)).status?.lastScaleTime ?? '';
}

/**
 * Until it is scaled, and the time of that reported. Karmada writes it with a status that it has read before: if that is outdated, the write is
 * rejected, and the next one no longer has the time. Then it is scaled back, and again.
 */
async function scaleTo(replicas: number): Promise<void> {
  const back = replicas === HIGH ? LOW : HIGH;
  for (;;) {
    count();
    const before = await scaledAt();
    metered.demandMillis = replicas * TARGET;
    await eventually(scaled, replicas, WITHIN_MS);
    if ((await scaledAt()) !== before) return;
    metered.demandMillis = back * TARGET;
    await eventually(scaled, back, WITHIN_MS);
  }
}

async function taintsOfMember1(): Promise<readonly string[]> {
  const { spec } = await fleet.api.get<Tainted>('/apis/cluster.karmada.io/v1alpha1/clusters/member1');
  return (spec.taints ?? []).map(({ key }) => key);
}

async function heldReplicas(): Promise<number> {
  return Object.values(await held(fleet, 'web')).reduce((sum, one) => sum + one, 0);
}

/** Whether each value is larger (1) or smaller (-1) than the one before: a correction would go the other way. */
function goesOneWay(values: readonly number[], direction: 1 | -1): boolean {
  return values.every((value, i) => i === 0 || (value - (values[i - 1] ?? 0)) * direction > 0);
}

describe('a workload that a FederatedHPA scales while a policy and a drain move it', () => {
  it('is moved after it was scaled up and the stabilization window is over', async () => {
    await scaleTo(HIGH);
    await vacate(fleet, 'member3', 'tenant');
    await eventually(async () => (await known(fleet)).member3, 0);
    await fleet.api.create(POLICIES, even);
    await isFinished(`${POLICIES}/even`);
    expect(waitsOf('even')).toContain('FederatedHPA default/web scaled it');
    expect(await assigned(fleet, 'web')).toEqual({ member1: 4, member2: 4, member3: 4 });
    expect(replicas.at(-1)).toBe(HIGH);
    expect([goesOneWay(replicas, 1), goesOneWay(sums, 1)]).toEqual([true, true]);
    expect([curve.lowest, curve.ready]).toEqual([LOW, HIGH]);
  });

  it('is moved off a cluster after it was scaled down, and its autoscaler scales it up again meanwhile', async () => {
    await scaleTo(LOW);
    await fleet.api.create(DRAINS, drained);
    const hasWaited = async () => waitsOf('member1').includes('FederatedHPA default/web scaled it');
    await eventually(hasWaited, true, WITHIN_MS);
    await eventually(async () => (await heldReplicas()) > 0, true, WITHIN_MS);
    expect([goesOneWay(replicas, -1), goesOneWay(sums, -1)]).toEqual([true, true]);
    expect(curve.lowest).toBe(LOW);
    count();
    metered.demandMillis = HIGH * TARGET;
    await isFinished(`${DRAINS}/member1`);
    await eventually(scaled, HIGH);
    await eventually(heldReplicas, 0);
    await eventually(async () => curve.ready, HIGH);
    expect(Object.keys(await assigned(fleet, 'web'))).toEqual(['member2', 'member3']);
    expect([goesOneWay(replicas, 1), goesOneWay(sums, 1)]).toEqual([true, true]);
    expect(curve.lowest).toBe(LOW);
  });

  it('is not moved after a client that is no object on the hub scaled it', async () => {
    await fleet.api.delete(`${AUTOSCALERS}/web`);
    await fleet.api.delete(`${DRAINS}/member1`);
    // With the taint a fresh scheduling would move nothing, and nothing that moves nothing waits.
    await eventually(taintsOfMember1, []);
    const budget = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'MoveBudget', metadata: { name: 'hub' } };
    await fleet.api.create(BUDGETS, { ...budget, spec: { limits: [{ per: 'Hub', replicas: '100' }] } });
    await fleet.api.merge(`${paths.deployments}/web/scale`, { spec: { replicas: HIGH - 1 } });
    const sum = async () => Object.values(await assigned(fleet, 'web')).reduce<number>((all, one = 0) => all + one, 0);
    await eventually(sum, HIGH - 1);
    const before = await assigned(fleet, 'web');
    const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' };
    const rebalancer = {
      apiVersion: 'apps.karmada.io/v1alpha1',
      kind: 'WorkloadRebalancer',
      metadata: { name: 'web' },
    };
    await fleet.api.create(REBALANCERS, { ...rebalancer, spec: { workloads: [web] } });
    const waits = async () =>
      (await fleet.api.list<{ message: string }>(`${EVENTS}?fieldSelector=reason%3DWaitingForBudget`)).some(
        ({ message }) => /a client scales it, and its last change was \d+ s ago, less than 300 s/.test(message),
      );
    await eventually(waits, true, WITHIN_MS);
    expect(await assigned(fleet, 'web')).toEqual(before);
  });
});
