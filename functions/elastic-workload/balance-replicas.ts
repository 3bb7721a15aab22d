/** Decides of one ElasticWorkload, from all that was read of it, which ManifestWorks are written and deleted, what it reports, and when it is looked at again. */
import { digest } from '../../shared/model/digest.ts';
import { type Balance, balanceReplicas, type Memory } from '../../shared/model/elastic-workload/balance-replicas.ts';
import { clusterWeights } from '../../shared/model/elastic-workload/cluster-weights.ts';
import { clusterStatuses, conditionsOf } from '../../shared/model/elastic-workload/elastic-conditions.ts';
import type { ElasticStatus } from '../../shared/model/elastic-workload/elastic-workload-schema.ts';
import type { KnownWorkload } from '../../shared/model/elastic-workload/known-workload.ts';
import type { Work } from '../../shared/model/elastic-workload/manifest-work.ts';
import type { View } from '../../shared/model/elastic-workload/sights.ts';
import type { Notice } from '../../shared/model/hub-event.ts';
import { sum } from '../../shared/model/sum.ts';
import { type Instant, SECOND } from '../../shared/model/time.ts';
import { count } from '../../shared/model/words.ts';
import { noticesOf, reportedStatus } from './report-workload.ts';

export interface Known extends KnownWorkload {
  readonly memory: Memory | undefined;
}

export interface WorkWrite {
  readonly cluster: string;
  readonly replicas: number;
  /** What the cluster's own people scaled it to, where they did. */
  readonly scaledThere: number | undefined;
  readonly putBacks: number | undefined;
  /** What is there now; undefined where it is new. */
  readonly work: Work | undefined;
}

export interface Decision {
  readonly writes: readonly WorkWrite[];
  readonly deletes: readonly Work[];
  /** Names what the works are written from, their numbers aside. */
  readonly content: string;
  readonly status: ElasticStatus;
  readonly memory: Memory;
  /** Where another look has to be asked for. */
  readonly askFor: Instant | undefined;
  readonly lent: number;
  /** Replicas that no cluster takes. */
  readonly unplaced: number;
  readonly notices: readonly Notice[];
  readonly reason: string;
}

/** While slices of a decision are missing, the placement is at work: a few seconds. */
const SLICES_SECONDS = 10;

export function decideBalance(known: Known, now: Instant): Decision {
  const { elastic, works, memory } = known;
  const views = viewsOf(known);
  const selected = views.filter((view) => view.selected).map(({ cluster }) => cluster);
  const weights = clusterWeights(elastic.spec.distributionStrategy, selected, known.clusters);
  const { uid, spec } = elastic;
  const balance = balanceReplicas({ uid, spec, views, weights, memory, now });
  const content = digest(
    JSON.stringify([known.manifest, known.paths, spec.spokeNamespace, spec.statusCollection.type]),
  );
  const byCluster = new Map(works.map((work) => [work.cluster, work]));
  const writes = views.flatMap((view) => writeOf(view, { balance, content, work: byCluster.get(view.cluster) }));
  const gone = views.filter(({ cluster, selected: stays }) => !stays && balance.next.get(cluster) === 0);
  const deletes = gone.flatMap(({ cluster }) => byCluster.get(cluster) ?? []).filter(({ deleting }) => !deleting);
  const refused = new Map(
    works.flatMap((work) => (work.refused === undefined ? [] : [[work.cluster, work.refused] as const])),
  );
  const reported = { spec, views, weights, balance };
  const dueAt = dueAtOf(known, balance.lookAt, now);
  const lent = sum(
    [...balance.share].map(([cluster, share]) => Math.max((balance.replicas.get(cluster) ?? 0) - share, 0)),
  );
  return {
    writes,
    deletes,
    content,
    lent,
    unplaced: unplacedOf(spec.distributionStrategy.totalReplicas, balance),
    notices: noticesOf(balance, memory, now),
    status: reportedStatus(
      elastic,
      {
        conditions: conditionsOf(reported),
        clusters: clusterStatuses(reported, refused),
        works: namesOf(works, writes, deletes),
      },
      now,
    ),
    memory: { ...balance.memory, ...(dueAt !== undefined && { dueAt }) },
    askFor: dueAt === memory?.dueAt ? undefined : dueAt,
    reason: reasonOf(balance, { writes, deletes }),
  };
}

function unplacedOf(total: number, { share, unlent }: Balance): number {
  return Math.max(total - sum(share.values()), 0) + unlent;
}

/** Every cluster that is selected, or has a work of ours. While slices are missing nobody is taken for one that left. */
function viewsOf({ selection, works, clusters, contested }: Known): readonly View[] {
  const chosen = new Set(selection.clusters);
  const byCluster = new Map(works.map((work) => [work.cluster, work]));
  const all = [...new Set([...chosen, ...byCluster.keys()])].sort();
  return all.map((cluster): View => {
    const work = byCluster.get(cluster);
    const reachable = clusters.get(cluster)?.available ?? false;
    const deleting = work?.deleting ?? false;
    const { written, writtenAt, scaledThere, putBacks, onSpoke, ready = 0, upToDate = false } = work ?? {};
    return {
      cluster,
      selected: chosen.has(cluster) || !selection.whole,
      reachable,
      deleting,
      contested: contested.has(cluster),
      upToDate,
      ready: reachable && !deleting ? ready : 0,
      ...(written !== undefined && { written }),
      ...(writtenAt !== undefined && { writtenAt }),
      ...(scaledThere !== undefined && { scaledThere }),
      ...(putBacks !== undefined && { putBacks }),
      ...(onSpoke !== undefined && { onSpoke }),
    };
  });
}

/** Nothing where it says already what it should. */
function writeOf(
  { cluster, selected, deleting }: View,
  { balance, content, work }: { balance: Balance; content: string; work: Work | undefined },
): WorkWrite[] {
  const replicas = balance.next.get(cluster) ?? 0;
  const isThere = work !== undefined && work.content === content && work.written === replicas && !work.edited;
  const isPutBack = balance.putBack.has(cluster);
  if (deleting || (isThere && !isPutBack) || (!selected && replicas === 0)) return [];
  const before = work?.written === replicas ? work.putBacks : undefined;
  const putBacks = isPutBack ? (before ?? 0) + 1 : before;
  return [{ cluster, replicas, scaledThere: balance.memory.sights[cluster]?.pin, putBacks, work }];
}

/** A look that is due before then does as well: it finds out when the next is. */
function dueAtOf({ elastic, selection, memory }: Known, lookAt: Instant, now: Instant): Instant | undefined {
  const { type, intervalSeconds } = elastic.spec.statusCollection;
  const polled = type === 'PollingGet' ? now + intervalSeconds * SECOND : Number.POSITIVE_INFINITY;
  const slices = selection.whole ? Number.POSITIVE_INFINITY : now + SLICES_SECONDS * SECOND;
  const wanted = Math.min(lookAt, polled, slices);
  const asked = memory?.dueAt;
  if (asked !== undefined && asked > now && asked <= wanted) return asked;
  return wanted === Number.POSITIVE_INFINITY ? undefined : Math.max(wanted, now + SECOND);
}

function namesOf(works: readonly Work[], writes: readonly WorkWrite[], deletes: readonly Work[]): readonly string[] {
  const deleted = new Set(deletes.map(({ cluster }) => cluster));
  const kept = works.map(({ cluster }) => cluster).filter((cluster) => !deleted.has(cluster));
  return [...new Set([...kept, ...writes.map(({ cluster }) => cluster)])].sort();
}

function reasonOf({ next, waiting }: Balance, { writes, deletes }: Pick<Decision, 'writes' | 'deletes'>): string {
  const total = sum(next.values());
  const said = [
    `${count(total, 'replica')} on ${count(next.size, 'cluster')}`,
    ...(writes.length > 0 ? [`${count(writes.length, 'ManifestWork')} to write`] : []),
    ...(deletes.length > 0 ? [`${count(deletes.length, 'ManifestWork')} to delete`] : []),
    ...(waiting > 0 ? [`${count(waiting, 'replica')} still to move`] : []),
  ];
  return said.join(', ');
}
