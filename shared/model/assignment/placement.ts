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

const affinityTerm = z.extend(clusterAffinity, {
  affinityName: z._default(z.string(), ''),
  overflowAffinities: z.nullish(z.array(z.unknown())),
});

const spreadConstraint = z.object({
  spreadByField: z.nullish(z.string()),
  spreadByLabel: z.nullish(z.string()),
  minGroups: z.nullish(z.number()),
  maxGroups: z.nullish(z.number()),
});

const replicaScheduling = z.object({
  replicaSchedulingType: z.nullish(z.string()),
  replicaDivisionPreference: z.nullish(z.string()),
  reschedulingPolicy: z.nullish(z.string()),
  weightPreference: z.nullish(
    z.object({ staticWeightList: z.nullish(z.array(staticWeight)), dynamicWeight: z.nullish(z.string()) }),
  ),
});

export const placement = z.object({
  clusterAffinity: z.nullish(clusterAffinity),
  clusterAffinities: z.nullish(z.array(affinityTerm)),
  clusterTolerations: z.nullish(z.array(toleration)),
  spreadConstraints: z.nullish(z.array(spreadConstraint)),
  replicaScheduling: z.nullish(replicaScheduling),
  workloadAffinity: z.nullish(z.unknown()),
});

export type Expression = z.output<typeof expression>;
export type LabelSelector = z.output<typeof labelSelector>;
export type ClusterAffinity = z.output<typeof clusterAffinity>;
export type AffinityTerm = z.output<typeof affinityTerm>;
export type SpreadConstraint = z.output<typeof spreadConstraint>;
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
 * Undefined for words it does not know: dividing in a way nobody asked for would move replicas.
 */
export function knownStrategy({ replicaScheduling }: Placement): Strategy | undefined {
  const type = replicaScheduling?.replicaSchedulingType || 'Duplicated';
  if (type === 'Duplicated') return { kind: 'Duplicated' };
  const preference = replicaScheduling?.replicaDivisionPreference || 'Weighted';
  const weights = replicaScheduling?.weightPreference;
  if (type === 'Divided' && preference === 'Aggregated') return { kind: 'Aggregated' };
  if (type === 'Divided' && preference === 'Weighted') {
    if (!weights?.dynamicWeight) return { kind: 'StaticWeight', weights: weights?.staticWeightList ?? [] };
    if (weights.dynamicWeight === 'AvailableReplicas') return { kind: 'DynamicWeight' };
  }
  return undefined;
}

/** The same, where nothing can go on without; a terminal Fault for words it does not know. */
export function strategyOf(placement: Placement): Strategy {
  const known = knownStrategy(placement);
  if (known !== undefined) return known;
  throw new Fault('terminal', `${strategyWords(placement)} is not one this scheduler knows`, {
    reason: 'UnknownStrategy',
  });
}

function strategyWords({ replicaScheduling }: Placement): string {
  const { replicaSchedulingType: type, replicaDivisionPreference, weightPreference } = replicaScheduling ?? {};
  const preference = replicaDivisionPreference || (type === 'Divided' ? 'Weighted' : '');
  return `replicaScheduling (${[type, preference, weightPreference?.dynamicWeight].filter(Boolean).join(', ')})`;
}

/** What a placement asks for that this scheduler does not do, in the fields' names; undefined where it does all of it. */
export function notCovered(placement: Placement): string | undefined {
  const { spreadConstraints, clusterAffinities, workloadAffinity } = placement;
  if (knownStrategy(placement) === undefined) return strategyWords(placement);
  const byOther = (spreadConstraints ?? []).find((constraint) => constraint.spreadByLabel || !isByCluster(constraint));
  if (byOther) return `spreadConstraints by ${byOther.spreadByLabel || byOther.spreadByField}`;
  if ((clusterAffinities ?? []).some(({ overflowAffinities }) => (overflowAffinities ?? []).length > 0))
    return 'clusterAffinities with overflowAffinities';
  return workloadAffinity == null ? undefined : 'workloadAffinity';
}

/** The constraint on the number of clusters, if there is one that counts: static weights name their clusters themselves. */
export function clusterConstraint(placement: Placement): SpreadConstraint | undefined {
  const { replicaScheduling: scheduling } = placement;
  const preference = scheduling?.weightPreference;
  const weighted =
    scheduling?.replicaSchedulingType === 'Divided' && scheduling.replicaDivisionPreference === 'Weighted';
  const byStaticWeights =
    weighted && (!preference || ((preference.staticWeightList ?? []).length > 0 && !preference.dynamicWeight));
  return byStaticWeights ? undefined : (placement.spreadConstraints ?? []).find(isByCluster);
}

function isByCluster({ spreadByField }: SpreadConstraint): boolean {
  return (spreadByField || 'cluster') === 'cluster';
}
