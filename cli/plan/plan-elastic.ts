/** Plans ElasticWorkloads for `evenkeel plan`: repeats the function's reconcile, assuming that all written replicas become ready. */
import { type Instant, SECOND } from '../../shared/core/time.ts';
import { clusterWeights } from '../../shared/elastic-workload/cluster-weights.ts';
import { conditionsOf } from '../../shared/elastic-workload/elastic-conditions.ts';
import { type ElasticWorkload, workName } from '../../shared/elastic-workload/elastic-workload.ts';
import { numberAt } from '../../shared/elastic-workload/number-at.ts';
import type { View } from '../../shared/elastic-workload/observe-placement.ts';
import { balanceReplicas, type ReconcilerState } from '../../shared/elastic-workload/replica-balance.ts';
import { reportedScores, scoresOf } from '../../shared/elastic-workload/scores-in-use.ts';
import type { Condition } from '../../shared/kubernetes/condition.ts';
import type { ElasticInput, GivenWork } from './elastic-input.ts';
import { type Carried, type RejectedElasticWorkload, validateElasticWorkload } from './validate-elastic.ts';

/** Replicas by cluster. */
export type ReplicasByCluster = Readonly<Record<string, number>>;

export interface ElasticStep {
  /** Replicas that are written, by cluster; 0 if the ManifestWork is deleted. */
  readonly write: ReplicasByCluster;
  /** The condition for the next step: added replicas are ready, or removed replicas are gone. */
  readonly then: 'ready' | 'gone';
}

export interface ElasticPlan {
  readonly elastic: ElasticWorkload;
  readonly current: ReplicasByCluster;
  readonly desired: ReplicasByCluster;
  readonly steps: readonly ElasticStep[];
  /** After the last step. */
  readonly conditions: readonly Condition[];
  /** What the input lacks, so that the result is unknown. */
  readonly lacks?: string;
}

/** A transfer takes three reconciles; a plan that exceeds this limit would not end. */
const MAX_RECONCILES = 100;

export function planElastic(input: ElasticInput, now: Instant): readonly ElasticPlan[] {
  return input.workloads.map((elastic) => {
    const found = validateElasticWorkload(elastic, input);
    return 'rejection' in found ? rejectedPlan(elastic, found) : carriedOut(elastic, { ...found, input, now });
  });
}

function rejectedPlan(elastic: ElasticWorkload, { rejection, isLacking }: RejectedElasticWorkload): ElasticPlan {
  const accepted = { type: 'Accepted', status: 'False', ...rejection } as const;
  const nothing = { elastic, current: {}, desired: {}, steps: [], conditions: [accepted] };
  return isLacking ? { ...nothing, lacks: rejection.message } : nothing;
}

interface ElasticPlanContext extends Carried {
  readonly input: ElasticInput;
  readonly now: Instant;
}

function carriedOut(elastic: ElasticWorkload, context: ElasticPlanContext): ElasticPlan {
  const { uid, spec } = elastic;
  const { selected, taken, input, now } = context;
  const scores = scoresOf(
    { elastic, clusters: input.clusters, scores: { reports: input.scores }, selected, before: reportedScores(elastic) },
    now,
  );
  const weights = clusterWeights(spec.distributionStrategy, selected, {
    known: input.clusters,
    scores: scores?.inUse.scores,
  });
  let views = viewsOf(elastic, context);
  // Empty, and not lost: nothing was learned yet.
  let state: ReconcilerState = { strategy: '', observations: {} };
  const reconcile = (after: number) =>
    balanceReplicas({ uid, spec, views, weights, memory: state, now: now + after * SECOND });
  const current = numbersOf(
    views.flatMap(({ cluster, written }) => (written === undefined ? [] : [[cluster, written]])),
  );
  let balance = reconcile(0);
  const desired = numbersOf([...balance.replicas]);
  const steps: ElasticStep[] = [];
  for (let after = 1; after <= MAX_RECONCILES; after++) {
    const step = stepOf(views, balance.next);
    if (step === undefined) break;
    steps.push(step);
    views = views.flatMap((view) => carriedBy(view, balance.next.get(view.cluster) ?? 0));
    ({ memory: state } = balance);
    balance = reconcile(after);
  }
  const conditions = conditionsOf({ spec, views, weights, balance, taken, scores });
  return { elastic, current, desired, steps, conditions };
}

function viewsOf(elastic: ElasticWorkload, { selected, paths, input, now }: ElasticPlanContext): readonly View[] {
  const named = input.works.get(workName(elastic)) ?? [];
  const works = new Map(named.map((given) => [given.work.cluster, given]));
  const chosen = new Set(selected);
  return [...new Set([...selected, ...works.keys()])].sort().map((cluster): View => {
    const reachable = input.clusters.get(cluster)?.available ?? true;
    const given = works.get(cluster);
    const is = { cluster, selected: chosen.has(cluster), reachable };
    if (given === undefined || given.work.deleting) return { ...is, deleting: false, upToDate: true, ready: 0 };
    return { ...is, deleting: false, ...carriedNow(given, { path: paths.specReplicasPath, reachable, now }) };
  });
}

/** A handwritten ManifestWork without status is assumed to have been running as written for long. */
function carriedNow(
  { work, manifest, isReported }: GivenWork,
  { path, reachable, now }: { readonly path: string; readonly reachable: boolean; readonly now: Instant },
): Pick<View, 'written' | 'writtenAt' | 'upToDate' | 'replicasOnCluster' | 'ready'> {
  const written = work.written ?? numberAt(manifest, path) ?? 0;
  if (!isReported)
    return { written, writtenAt: 0, upToDate: true, replicasOnCluster: written, ready: reachable ? written : 0 };
  const { writtenAt, upToDate, replicasOnCluster, ready } = work;
  const at = Math.min(writtenAt, now);
  return {
    written,
    writtenAt: at,
    upToDate,
    ready: reachable ? ready : 0,
    ...(replicasOnCluster !== undefined && { replicasOnCluster }),
  };
}

/** Undefined if nothing is left to write. */
function stepOf(views: readonly View[], next: ReadonlyMap<string, number>): ElasticStep | undefined {
  const changed = views.filter((view) => isWritten(view, next.get(view.cluster) ?? 0));
  if (changed.length === 0) return undefined;
  const grows = changed.some(({ cluster, written = 0 }) => (next.get(cluster) ?? 0) > written);
  return {
    write: numbersOf(changed.map(({ cluster }) => [cluster, next.get(cluster) ?? 0])),
    then: grows ? 'ready' : 'gone',
  };
}

function isWritten({ selected, written }: View, next: number): boolean {
  return written === undefined ? next > 0 || selected : next !== written || (!selected && next === 0);
}

function carriedBy(view: View, next: number): readonly View[] {
  const { cluster, selected, reachable } = view;
  if (!isWritten(view, next)) return reachable ? [{ ...view, ...asWritten(view.written ?? next) }] : [view];
  if (!selected && next === 0) return [];
  return [
    reachable
      ? { ...view, ...asWritten(next) }
      : { cluster, selected, reachable, deleting: false, upToDate: false, written: next, ready: 0 },
  ];
}

function asWritten(written: number): Pick<View, 'written' | 'upToDate' | 'replicasOnCluster' | 'ready'> {
  return { written, upToDate: true, replicasOnCluster: written, ready: written };
}

function numbersOf(entries: readonly (readonly [string, number])[]): ReplicasByCluster {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
