/** A cluster is drained on real Karmada: its workloads move in waves, and no moment has fewer ready pods, although none asks for graceful reduction. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DRAIN_TAINT } from '../../../../shared/karmada/member-cluster.ts';
import type { PolicyStatus } from '../../../../shared/rebalance-policy/rebalance-policy.ts';
import { startEvenkeelWith } from '../../parts/evenkeel.ts';
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { rigBeside } from '../rig-of-suite.ts';
import { clear, propagate } from './acts.ts';
import { type GracefulFleet, startGracefulFleet } from './graceful-fleet.ts';
import { HALF_CORE, weighted } from './manifests.ts';
import { assigned, eventually, running } from './observed-state.ts';
import { ReadyCurve } from './ready-curve.ts';

const DRAINS = '/apis/evenkeel.dev/v1alpha1/clusterdrains';
const WORKLOADS = Array.from({ length: 8 }, (_, index) => `web${index + 1}`);
const REPLICAS = 6;
const WITHIN_MS = 180_000;
const EVENLY = weighted({ member1: 1, member2: 1, member3: 1 });
const late = { requests: HALF_CORE, annotations: { [READY_AFTER]: '12s' } };

const parts = new AsyncDisposableStack();
let fleet: GracefulFleet;

beforeAll(async () => {
  const rig = rigBeside('drain');
  parts.defer(() => rig.down());
  fleet = parts.adopt(await startGracefulFleet(rig), (started) => started.close());
  await clear(fleet);
  for (const name of WORKLOADS) await propagate(fleet, { ...late, name, replicas: REPLICAS }, EVENLY);
  for (const name of WORKLOADS) await eventually(() => running(fleet, name), { member1: 2, member2: 2, member3: 2 });
  await startEvenkeelWith(rig, fleet.hub, { settings: { resyncMinutes: 1440, policyLookSeconds: 1 }, args: [] });
}, 600_000);

afterAll(() => parts.disposeAsync(), 120_000);

interface Drain {
  readonly status?: PolicyStatus;
}

async function drained(): Promise<string | undefined> {
  const { status } = await fleet.api.get<Drain>(`${DRAINS}/member1`);
  return status?.conditions?.find(({ type }) => type === 'Drained')?.status;
}

async function taints(): Promise<readonly string[]> {
  const { spec } = await fleet.api.get<{ spec: { taints?: readonly { key: string }[] } }>(
    '/apis/cluster.karmada.io/v1alpha1/clusters/member1',
  );
  return (spec.taints ?? []).map(({ key }) => key);
}

describe('a ClusterDrain', () => {
  it('moves all that its cluster has, and never is a pod less ready', async () => {
    const curves = await Promise.all(WORKLOADS.map((name) => ReadyCurve.of(fleet, name, REPLICAS)));
    try {
      await fleet.api.create(DRAINS, {
        apiVersion: 'evenkeel.dev/v1alpha1',
        kind: 'ClusterDrain',
        metadata: { name: 'member1' },
        spec: { cluster: 'member1', strategy: { waves: { size: 3 } } },
      });
      await eventually(drained, 'True', WITHIN_MS);
      for (const name of WORKLOADS) {
        await eventually(() => running(fleet, name), { member1: 0, member2: 3, member3: 3 });
        expect(await assigned(fleet, name)).toEqual({ member2: 3, member3: 3 });
      }
      expect(curves.map(({ lowest }) => lowest)).toEqual(WORKLOADS.map(() => REPLICAS));
      expect(await taints()).toContain(DRAIN_TAINT);
    } finally {
      await Promise.all(curves.map((curve) => curve.close()));
    }
  }, 300_000);

  it('lets its cluster have replicas again when it is deleted', async () => {
    await fleet.api.delete(`${DRAINS}/member1`);
    await eventually(async () => (await taints()).includes(DRAIN_TAINT), false);
    await propagate(fleet, { ...late, name: 'later', replicas: 3 }, EVENLY);
    await eventually(() => assigned(fleet, 'later'), { member1: 1, member2: 1, member3: 1 });
  });
});
