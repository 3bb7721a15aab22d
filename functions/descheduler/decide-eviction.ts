/** Decides how many replicas of a binding each cluster gives up: replicas that no node takes, never ready ones, and no more than the other clusters have capacity for. */

import { type EstimatorAnswers, readAssigned, whyKept } from '../../shared/descheduling/cluster-readings.ts';
import type { ClusterReading } from '../../shared/descheduling/descheduling.ts';
import type { ClusterReplicas } from '../../shared/karmada/assignment/assign-replicas.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import { scheduleBinding } from '../../shared/karmada/assignment/plan-scheduling.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';

export interface EvictionInput extends EstimatorAnswers {
  readonly binding: PlacedBinding;
  readonly clusters: readonly Cluster[];
  readonly available: (cluster: Cluster) => number;
  /** Maximum number of replicas to remove from this binding. */
  readonly limit: number;
  /** Whether to remove unschedulable replicas for which the other clusters have no capacity. */
  readonly beyondCapacity: boolean;
  /** Whether to remove unschedulable replicas if their placement can't be forecast. */
  readonly withoutForecast: boolean;
}

export interface Eviction {
  readonly clusters: readonly ClusterReading[];
  /** spec.clusters after the eviction; a cluster that loses all replicas stays in it, with 0. */
  readonly next: readonly ClusterReplicas[];
  readonly taken: number;
  /** Where the scheduler is expected to place the removed replicas. */
  readonly lands: readonly ClusterReplicas[];
  /** Unschedulable replicas, without ready ones. */
  readonly wanted: number;
  /** Why there is no forecast of their placement, with the field; absent if there is one or nothing is unschedulable. */
  readonly cannotForecast?: string;
  /** Why unschedulable replicas are not moved, whatever their number; absent if they may be. */
  readonly kept?: string;
  readonly reason: string;
}

/**
 * Worked examples (assigned / ready / unschedulable by cluster → next):
 *
 * | binding | capacity elsewhere | next | because |
 * |---|---|---|---|
 * | m1 5/2/3, m2 3/3/–, m3 2/2/– | 3 or more | 2, 3, 2 | the proposal's story 1 |
 * | the same | 2 | 3, 3, 2 | the third would be pending on every cluster |
 * | the same | 0 | 5, 3, 2 | removed replicas fit nowhere, and the whole binding would be Unschedulable |
 * | m1 5/4/3 | 3 | 4 | never below ready |
 * | m1 5/2/6, or –1, or no answer | 9 | 5 | an invalid answer is ignored; other clusters are processed |
 */
export function decideEviction(input: EvictionInput): Eviction {
  const { limit, beyondCapacity, withoutForecast } = input;
  const readings = readAssigned(input.binding, input);
  const wanted = sumOf(readings);
  const allowed = Math.min(wanted, limit);
  const forecast = landings(take(readings, allowed), input);
  const cannotForecast = 'cannotForecast' in forecast ? forecast.cannotForecast : undefined;
  const taken =
    beyondCapacity || 'gains' in forecast || (withoutForecast && cannotForecast !== undefined)
      ? allowed
      : 'nowhere' in forecast
        ? mostPlaceable(readings, allowed, input)
        : 0;
  const clusters = take(readings, taken);
  const landing = taken === allowed ? forecast : landings(clusters, input);
  const lands = 'gains' in landing ? landing.gains : [];
  const next = clusters.map(({ name, assigned, taken: gives }) => ({ name, replicas: assigned - gives }));
  const kept = whyKept(input);
  const reason = kept ?? reasonOf({ wanted, allowed, taken, cannotForecast });
  const why = { ...(cannotForecast !== undefined && { cannotForecast }), ...(kept !== undefined && { kept }) };
  return { clusters, next, taken, lands, wanted, reason, ...why };
}

type Landing =
  | { readonly gains: readonly ClusterReplicas[] }
  | { readonly nowhere: true }
  | { readonly cannotForecast: string };

/** The greatest number below `tooMany` that the scheduler would place elsewhere. Binary search: if n fit, fewer fit too. */
function mostPlaceable(readings: readonly ClusterReading[], tooMany: number, input: EvictionInput): number {
  let placeable = 0;
  let notPlaceable = tooMany;
  while (notPlaceable - placeable > 1) {
    const middle = (placeable + notPlaceable) >> 1;
    if ('gains' in landings(take(readings, middle), input)) placeable = middle;
    else notPlaceable = middle;
  }
  return placeable;
}

/**
 * The scheduler's placement of the removed replicas. `nowhere` unless all of them fit, and none on a
 * cluster that they were removed from, where they would be pending again. Nothing is scheduled if nothing is removed.
 */
function landings(readings: readonly ClusterReading[], { binding, clusters, available }: EvictionInput): Landing {
  if (sumOf(readings) === 0) return { gains: [] };
  const left = new Map(readings.map(({ name, assigned, taken }) => [name, assigned - taken]));
  const spec = { ...binding.spec, clusters: [...left].map(([name, replicas]) => ({ name, replicas })) };
  const scheduling = scheduleBinding({ binding: { ...binding, spec }, clusters, available, mode: 'Steady' });
  if (scheduling.outcome === 'CannotForecast') return { cannotForecast: scheduling.message };
  if (scheduling.outcome !== 'Success') return { nowhere: true };
  const gains = scheduling.clusters.flatMap(({ name, replicas }) => {
    const gain = replicas - (left.get(name) ?? 0);
    return gain > 0 ? [{ name, replicas: gain }] : [];
  });
  const givers = new Set(readings.flatMap(({ name, taken }) => (taken > 0 ? [name] : [])));
  return gains.some(({ name }) => givers.has(name)) ? { nowhere: true } : { gains };
}

/** Takes `count` replicas of the readings: first from the clusters with the most unschedulable replicas. */
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

interface Counts {
  readonly wanted: number;
  readonly allowed: number;
  readonly taken: number;
  readonly cannotForecast: string | undefined;
}

function reasonOf({ wanted, allowed, taken, cannotForecast }: Counts): string {
  if (wanted === 0) return 'nothing is unschedulable above what is ready';
  const withheld = [
    ...(allowed < wanted ? [`a limit holds back ${wanted - allowed}`] : []),
    ...(cannotForecast !== undefined ? [`no forecast of where ${allowed} would go: ${cannotForecast}`] : []),
    ...(taken < allowed && cannotForecast === undefined
      ? [`the other clusters have no capacity for ${allowed - taken}`]
      : []),
  ];
  return [`${taken} of ${wanted} unschedulable replicas are taken out`, ...withheld].join('; ');
}
