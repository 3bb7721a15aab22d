/** Decides how many replicas of a binding each cluster gives up: what no node takes, never what is ready, and no more than the other clusters really have room for. */
import type { ClusterReplicas } from '../../shared/model/assignment/assign-replicas.ts';
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { scheduleBinding } from '../../shared/model/assignment/schedule-binding.ts';
import type { ClusterReading } from '../../shared/model/descheduling.ts';
import { assignedClusters } from '../../shared/model/descheduling-candidate.ts';
import type { Fault } from '../../shared/model/fault.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';

export interface EvictionQuestion {
  readonly binding: PlacedBinding;
  /** What clusters said is unschedulable in them; those that were not asked, or did not answer, are absent. */
  readonly answers: ReadonlyMap<string, number>;
  /** Why a cluster did not answer. */
  readonly faults: ReadonlyMap<string, Pick<Fault, 'reason'>>;
  readonly clusters: readonly Cluster[];
  readonly available: (cluster: Cluster) => number;
  /** Replicas that may be taken of this binding, at most. */
  readonly limit: number;
  /** Whether to take what is unschedulable though nobody else has room for it. */
  readonly beyondRoom: boolean;
}

export interface Eviction {
  readonly clusters: readonly ClusterReading[];
  /** spec.clusters after it; a cluster that gives up all stays in it, with 0. */
  readonly next: readonly ClusterReplicas[];
  readonly taken: number;
  /** Where the scheduler is expected to place what was taken out. */
  readonly lands: readonly ClusterReplicas[];
  /** What is unschedulable above what is ready. */
  readonly wanted: number;
  readonly reason: string;
}

/**
 * Worked examples (assigned / ready / unschedulable by cluster → next):
 *
 * | binding | room elsewhere | next | because |
 * |---|---|---|---|
 * | m1 5/2/3, m2 3/3/–, m3 2/2/– | 3 or more | 2, 3, 2 | the proposal's story 1 |
 * | the same | 2 | 3, 3, 2 | the third would be pending wherever it is |
 * | the same | 0 | 5, 3, 2 | taken out it would be nowhere, and the whole binding Unschedulable |
 * | m1 5/4/3 | 3 | 4 | never below ready |
 * | m1 5/2/6, or –1, or no answer | 9 | 5 | an answer that can't be is none; other clusters go on |
 */
export function decideEviction(question: EvictionQuestion): Eviction {
  const { limit, beyondRoom } = question;
  const readings = assignedClusters(question.binding).map((cluster) => read(cluster, question));
  const wanted = sumOf(readings);
  const allowed = Math.min(wanted, limit);
  const taken = beyondRoom ? allowed : mostPlaceable(readings, allowed, question);
  const clusters = take(readings, taken);
  const lands = taken > 0 ? (landings(clusters, question) ?? []) : [];
  const next = clusters.map(({ name, assigned, taken: gives }) => ({ name, replicas: assigned - gives }));
  return { clusters, next, taken, lands, wanted, reason: reasonOf({ wanted, allowed, taken }) };
}

function read(cluster: Omit<ClusterReading, 'taken'>, { answers, faults }: EvictionQuestion): ClusterReading {
  const { name, assigned, ready } = cluster;
  const answer = answers.get(name);
  if (answer === undefined) {
    const unusable = faults.get(name)?.reason;
    return { ...cluster, ...(unusable !== undefined && { unusable }), taken: 0 };
  }
  const wrong = wrongAnswer(answer, assigned);
  if (wrong !== undefined) return { ...cluster, unschedulable: answer, unusable: wrong, taken: 0 };
  return { ...cluster, unschedulable: answer, taken: Math.max(0, Math.min(answer, assigned - (ready ?? assigned))) };
}

function wrongAnswer(answer: number, assigned: number): string | undefined {
  if (!Number.isSafeInteger(answer) || answer < 0) return `${answer} is no number of replicas`;
  return answer > assigned ? `${answer} is more than the ${assigned} that are assigned` : undefined;
}

/** The greatest number that the scheduler would place elsewhere. By halving: where n find room, fewer do. */
function mostPlaceable(readings: readonly ClusterReading[], allowed: number, question: EvictionQuestion): number {
  const isPlaceable = (count: number): boolean => landings(take(readings, count), question) !== undefined;
  if (allowed === 0 || isPlaceable(allowed)) return allowed;
  let placeable = 0;
  let tooMany = allowed;
  while (tooMany - placeable > 1) {
    const middle = (placeable + tooMany) >> 1;
    if (isPlaceable(middle)) placeable = middle;
    else tooMany = middle;
  }
  return placeable;
}

/**
 * Where the scheduler would place what is taken; undefined unless all of it finds a place, and none where it was taken
 * from: there it would be pending again.
 */
function landings(
  readings: readonly ClusterReading[],
  { binding, clusters, available }: EvictionQuestion,
): readonly ClusterReplicas[] | undefined {
  const left = new Map(readings.map(({ name, assigned, taken }) => [name, assigned - taken]));
  const spec = { ...binding.spec, clusters: [...left].map(([name, replicas]) => ({ name, replicas })) };
  const scheduling = scheduleBinding({ binding: { ...binding, spec }, clusters, available, mode: 'Steady' });
  if (scheduling.outcome !== 'Success') return undefined;
  const gains = scheduling.clusters.flatMap(({ name, replicas }) => {
    const gain = replicas - (left.get(name) ?? 0);
    return gain > 0 ? [{ name, replicas: gain }] : [];
  });
  const givers = new Set(readings.flatMap(({ name, taken }) => (taken > 0 ? [name] : [])));
  return gains.some(({ name }) => givers.has(name)) ? undefined : gains;
}

/** So many of what the readings could give: from where most is unschedulable first. */
function take(readings: readonly ClusterReading[], count: number): readonly ClusterReading[] {
  let left = count;
  const gives = new Map<string, number>();
  for (const { name, taken } of [...readings].sort((a, b) => b.taken - a.taken)) {
    gives.set(name, Math.min(taken, left));
    left -= gives.get(name) ?? 0;
  }
  return readings.map((reading) => ({ ...reading, taken: gives.get(reading.name) ?? 0 }));
}

function sumOf(readings: readonly ClusterReading[]): number {
  return readings.reduce((sum, { taken }) => sum + taken, 0);
}

function reasonOf({ wanted, allowed, taken }: { wanted: number; allowed: number; taken: number }): string {
  if (wanted === 0) return 'nothing is unschedulable above what is ready';
  const withheld = [
    ...(allowed < wanted ? [`a limit holds back ${wanted - allowed}`] : []),
    ...(taken < allowed ? [`the other clusters have no room for ${allowed - taken}`] : []),
  ];
  return [`${taken} of ${wanted} unschedulable replicas are taken out`, ...withheld].join('; ');
}
