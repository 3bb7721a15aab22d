/** AddOnPlacementScores of Open Cluster Management: what an add-on reports about one cluster, as scores from -100 to 100. */
import * as z from 'zod/mini';
import type { Instant } from '../core/time.ts';
import { objectMeta, parseObject, timestamp } from '../kubernetes/hub-object.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { ElasticSpec } from './elastic-workload-schema.ts';

/** The lowest and the highest score. */
export const SCORE_RANGE = { least: -100, most: 100 } as const;

export interface AddOnScores {
  /** The namespace of the object is its cluster's. */
  readonly cluster: string;
  /** The name of the object. */
  readonly resourceName: string;
  readonly scores: readonly { readonly name: string; readonly value: number }[];
  /** Undefined if they do not expire. */
  readonly validUntil?: Instant;
}

const schema = z.object({
  metadata: objectMeta,
  status: z.nullish(
    z.object({
      scores: z.nullish(
        z.array(
          z.object({
            name: z.string(),
            value: z.int().check(z.minimum(SCORE_RANGE.least), z.maximum(SCORE_RANGE.most)),
          }),
        ),
      ),
      validUntil: z.nullish(timestamp),
    }),
  ),
});

export const addOnPlacementScores: Resource<AddOnScores> = {
  group: 'cluster.open-cluster-management.io',
  version: 'v1alpha1',
  kind: 'AddOnPlacementScore',
  plural: 'addonplacementscores',
  namespaced: true,
  pageSize: 500,
  parse: (object) => {
    const { metadata, status } = parseObject(schema, object, 'AddOnPlacementScore');
    const { scores, validUntil } = status ?? {};
    return {
      cluster: metadata.namespace,
      resourceName: metadata.name,
      scores: scores ?? [],
      ...(validUntil != null && { validUntil }),
    };
  },
};

export type ScoreSource = NonNullable<NonNullable<ElasticSpec['distributionStrategy']['weighted']>['addOnScore']>;

/** Undefined if the weights are not scores. */
export function scoreSourceOf({ type, weighted }: ElasticSpec['distributionStrategy']): ScoreSource | undefined {
  return type === 'Weighted' ? weighted?.addOnScore : undefined;
}

/** "prices/cost", for messages. */
export function sourceText({ resourceName, scoreName }: ScoreSource): string {
  return `${resourceName}/${scoreName}`;
}

/** The score of each cluster that has one and whose scores have not expired. */
export function validScores(
  reports: readonly AddOnScores[],
  { resourceName, scoreName }: ScoreSource,
  now: Instant,
): ReadonlyMap<string, number> {
  const valid = reports.filter(
    (report) => report.resourceName === resourceName && (report.validUntil === undefined || now < report.validUntil),
  );
  return new Map(
    valid.flatMap(({ cluster, scores }): [string, number][] => {
      const score = scores.find(({ name }) => name === scoreName);
      return score === undefined ? [] : [[cluster, score.value]];
    }),
  );
}
