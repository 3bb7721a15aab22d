/** Selects the clusters of a Placement as Open Cluster Management does: sets, predicates, taints, numberOfClusters. Pure. */
import * as z from 'zod/mini';
import { fromTimestamp } from '../../../../shared/core/time.ts';
import { matchesLabels } from '../../../../shared/karmada/assignment/match-cluster.ts';
import type { KubeObject } from '../../store/objects.ts';
import type { ClusterTaint, SimulatedCluster } from './managed-cluster.ts';

const expression = z.object({
  key: z.string(),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
  values: z.optional(z.array(z.string())),
});
const selector = z.object({
  matchLabels: z.optional(z.record(z.string(), z.string())),
  matchExpressions: z.optional(z.array(expression)),
});

const toleration = z.object({
  key: z._default(z.string(), ''),
  operator: z._default(z.string(), 'Equal'),
  value: z._default(z.string(), ''),
  effect: z.optional(z.string()),
  tolerationSeconds: z.optional(z.number()),
});

const schema = z.object({
  clusterSets: z._default(z.array(z.string()), []),
  numberOfClusters: z.optional(z.number()),
  predicates: z._default(
    z.array(
      z.object({
        requiredClusterSelector: z.optional(
          z.object({ labelSelector: z.optional(selector), claimSelector: z.optional(selector) }),
        ),
      }),
    ),
    [],
  ),
  tolerations: z._default(z.array(toleration), []),
});

export type PlacementSpec = z.output<typeof schema>;
type PlacementToleration = PlacementSpec['tolerations'][number];

export function readPlacement({ spec }: KubeObject): PlacementSpec {
  return z.parse(schema, spec);
}

const setSchema = z.object({
  clusterSelector: z.object({ selectorType: z.string(), labelSelector: z.optional(selector) }),
});

const SET_LABEL = 'cluster.open-cluster-management.io/clusterset';

/** Whether a cluster is in a ManagedClusterSet. */
export function isInSet({ metadata, spec }: KubeObject, { labels }: SimulatedCluster): boolean {
  const { clusterSelector } = z.parse(setSchema, spec);
  if (clusterSelector.selectorType !== 'LabelSelector') return labels[SET_LABEL] === metadata.name;
  return matchesLabels(clusterSelector.labelSelector ?? {}, labels);
}

export interface Candidates {
  /** Clusters of the sets that the placement may use. */
  readonly clusters: readonly SimulatedCluster[];
  /** Names of the currently selected clusters. */
  readonly present: ReadonlySet<string>;
  readonly now: number;
}

export interface Selected {
  readonly names: readonly string[];
  /** How many clusters are missing to numberOfClusters. */
  readonly missing: number;
  /** When the first toleration ends; undefined if none does. */
  readonly until: number | undefined;
}

/** Selected clusters stay if possible; others are added by name, those with PreferNoSelect taints last. */
export function selectClusters(spec: PlacementSpec, { clusters, present, now }: Candidates): Selected {
  const matching = clusters.filter((cluster) => matchesAny(spec, cluster));
  const rated = matching.map((cluster) => ({ cluster, ...repelled(cluster, spec.tolerations, now) }));
  const open = rated.filter(({ cluster, effects }) => {
    if (effects.includes('NoSelect')) return false;
    return present.has(cluster.name) || !effects.includes('NoSelectIfNew');
  });
  const rank = ({ cluster, effects }: (typeof open)[number]) =>
    (present.has(cluster.name) ? 0 : 2) + (effects.includes('PreferNoSelect') ? 1 : 0);
  const inOrder = [...open].sort((a, b) => rank(a) - rank(b) || compare(a.cluster.name, b.cluster.name));
  const wanted = spec.numberOfClusters ?? inOrder.length;
  const names = inOrder.slice(0, wanted).map(({ cluster }) => cluster.name);
  const ends = rated.flatMap(({ until }) => until ?? []);
  return {
    names: names.sort(compare),
    missing: Math.max(0, wanted - names.length),
    until: ends.length === 0 ? undefined : Math.min(...ends),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function matchesAny({ predicates }: PlacementSpec, { labels, claims }: SimulatedCluster): boolean {
  if (predicates.length === 0) return true;
  return predicates.some(({ requiredClusterSelector: required }) => {
    const byLabel = required?.labelSelector === undefined || matchesLabels(required.labelSelector, labels);
    return byLabel && (required?.claimSelector === undefined || matchesLabels(required.claimSelector, claims));
  });
}

/** The effects of untolerated taints, and when the first toleration ends. */
function repelled({ taints }: SimulatedCluster, tolerations: readonly PlacementToleration[], now: number) {
  const effects: ClusterTaint['effect'][] = [];
  let until: number | undefined;
  for (const taint of taints) {
    const ends = toleratedUntil(taint, tolerations);
    if (ends <= now) effects.push(taint.effect);
    else if (ends < (until ?? Number.POSITIVE_INFINITY)) until = ends;
  }
  return { effects, until };
}

/** 0: not at all. */
function toleratedUntil(taint: ClusterTaint, tolerations: readonly PlacementToleration[]): number {
  const ends = tolerations
    .filter((one) => tolerates(one, taint))
    .map(({ tolerationSeconds }) => {
      if (tolerationSeconds === undefined) return Number.POSITIVE_INFINITY;
      return (fromTimestamp(taint.timeAdded ?? '') ?? 0) + tolerationSeconds * 1000;
    });
  return Math.max(0, ...ends);
}

function tolerates({ key, operator, value, effect }: PlacementToleration, taint: ClusterTaint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || (key !== '' && value === taint.value);
}
