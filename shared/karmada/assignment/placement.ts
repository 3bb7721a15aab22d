/** A Karmada placement (policy.karmada.io/v1alpha1), as far as assignment reads it, and its strategy. */
import * as z from 'zod/mini';
import { Fault } from '../../core/fault.ts';

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
  overflowAffinities: z.nullish(z.array(clusterAffinity)),
});

const spreadConstraint = z.object({
  spreadByField: z.nullish(z.string()),
  spreadByLabel: z.nullish(z.string()),
  minGroups: z.nullish(z.number()),
  maxGroups: z.nullish(z.number()),
});

const replicaScheduling = z.object({
  /** The CRD's default, which also applies to objects from files and to an explicit null. */
  replicaSchedulingType: z.pipe(
    z.nullish(z.string()),
    z.transform((type) => type || 'Divided'),
  ),
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

export type SelectorRequirement = z.output<typeof expression>;
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
 * The strategy of a placement. Without replicaScheduling: Duplicated; with one that has no type: Divided, the CRD's default.
 * Divided without a preference: Weighted, the default of Karmada's webhook. Weighted without dynamicWeight: by static weights, all equal if none are given.
 * Undefined for unsupported values: dividing by a strategy that the user did not request would move replicas.
 */
export function knownStrategy({ replicaScheduling }: Placement): Strategy | undefined {
  const type = replicaScheduling?.replicaSchedulingType ?? 'Duplicated';
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

/** The same, for callers that need a strategy; throws a terminal Fault for unsupported values. */
export function strategyOf(placement: Placement): Strategy {
  const known = knownStrategy(placement);
  if (known !== undefined) return known;
  throw new Fault('terminal', messageOf(unsupportedStrategy(placement)), { reason: 'UnknownStrategy' });
}

/** A field of a binding whose value the assignment code does not implement. */
export interface UnsupportedField {
  /** Its path in the binding: `spec.placement.workloadAffinity`. */
  readonly field: string;
  /** What is wrong, as Kubernetes reports it: `Unsupported value: "Halved": supported values: "Duplicated", "Divided"`. */
  readonly detail: string;
}

/** `spec.placement.workloadAffinity: Forbidden: …` */
export function messageOf({ field, detail }: UnsupportedField): string {
  return `${field}: ${detail}`;
}

const SCHEDULING = 'spec.placement.replicaScheduling';

/** The unsupported field of a placement without a known strategy. */
function unsupportedStrategy({ replicaScheduling }: Placement): UnsupportedField {
  const {
    replicaSchedulingType: type,
    replicaDivisionPreference: preference,
    weightPreference,
  } = replicaScheduling ?? {};
  if (type !== 'Divided')
    return unsupportedValue(`${SCHEDULING}.replicaSchedulingType`, type, ['Duplicated', 'Divided']);
  if (preference && !PREFERENCES.includes(preference))
    return unsupportedValue(`${SCHEDULING}.replicaDivisionPreference`, preference, PREFERENCES);
  const { dynamicWeight } = weightPreference ?? {};
  return unsupportedValue(`${SCHEDULING}.weightPreference.dynamicWeight`, dynamicWeight, ['AvailableReplicas']);
}

const PREFERENCES: readonly string[] = ['Aggregated', 'Weighted'];

function unsupportedValue(field: string, value: unknown, supported: readonly string[]): UnsupportedField {
  const values = supported.map((each) => JSON.stringify(each)).join(', ');
  return { field, detail: `Unsupported value: ${JSON.stringify(value)}: supported values: ${values}` };
}

/** The first field of a placement that the assignment code does not implement, so that no forecast is possible; undefined if it implements all of them. */
export function unsupportedField(placement: Placement): UnsupportedField | undefined {
  if (knownStrategy(placement) === undefined) return unsupportedStrategy(placement);
  if (placement.workloadAffinity == null) return undefined;
  return { field: 'spec.placement.workloadAffinity', detail: 'Forbidden: not supported' };
}

/** The spread constraints that select clusters. Static weights select their clusters themselves, so none applies. */
export function effectiveSpread(placement: Placement): readonly SpreadConstraint[] {
  const { replicaScheduling: scheduling } = placement;
  const preference = scheduling?.weightPreference;
  const weighted =
    scheduling?.replicaSchedulingType === 'Divided' && scheduling.replicaDivisionPreference === 'Weighted';
  const byStaticWeights =
    weighted && (!preference || ((preference.staticWeightList ?? []).length > 0 && !preference.dynamicWeight));
  return byStaticWeights ? [] : (placement.spreadConstraints ?? []);
}

/** The last constraint by this field: upstream keeps one a field. Karmada's webhook makes one without field and label a constraint by cluster. */
export function constraintBy(
  field: 'cluster' | 'region',
  constraints: readonly SpreadConstraint[],
): SpreadConstraint | undefined {
  return constraints.findLast(
    ({ spreadByField, spreadByLabel }) => (spreadByField || (spreadByLabel ? '' : 'cluster')) === field,
  );
}
