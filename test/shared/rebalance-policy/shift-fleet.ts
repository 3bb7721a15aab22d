/** Small fleets whose clusters report exactly what runs there, and what policies by pressure and price plan for them. */
import type { Instant } from '../../../shared/core/time.ts';
import { toTimestamp } from '../../../shared/core/time.ts';
import { type Member, parseMember } from '../../../shared/karmada/member-cluster.ts';
import { type PlannedRun, runPlanners } from '../../../shared/rebalance-policy/plan-run.ts';
import type { RebalancePolicy } from '../../../shared/rebalance-policy/rebalance-policy.ts';
import type { Candidate } from '../../../shared/rebalance-policy/select-workloads.ts';
import { ASSIGNED_AT } from '../../../shared/workload-rebalancer/given-assignment.ts';
import { seededRandom } from '../../fakes/seeded-random.ts';
import { clusterObject, DYNAMIC, type Numbers, placedBinding } from '../../placed-objects.ts';
import { NOW, policy as policyOf } from './candidates.ts';

export interface FleetCluster {
  /** Thousandths of a core, and MiB. */
  readonly cpu: number;
  readonly memory: number;
  /** Used by others than the workloads. */
  readonly otherCpu: number;
  readonly otherMemory: number;
  readonly price?: number;
  readonly pods?: number;
  readonly taints?: readonly object[];
}

export interface FleetWorkload {
  readonly cpu: number;
  readonly memory: number;
  readonly on: Numbers;
  readonly placement?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
  /** Replicas that the clusters report; absent: as assigned. */
  readonly reported?: Numbers;
}

export interface ShiftFleet {
  readonly clusters: Readonly<Record<string, FleetCluster>>;
  readonly workloads: Readonly<Record<string, FleetWorkload>>;
}

function usedIn({ clusters, workloads }: ShiftFleet, name: string): { cpu: number; memory: number; pods: number } {
  const cluster = clusters[name];
  const used = { cpu: cluster?.otherCpu ?? 0, memory: cluster?.otherMemory ?? 0, pods: 0 };
  for (const { cpu, memory, on, reported } of Object.values(workloads)) {
    const replicas = (reported ?? on)[name] ?? 0;
    used.cpu += cpu * replicas;
    used.memory += memory * replicas;
    used.pods += replicas;
  }
  return used;
}

/** Of the fullest resource, in percent. */
export function percentIn(fleet: ShiftFleet, name: string): number {
  const cluster = fleet.clusters[name];
  const { cpu, memory } = usedIn(fleet, name);
  return cluster === undefined ? 0 : Math.max((cpu * 100) / cluster.cpu, (memory * 100) / cluster.memory);
}

export function membersOf(fleet: ShiftFleet): readonly Member[] {
  return Object.entries(fleet.clusters).map(([name, { cpu, memory, price, pods = 1000, taints = [] }]) => {
    const object = clusterObject(name, { taints }) as { metadata: object; status: object };
    const used = usedIn(fleet, name);
    const annotations = price === undefined ? {} : { 'evenkeel.dev/price': String(price) };
    return parseMember({
      ...object,
      metadata: { ...object.metadata, annotations },
      status: {
        ...object.status,
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-11-20T09:00:00Z' }],
        resourceSummary: {
          allocatable: { cpu: `${cpu}m`, memory: `${memory}Mi`, pods: String(pods) },
          allocated: { cpu: `${used.cpu}m`, memory: `${used.memory}Mi`, pods: String(used.pods) },
        },
      },
    });
  });
}

export function candidateOf(name: string, workload: FleetWorkload): Candidate {
  const {
    cpu,
    memory,
    on,
    placement: given = { replicaScheduling: DYNAMIC },
    annotations = {},
    reported = on,
  } = workload;
  const binding = placedBinding({
    name,
    replicas: Object.values(on).reduce((sum, replicas) => sum + replicas, 0),
    current: on,
    placement: given,
    scheduled: { placement: given, at: '2026-11-21T09:00:00Z' },
    spec: {
      ...(cpu + memory > 0 && { replicaRequirements: { resourceRequest: { cpu: `${cpu}m`, memory: `${memory}Mi` } } }),
      ...workload.spec,
    },
    status: {
      lastScheduledTime: '2026-11-21T09:00:00Z',
      conditions: [{ type: 'Scheduled', status: 'True', reason: 'Success', message: '' }],
      aggregatedStatus: Object.entries(reported).map(([clusterName, replicas]) => ({
        clusterName,
        status: { replicas, readyReplicas: replicas },
      })),
    },
  });
  const merged = { ...binding.metadata.annotations, ...annotations };
  return { binding: { ...binding, metadata: { ...binding.metadata, annotations: merged } } };
}

export function hubOf(fleet: ShiftFleet, now: Instant = NOW) {
  return { members: membersOf(fleet), switches: new Map<string, string>(), now, failback: false };
}

export function shiftPolicy(triggers: object, spec: object = {}): RebalancePolicy {
  const parsed = policyOf({ triggers, ...spec });
  return parsed;
}

export function planFleet(fleet: ShiftFleet, policy: RebalancePolicy, now: Instant = NOW): PlannedRun {
  const planner = runPlanners(hubOf(fleet, now), new Map())({ policy, triggers: [] });
  planner.add(Object.entries(fleet.workloads).map(([name, workload]) => candidateOf(name, workload)));
  return planner.planned();
}

/** The fleet after the planned moves, each workload with the time of its move. */
export function afterRun(fleet: ShiftFleet, run: PlannedRun, now: Instant): ShiftFleet {
  const moved = run.waves.flat().map(({ workload: { name }, next }) => {
    const workload = fleet.workloads[name];
    if (workload === undefined) throw new Error(`the fleet has no workload ${name}`);
    const annotations = { [ASSIGNED_AT]: toTimestamp(now) };
    return [name, { ...workload, on: next, annotations }] as const;
  });
  return { ...fleet, workloads: { ...fleet.workloads, ...Object.fromEntries(moved) } };
}

type Roll = (below: number) => number;

function rollOf(seed: number): Roll {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}

/** Two to four clusters of 4 to 16 cores, and one to six workloads, some of which may not run everywhere. */
export function randomFleet(seed: number): ShiftFleet {
  const roll = rollOf(seed);
  const names = ['m1', 'm2', 'm3', 'm4'].slice(0, 2 + roll(3));
  const clusters = Object.fromEntries(
    names.map((name): [string, FleetCluster] => {
      const cores = 4 + roll(13);
      const share = () => roll(name === 'm1' ? 80 : 60) / 100;
      const [cpu, memory] = [cores * 1000, cores * 4096];
      return [
        name,
        {
          cpu,
          memory,
          otherCpu: Math.floor(cpu * share()),
          otherMemory: Math.floor(memory * share()),
          price: (1 + roll(20)) / 100,
        },
      ];
    }),
  );
  const workloads = Object.fromEntries(
    Array.from({ length: 1 + roll(6) }, (_, i): [string, FleetWorkload] => {
      const on = Object.fromEntries(
        names.flatMap((name) => {
          const replicas = name === 'm1' ? 1 + roll(3) : roll(5) === 0 ? 1 : 0;
          return replicas > 0 ? [[name, replicas]] : [];
        }),
      );
      const allowed = names.filter((name) => name in on || roll(4) > 0);
      const spread =
        roll(4) === 0
          ? [{ spreadByField: 'cluster', minGroups: 1, maxGroups: Math.max(Object.keys(on).length, 2) }]
          : [];
      return [
        `w${i}`,
        {
          cpu: 100 * (1 + roll(20)),
          memory: 256 * (1 + roll(16)),
          on,
          placement: {
            replicaScheduling: DYNAMIC,
            clusterAffinity: { clusterNames: allowed },
            spreadConstraints: spread,
          },
        },
      ];
    }),
  );
  return { clusters, workloads };
}
