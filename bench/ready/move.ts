/** One measured move: all replicas are on member1, because member2 was closed; a WorkloadRebalancer divides them over both. */
import { READY_AFTER } from '../../test/rig/parts/kwok-stages.ts';
import { eventually } from '../../test/rig/parts/probes.ts';
import {
  DYNAMIC_WEIGHT,
  deployment,
  HALF_CORE,
  paths,
  policy,
  rebalancer,
} from '../../test/rig/suites/karmada/manifests.ts';
import { ReadyCurve } from '../../test/rig/suites/karmada/ready-curve.ts';
import type { ReadyContender } from './contenders.ts';
import { openMember2, type ReadyFleet } from './fleet.ts';
import { replicaSecondsLost } from './lost.ts';

export const REPLICAS = 12;
export const READY_SECONDS = 10;
const WITHIN_MS = 90_000;

export interface MeasuredMove {
  /** Replica-seconds below the requested number. */
  readonly lost: number;
  /** Of ready replicas. */
  readonly lowest: number;
  /** From the create of the rebalancer until all replicas are ready in their new places, and in no other. */
  readonly ms: number;
}

export async function measureMove(
  fleet: ReadyFleet,
  { annotations }: ReadyContender,
  name: string,
): Promise<MeasuredMove> {
  const { api } = fleet;
  await openMember2(fleet, false);
  const division = policy(name, DYNAMIC_WEIGHT) as { readonly metadata: object };
  await api.create(paths.policies, { ...division, metadata: { ...division.metadata, annotations } });
  const annotation = { [READY_AFTER]: `${READY_SECONDS}s` };
  const workload = { name, replicas: REPLICAS, requests: HALF_CORE, annotations: annotation };
  await api.create(paths.deployments, deployment(workload));
  const curve = await ReadyCurve.of(fleet, name, REPLICAS);
  try {
    await assertPlaced(curve, { member1: REPLICAS, member2: 0 });
    await assertAnnotated(fleet, name, annotations);
    await openMember2(fleet, true);
    curve.begin();
    await api.create(paths.rebalancers, rebalancer(name, name));
    await assertPlaced(curve, { member1: REPLICAS / 2, member2: REPLICAS / 2 });
    const { points, lowest } = curve;
    const move = { lost: replicaSecondsLost(points, REPLICAS), lowest, ms: points.at(-1)?.ms ?? Number.NaN };
    for (const path of [paths.rebalancers, paths.deployments, paths.policies]) await api.delete(`${path}/${name}`);
    await assertPlaced(curve, { member1: 0, member2: 0 });
    return move;
  } finally {
    await curve.close();
  }
}

/** Waits until that many are ready in each member. */
async function assertPlaced(curve: ReadyCurve, expected: Readonly<Record<string, number>>): Promise<void> {
  await eventually(async () => {
    const ready = JSON.stringify(curve.points.at(-1)?.ready);
    if (ready !== JSON.stringify(expected)) throw new Error(`ready: ${ready}, not ${JSON.stringify(expected)}`);
  }, WITHIN_MS);
}

/** Waits until the binding has the annotations of its policy: holds are made by the binding's own. */
async function assertAnnotated({ api }: ReadyFleet, name: string, annotations: object): Promise<void> {
  await eventually(async () => {
    const binding = await api.get<{ metadata: { annotations?: object } }>(`${paths.bindings}/${name}-deployment`);
    const missing = Object.keys(annotations).find((key) => !(key in (binding.metadata.annotations ?? {})));
    if (missing !== undefined) throw new Error(`the binding of ${name} does not have ${missing}`);
  }, WITHIN_MS);
}
