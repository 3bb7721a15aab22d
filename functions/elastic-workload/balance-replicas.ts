/** Decides the reconcile of one ElasticWorkload: the ManifestWorks to write and delete, the status, and the next reconcile time. */

import { count } from '../../shared/core/count.ts';
import { digest } from '../../shared/core/digest.ts';
import { Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { ownValue } from '../../shared/core/own-value.ts';
import { isSameJson } from '../../shared/core/same-json.ts';
import { sum } from '../../shared/core/sum.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import { type Instant, SECOND } from '../../shared/core/time.ts';
import { clusterWeights } from '../../shared/elastic-workload/cluster-weights.ts';
import { clusterStatuses, conditionsOf } from '../../shared/elastic-workload/elastic-conditions.ts';
import type { ElasticRow, ElasticRowKey } from '../../shared/elastic-workload/elastic-store.ts';
import {
  type ElasticWorkload,
  FINALIZER,
  SCORE_LABEL,
  scoreLabel,
  TARGET_LABEL,
} from '../../shared/elastic-workload/elastic-workload.ts';
import type { ElasticStatus } from '../../shared/elastic-workload/elastic-workload-schema.ts';
import type { KnownWorkload } from '../../shared/elastic-workload/known-workload.ts';
import { type Work, type WorkWrite, workOf } from '../../shared/elastic-workload/manifest-work.ts';
import type { View } from '../../shared/elastic-workload/observe-placement.ts';
import { type Balance, balanceReplicas, type ReconcilerState } from '../../shared/elastic-workload/replica-balance.ts';
import { reportedScores, type ScoresInUse, scoresOf } from '../../shared/elastic-workload/scores-in-use.ts';
import { targetLabel } from '../../shared/elastic-workload/target.ts';
import type { Written } from '../../shared/kubernetes/hub.ts';
import type { ObjectEvent } from '../../shared/kubernetes/object-event.ts';
import { eventsOf, reportedStatus } from './report-workload.ts';

/** The finalizer and our labels, which are written before any other write; undefined if the object has them. */
export function claimOf({ finalizers, labels, spec }: ElasticWorkload): object | undefined {
  const wanted = { [TARGET_LABEL]: targetLabel(spec) ?? null, [SCORE_LABEL]: scoreLabel(spec) ?? null };
  const isLabelled = Object.entries(wanted).every(([name, value]) => (labels[name] ?? null) === value);
  if (finalizers.includes(FINALIZER) && isLabelled) return undefined;
  return { finalizers: [...new Set([...finalizers, FINALIZER])], labels: wanted };
}

/** Undefined if the object was deleted: then no report is needed. Throws a retryable Fault if another client changed the object. */
export function objectAfter<T>(written: Written<T>, what: string): T | undefined {
  if (written.result === 'done') return written.object;
  if (written.result === 'missing') return undefined;
  throw new Fault('retryable', `another client changed the ElasticWorkload before ${what} was written`, {
    reason: 'Conflict',
  });
}

/** The row to save; undefined if the stored one is up to date. */
export function changedRow(
  key: ElasticRowKey,
  row: ElasticRow | undefined,
  { memory }: Pick<BalanceDecision, 'memory'>,
): ElasticRow | undefined {
  if (row !== undefined && isSameJson(row.memory, memory)) return undefined;
  return { ...key, version: row?.version ?? 0, memory };
}

export function metricsOf(hub: string, { borrowed, unplaced }: BalanceDecision): readonly TelemetryEntry[] {
  const dimensions = { hub };
  return [
    { metric: 'ElasticReplicasBorrowed', value: borrowed, dimensions },
    ...(unplaced > 0 ? [{ metric: 'ElasticReplicasUnplaced' as const, value: unplaced, dimensions }] : []),
  ];
}

export function outcomeOf({ writes, deletes, reason, borrowed, unplaced }: BalanceDecision): Outcome {
  return { reason, fields: { written: writes.length, deleted: deletes.length, borrowed, unplaced } };
}

export interface Known extends KnownWorkload {
  readonly memory: ReconcilerState | undefined;
}

export interface BalanceDecision {
  readonly writes: readonly WorkWrite[];
  readonly deletes: readonly Work[];
  readonly status: ElasticStatus;
  readonly memory: ReconcilerState;
  /** Set if another reconcile must be scheduled. */
  readonly askFor: Instant | undefined;
  readonly borrowed: number;
  /** Replicas without a cluster. */
  readonly unplaced: number;
  readonly objectEvents: readonly ObjectEvent[];
  readonly reason: string;
}

/** While PlacementDecisions are incomplete, the placement controller is writing them: a few seconds. */
const SLICES_SECONDS = 10;

export function decideBalance(known: Known, now: Instant): BalanceDecision {
  const { elastic, works, memory } = known;
  const views = viewsOf(known);
  const selected = views.filter((view) => view.selected).map(({ cluster }) => cluster);
  const { uid, spec } = elastic;
  const scores = scoresOf({ ...known, selected, before: scoresBefore(known, now) }, now);
  const weights = clusterWeights(spec.distributionStrategy, selected, {
    known: known.clusters,
    scores: scores?.inUse.scores,
  });
  const balance = balanceReplicas({ uid, spec, views, weights, memory, now });
  const content = digest(
    JSON.stringify([known.manifest, known.paths, spec.spokeNamespace, spec.statusCollection.type]),
  );
  const byCluster = new Map(works.map((work) => [work.cluster, work]));
  const writes = views.flatMap((view) => writeOf(view, { known, balance, content, work: byCluster.get(view.cluster) }));
  const gone = views.filter(({ cluster, selected: stays }) => !stays && balance.next.get(cluster) === 0);
  const deletes = gone.flatMap(({ cluster }) => byCluster.get(cluster) ?? []).filter(({ deleting }) => !deleting);
  const rejected = new Map(
    works.flatMap((work) => (work.rejected === undefined ? [] : [[work.cluster, work.rejected] as const])),
  );
  const reported = { spec, views, weights, balance, taken: known.taken, scores };
  const reconcileAt = Math.min(balance.reconcileAt, scores?.changeAt ?? Number.POSITIVE_INFINITY);
  const dueAt = dueAtOf(known, reconcileAt, now);
  const borrowed = sum(
    [...balance.share].map(([cluster, share]) => Math.max((balance.replicas.get(cluster) ?? 0) - share, 0)),
  );
  return {
    writes,
    deletes,
    borrowed,
    unplaced: unplacedOf(spec.distributionStrategy.totalReplicas, balance),
    objectEvents: eventsOf(balance, memory, now),
    status: reportedStatus(
      elastic,
      {
        conditions: conditionsOf(reported),
        clusters: clusterStatuses(reported, rejected),
        works: namesOf(works, writes, deletes),
      },
      now,
    ),
    memory: {
      ...balance.memory,
      ...(scores !== undefined && { scores: scores.inUse }),
      ...(dueAt !== undefined && { dueAt }),
    },
    askFor: dueAt === memory?.dueAt ? undefined : dueAt,
    reason: reasonOf(balance, { writes, deletes, scored: scores?.changed.length ?? 0 }),
  };
}

/** Without reconciler state the scores of the status stay in use for a cool-down, so that a lost table moves nothing at once. */
function scoresBefore({ elastic, memory }: Known, now: Instant): ScoresInUse | undefined {
  if (memory !== undefined) return memory.scores;
  const reported = reportedScores(elastic);
  return reported && { ...reported, changedAt: now };
}

function unplacedOf(total: number, { share, unborrowed }: Balance): number {
  return Math.max(total - sum(share.values()), 0) + unborrowed;
}

/** Every cluster that is selected, or has a ManifestWork of ours. While PlacementDecisions are incomplete, no cluster counts as deselected. */
function viewsOf({ elastic, selection, works, clusters, contested }: Known): readonly View[] {
  const chosen = new Set(selection.clusters);
  const byCluster = new Map(works.map((work) => [work.cluster, work]));
  const { conditions, clusters: reported = [] } = elastic.status;
  const named = new Set(reported.map(({ name }) => name));
  const all = [...new Set([...chosen, ...byCluster.keys()])].sort();
  return all.map((cluster): View => {
    const work = byCluster.get(cluster);
    const reachable = clusters.get(cluster)?.available ?? false;
    const deleting = work?.deleting ?? false;
    const { written, writtenAt, scaledThere, putBacks, replicasOnCluster, ready = 0, upToDate = false } = work ?? {};
    return {
      cluster,
      selected: chosen.has(cluster) || !selection.whole,
      reachable,
      deleting,
      contested: contested.has(cluster),
      upToDate,
      ready: reachable && !deleting ? ready : 0,
      // A manifest in a file has no status.
      ...(conditions !== undefined && !named.has(cluster) && { unreported: true }),
      ...(written !== undefined && { written }),
      ...(writtenAt !== undefined && { writtenAt }),
      ...(scaledThere !== undefined && { scaledThere }),
      ...(putBacks !== undefined && { putBacks }),
      ...(replicasOnCluster !== undefined && { replicasOnCluster }),
    };
  });
}

/** Empty if the ManifestWork is up to date. */
function writeOf(
  { cluster, selected, deleting }: View,
  { known, balance, content, work }: { known: Known; balance: Balance; content: string; work: Work | undefined },
): WorkWrite[] {
  const replicas = balance.next.get(cluster) ?? 0;
  const isThere = work !== undefined && work.content === content && work.written === replicas && !work.edited;
  const isPutBack = balance.putBack.has(cluster);
  if (deleting || (isThere && !isPutBack) || (!selected && replicas === 0)) return [];
  const before = work?.written === replicas ? work.putBacks : undefined;
  const putBacks = isPutBack ? (before ?? 0) + 1 : before;
  const scaledThere = ownValue(balance.memory.observations, cluster)?.pin;
  return [{ cluster, object: workOf(known, { cluster, replicas, scaledThere, putBacks, digest: content }), work }];
}

/** An earlier schedule suffices: its reconcile computes the next time. */
function dueAtOf({ elastic, selection, memory }: Known, reconcileAt: Instant, now: Instant): Instant | undefined {
  const { type, intervalSeconds } = elastic.spec.statusCollection;
  const polled = type === 'PollingGet' ? now + intervalSeconds * SECOND : Number.POSITIVE_INFINITY;
  const slices = selection.whole ? Number.POSITIVE_INFINITY : now + SLICES_SECONDS * SECOND;
  const wanted = Math.min(reconcileAt, polled, slices);
  const asked = memory?.dueAt;
  if (asked !== undefined && asked > now && asked <= wanted) return asked;
  return wanted === Number.POSITIVE_INFINITY ? undefined : Math.max(wanted, now + SECOND);
}

function namesOf(works: readonly Work[], writes: readonly WorkWrite[], deletes: readonly Work[]): readonly string[] {
  const deleted = new Set(deletes.map(({ cluster }) => cluster));
  const kept = works.map(({ cluster }) => cluster).filter((cluster) => !deleted.has(cluster));
  return [...new Set([...kept, ...writes.map(({ cluster }) => cluster)])].sort();
}

function reasonOf(
  { next, waiting }: Balance,
  { writes, deletes, scored }: Pick<BalanceDecision, 'writes' | 'deletes'> & { readonly scored: number },
): string {
  const total = sum(next.values());
  const parts = [
    `${count(total, 'replica')} on ${count(next.size, 'cluster')}`,
    ...(scored > 0 ? [`new scores of ${count(scored, 'cluster')}`] : []),
    ...(writes.length > 0 ? [`${count(writes.length, 'ManifestWork')} to write`] : []),
    ...(deletes.length > 0 ? [`${count(deletes.length, 'ManifestWork')} to delete`] : []),
    ...(waiting > 0 ? [`${count(waiting, 'replica')} still to move`] : []),
  ];
  return parts.join(', ');
}
