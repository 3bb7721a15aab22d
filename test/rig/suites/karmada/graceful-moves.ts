/** The moves whose curves are compared: from one member, to which all workloads were assigned while the other was full, to both. */
import { READY_AFTER } from '../../parts/kwok-stages.ts';
import { occupy, propagate, vacate } from './acts.ts';
import { WHOLE_NODE } from './fleet.ts';
import { type GracefulFleet, held, propagateGracefully, reviseTemplate, revisions } from './graceful-fleet.ts';
import {
  AGGREGATED,
  DYNAMIC_WEIGHT,
  HALF_CORE,
  NONE_UNAVAILABLE,
  ONE_GIB,
  placedOn,
  rebalancer,
  type Workload,
} from './manifests.ts';
import { eventually, known, whereabouts } from './observed-state.ts';
import { ReadyCurve } from './ready-curve.ts';

export interface Move {
  readonly workload: string;
  readonly shape: 'N to 0' | 'N to M';
  /** If absent, the reduction is immediate, as upstream. */
  readonly held?: true;
  readonly templateChange?: true;
  readonly schedulerName?: string;
}

export const moves: readonly Move[] = [
  { workload: 'orders', shape: 'N to 0', held: true },
  { workload: 'orders-edited', shape: 'N to 0', held: true, templateChange: true },
  { workload: 'orders-at-once', shape: 'N to 0' },
  { workload: 'web', shape: 'N to M', held: true },
  { workload: 'web-edited', shape: 'N to M', held: true, templateChange: true },
  { workload: 'web-ours', shape: 'N to M', held: true, schedulerName: 'evenkeel' },
  { workload: 'web-at-once', shape: 'N to M' },
];

export const REPLICAS = 6;
const READY_IN = '12s';
/** The time until late pods, and then those of a new template, are ready and observed. */
const MOVED_MS = 90_000;

const ENDS = {
  'N to 0': { assigned: { member2: 6 }, running: { member1: 0, member2: 6, member3: 0 } },
  'N to M': { assigned: { member1: 3, member2: 3 }, running: { member1: 3, member2: 3, member3: 0 } },
} as const;

function workloadOf({ workload, shape }: Move): Workload {
  const requests = shape === 'N to 0' ? { ...HALF_CORE, ...ONE_GIB } : HALF_CORE;
  const annotations = { [READY_AFTER]: READY_IN };
  return { name: workload, replicas: REPLICAS, requests, annotations, rollout: NONE_UNAVAILABLE };
}

/** Creates all workloads on member1 and waits until they are ready. */
export async function crowdAll(fleet: GracefulFleet): Promise<void> {
  await occupy(fleet, 'member2', { name: 'tenant', replicas: 4, requests: WHOLE_NODE });
  await eventually(() => known(fleet), { member1: 0, member2: 4, member3: 0 });
  const two = { clusterAffinity: { clusterNames: ['member1', 'member2'] } };
  for (const move of moves) {
    const { shape, schedulerName = 'default-scheduler' } = move;
    const how = shape === 'N to 0' ? AGGREGATED : DYNAMIC_WEIGHT;
    const wish = { ...placedOn(how, two), schedulerName };
    if (move.held) await propagateGracefully(fleet, workloadOf(move), how, wish);
    else await propagate(fleet, workloadOf(move), how, wish);
  }
  const crowded = { assigned: { member1: REPLICAS }, running: { member1: REPLICAS, member2: 0, member3: 0 } };
  for (const { workload } of moves) await eventually(() => whereabouts(fleet, workload), crowded);
  await vacate(fleet, 'member2', 'tenant');
  await eventually(() => known(fleet), { member1: REPLICAS * moves.length, member2: 0, member3: 0 });
}

/** Applies a WorkloadRebalancer, and waits until nothing is held and every replica is at its assigned place. Returns the lowest number of ready pods. */
export async function carryOut(fleet: GracefulFleet, { workload, shape, templateChange }: Move): Promise<number> {
  const curve = await ReadyCurve.of(fleet, workload, REPLICAS);
  try {
    curve.mark('WorkloadRebalancer applied');
    await fleet.hub.kubectl.typed(JSON.stringify(rebalancer(workload, workload)));
    if (templateChange) {
      await eventually(async () => Object.keys(await held(fleet, workload)), ['member1']);
      await reviseTemplate(fleet, workload, 'second');
      curve.mark('template changed');
    }
    const observation = async () => ({ ...(await whereabouts(fleet, workload)), held: await held(fleet, workload) });
    await eventually(observation, { ...ENDS[shape], held: {} }, MOVED_MS);
    const all = async () => [...new Set(Object.values(await revisions(fleet, workload)).flat())];
    await eventually(all, [templateChange ? 'second' : 'first'], MOVED_MS);
    curve.mark('all in place');
    curve.save(workload);
    return curve.lowest;
  } finally {
    await curve.close();
  }
}
