/**
 * AWS takes a third of a cluster's nodes back, on real Karmada: the share of replicas that runs there is ready on other clusters before the two
 * minutes of the warning are over, and no moment has fewer ready pods.
 */
import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND, toTimestamp } from '../../../../shared/core/time.ts';
import type { PolicyStatus } from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import { startEvenkeelWith } from '../../parts/evenkeel.ts';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { propagate } from './acts.ts';
import { type GracefulFleet, restoreNodes, startGracefulFleet } from './graceful-fleet.ts';
import { DYNAMIC_WEIGHT, HALF_CORE } from './manifests.ts';
import { assigned, eventually } from './observed-state.ts';
import { ReadyCurves } from './ready-curve.ts';

const POLICIES = '/apis/evenkeel.dev/v1alpha1/rebalancepolicies';
const DRAINS = '/apis/evenkeel.dev/v1alpha1/clusterdrains';
const CLUSTER = '/apis/cluster.karmada.io/v1alpha1/clusters/member1';
const FOURTH_NODE = '/api/v1/nodes/member1-node4';
const PERCENT = 34;
const WORKLOADS = Array.from({ length: 20 }, (_, index) => `web${index + 1}`);
const REPLICAS = 9;
/** The time between the warning of an interruption and the end of the instance. */
const WARNING_MS = 120 * SECOND;

const parts = new AsyncDisposableStack();
let fleet: GracefulFleet;

beforeAll(async () => {
  fleet = parts.adopt(await startGracefulFleet(), (started) => started.close());
  // Three are left, of which one is taken back.
  await fleet.members.member1.delete(FOURTH_NODE);
  await eventually(nodes, 3);
  const late = { requests: HALF_CORE, annotations: { [READY_AFTER]: '12s' } };
  for (const name of WORKLOADS) await propagate(fleet, { ...late, name, replicas: REPLICAS }, DYNAMIC_WEIGHT);
  await startEvenkeelWith(fleet.rig, fleet.hub, { settings: { resyncMinutes: 1440, policyLookSeconds: 1 }, args: [] });
});

afterAll(async () => {
  for (const path of [POLICIES, DRAINS]) await fleet.api.delete(path);
  await restoreNodes(fleet, 'member1', ['member1-node4']);
  await parts.disposeAsync();
});

async function nodes(): Promise<number> {
  const { status } = await fleet.api.get<{ status: { nodeSummary?: { totalNum?: number } } }>(CLUSTER);
  return status.nodeSummary?.totalNum ?? 0;
}

/** As the bus of AWS sends it, with the member cluster in its detail: a local run has no account whose tags it could read. */
async function interrupt(instance: string): Promise<number> {
  const event = {
    ...{ version: '0', id: `warning-${instance}`, source: 'aws.ec2', account: '111122223333', region: 'eu-central-1' },
    ...{ 'detail-type': 'EC2 Spot Instance Interruption Warning', time: toTimestamp(Date.now()), resources: [] },
    detail: { 'instance-id': instance, 'instance-action': 'terminate', cluster: 'member1' },
  };
  const { port, token } = fleet.hub.hook;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { port, path: '/hubs/karmada/events', method: 'POST', headers, rejectUnauthorized: false };
    const request = https.request({ host: '127.0.0.1', ...options }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', reject);
    request.end(JSON.stringify(event));
  });
}

/** The replicas of each workload. */
async function onMember1(): Promise<readonly number[]> {
  const all = await Promise.all(WORKLOADS.map((name) => assigned(fleet, name)));
  return all.map(({ member1 = 0 }) => member1);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

describe('an interruption of a third of the nodes of a cluster', () => {
  it('has their share of the replicas ready elsewhere within two minutes, and at no time fewer ready', async () => {
    const strategy = { waves: { size: 100 } };
    const triggers = { externalEvents: [{ types: ['SpotInterruption'] }] };
    const kind = { apiVersion: 'evenkeel.dev/v1alpha1', kind: 'RebalancePolicy' };
    await fleet.api.create(POLICIES, { ...kind, metadata: { name: 'aws' }, spec: { triggers, strategy } });
    await eventually(async () => (await policy()).conditions?.find(({ type }) => type === 'Accepted')?.status, 'True');
    const curves = await ReadyCurves.of(fleet, WORKLOADS, REPLICAS);
    // Every binding is assigned once its pods are ready.
    const before = await onMember1();
    const from = Date.now();
    expect(await interrupt('i-0b662ef9931388ba0')).toBe(200);
    const drained = async () => (await drain()).conditions?.find(({ type }) => type === 'Drained')?.status;
    await eventually(drained, 'True', WARNING_MS);
    expect(Date.now() - from).toBeLessThan(WARNING_MS);
    await curves.close();
    curves.save('spot', WORKLOADS.slice(0, 3));
    expect(Object.entries(curves.lowest).filter(([, lowest]) => lowest < REPLICAS)).toEqual([]);
    const after = await onMember1();
    const moved = before.map((replicas, index) => replicas - (after[index] ?? 0));
    // About three replicas of each workload; the capacity that members report while the workloads are created decides.
    expect(sumOf(before)).toBeGreaterThan(2 * WORKLOADS.length);
    // Whole replicas move: each workload rounds its share up or down, by its name.
    expect(moved.filter((count, index) => Math.abs(count - ((before[index] ?? 0) * PERCENT) / 100) >= 1)).toEqual([]);
    expect(Math.abs((sumOf(moved) * 100) / sumOf(before) - PERCENT)).toBeLessThan(10);
  });
});

async function policy(): Promise<PolicyStatus> {
  return (await fleet.api.get<{ status?: PolicyStatus }>(`${POLICIES}/aws`)).status ?? {};
}

async function drain(): Promise<PolicyStatus> {
  const [found] = await fleet.api.list<{ status?: PolicyStatus }>(DRAINS);
  return found?.status ?? {};
}
