/** A Karmada placement (policy.karmada.io/v1alpha1), as far as assignment reads it, and the strategy it asks for. */
import * as z from 'zod/mini';
import { Fault } from '../fault.ts';

const expression = z.object({
  key: z.string(),
  operator: z.string(),
  values: z.nullish(z.array(z.string())),
});

export const labelSelector = z.object({
  matchLabels: z.nullish(z.record(z.string(), z.string())),
  matchExpressions: z.nullish(z.array(expression)),
});

const clusterAffinity = z.object({
  clusterNames: z.nullish(z.array(z.string())),
  exclude: z.nullish(z.array(z.string())),
  labelSelector: z.nullish(labelSelector),
  fieldSelector: z.nullish(z.object({ matchExpressions: z.nullish(z.array(expression)) })),
});

const toleration = z.object({
  key: z.nullish(z.string()),
  operator: z.nullish(z.string()),
  value: z.nullish(z.string()),
  effect: z.nullish(z.string()),
  tolerationSeconds: z.nullish(z.number()),
});

const staticWeight = z.object({ targetCluster: clusterAffinity, weight: z.number() });

const replicaScheduling = z.object({
  replicaSchedulingType: z.nullish(z.string()),
  replicaDivisionPreference: z.nullish(z.string()),
  weightPreference: z.nullish(
    z.object({ staticWeightList: z.nullish(z.array(staticWeight)), dynamicWeight: z.nullish(z.string()) }),
  ),
});

export const placement = z.object({
  clusterAffinity: z.nullish(clusterAffinity),
  clusterAffinities: z.nullish(z.array(clusterAffinity)),
  clusterTolerations: z.nullish(z.array(toleration)),
  replicaScheduling: z.nullish(replicaScheduling),
});

export type Expression = z.output<typeof expression>;
export type LabelSelector = z.output<typeof labelSelector>;
export type ClusterAffinity = z.output<typeof clusterAffinity>;
export type Toleration = z.output<typeof toleration>;
export type StaticWeight = z.output<typeof staticWeight>;
export type Placement = z.output<typeof placement>;

/** How replicas are divided among the clusters that fit. */
export type Strategy =
  | { readonly kind: 'Duplicated' }
  | { readonly kind: 'StaticWeight'; readonly weights: readonly StaticWeight[] }
  | { readonly kind: 'DynamicWeight' }
  | { readonly kind: 'Aggregated' };

/**
 * The strategy of a placement. Without replicaScheduling: Duplicated. Divided without a preference: Weighted, as Karmada's
 * webhook fills it in. Weighted without dynamicWeight: by static weights, every cluster alike where none are given.
 * Throws a terminal Fault for words it does not know: dividing in a way nobody asked for would move replicas.
 */
export function strategyOf({ replicaScheduling }: Placement): Strategy {
  const type = replicaScheduling?.replicaSchedulingType || 'Duplicated';
  if (type === 'Duplicated') return { kind: 'Duplicated' };
  const preference = replicaScheduling?.replicaDivisionPreference || 'Weighted';
  const weights = replicaScheduling?.weightPreference;
  if (type === 'Divided' && preference === 'Aggregated') return { kind: 'Aggregated' };
  if (type === 'Divided' && preference === 'Weighted') {
    if (!weights?.dynamicWeight) return { kind: 'StaticWeight', weights: weights?.staticWeightList ?? [] };
    if (weights.dynamicWeight === 'AvailableReplicas') return { kind: 'DynamicWeight' };
  }
  const words = [type, preference, weights?.dynamicWeight].filter(Boolean).join(', ');
  throw new Fault('terminal', `replicaScheduling (${words}) is not one this scheduler knows`, {
    reason: 'UnknownStrategy',
  });
}
