/**
 * Decides which scores weigh the clusters of an ElasticWorkload. Add-ons write scores every minute, and each change of a weight may move
 * replicas, so a score is taken over only if it differs by `minChange` from the one in use, and `coolDownSeconds` after the last change.
 *
 * Example: minChange 10, coolDownSeconds 300. In use is 40. 45 is ignored. 52 at 10:00 is taken over; 30 at 10:02 is taken over at 10:05.
 */
import { ownValue } from '../core/own-value.ts';
import { type Instant, SECOND } from '../core/time.ts';
import { type ScoreSource, scoreSourceOf, sourceText, validScores } from './addon-score.ts';
import { scoredClusters } from './cluster-weights.ts';
import type { ElasticWorkload } from './elastic-workload.ts';
import type { KnownWorkload } from './known-workload.ts';

export interface ScoresInUse {
  /** The source, as text. */
  readonly source: string;
  /** By cluster; a cluster that never had a score has 0. */
  readonly scores: Readonly<Record<string, number>>;
  /** When a score last replaced one in use. */
  readonly changedAt?: Instant;
}

export interface ScoreInput {
  readonly source: ScoreSource;
  /** The clusters that are weighed by their score. */
  readonly clusters: readonly string[];
  /** Valid scores by cluster. */
  readonly valid: ReadonlyMap<string, number>;
  /** Undefined if none were in use. */
  readonly before: ScoresInUse | undefined;
}

export interface TakenScores {
  readonly inUse: ScoresInUse;
  /** Clusters whose score was replaced. */
  readonly changed: readonly string[];
  /** When scores that differ enough are taken over; infinite if there is none. */
  readonly changeAt: Instant;
}

/** A cluster without a score in use, such as one that joins, gets its score at once: it has no replicas that could move. */
export function takeScores({ source, clusters, valid, before }: ScoreInput, now: Instant): TakenScores {
  const text = sourceText(source);
  const last = before?.source === text ? before : undefined;
  const changeAt = (last?.changedAt ?? Number.NEGATIVE_INFINITY) + source.coolDownSeconds * SECOND;
  const taken = clusters.map((cluster) => {
    const used = ownValue(last?.scores, cluster);
    const score = valid.get(cluster) ?? used ?? 0;
    const differs = used !== undefined && Math.abs(score - used) >= source.minChange;
    return { cluster, differs, score: used === undefined || (differs && now >= changeAt) ? score : used };
  });
  const differing = taken.filter(({ differs }) => differs).map(({ cluster }) => cluster);
  const changed = now >= changeAt ? differing : [];
  const changedAt = changed.length > 0 ? now : last?.changedAt;
  return {
    inUse: {
      source: text,
      scores: Object.fromEntries(taken.map(({ cluster, score }) => [cluster, score])),
      ...(changedAt !== undefined && { changedAt }),
    },
    changed,
    changeAt: differing.length > changed.length ? changeAt : Number.POSITIVE_INFINITY,
  };
}

/** The scores of an ElasticWorkload, for its weights and its status. */
export interface WorkloadScores extends TakenScores {
  /** The clusters that are weighed by their score. */
  readonly clusters: readonly string[];
  /** Those of them that have no valid score. */
  readonly missing: readonly string[];
  /** Why no score could be read. */
  readonly unread?: string | undefined;
}

export type ScoredWorkload = Pick<KnownWorkload, 'elastic' | 'clusters' | 'scores'> & {
  readonly selected: readonly string[];
  readonly before: ScoresInUse | undefined;
};

/** Undefined if the weights are not scores. */
export function scoresOf(
  { elastic, clusters: known, scores, selected, before }: ScoredWorkload,
  now: Instant,
): WorkloadScores | undefined {
  const { distributionStrategy } = elastic.spec;
  const source = scoreSourceOf(distributionStrategy);
  if (source === undefined) return undefined;
  const valid = validScores(scores?.reports ?? [], source, now);
  const clusters = scoredClusters(distributionStrategy, selected, known);
  const missing = clusters.filter((cluster) => !valid.has(cluster));
  return { ...takeScores({ source, clusters, valid, before }, now), clusters, missing, unread: scores?.unread };
}

/** The scores in use by the status, if it is of the current spec. */
export function reportedScores({ spec, status, generation }: ElasticWorkload): ScoresInUse | undefined {
  const source = scoreSourceOf(spec.distributionStrategy);
  if (source === undefined || status.observedGeneration !== generation) return undefined;
  const scores = (status.clusters ?? []).flatMap(({ name, score }) =>
    score === undefined ? [] : [[name, score] as const],
  );
  return { source: sourceText(source), scores: Object.fromEntries(scores) };
}
