/** Resolves the clusters and paths of an ElasticWorkload from the files, or rejects it. */
import type { ElasticWorkload } from '../../shared/elastic-workload/elastic-workload.ts';
import {
  customPaths,
  knownPaths,
  type ManifestKind,
  type ScalePaths,
} from '../../shared/elastic-workload/scale-paths.ts';
import { isBefore, manifestFrom, targetLabel, targetOf } from '../../shared/elastic-workload/target.ts';
import {
  noScalePath,
  type TargetRejection,
  targetTaken,
  tooLarge,
} from '../../shared/elastic-workload/target-rejection.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import type { ElasticInput } from './elastic-input.ts';

export interface Carried {
  readonly paths: ScalePaths;
  /** The selected clusters that no earlier ElasticWorkload of the same target has. */
  readonly selected: readonly string[];
  /** The selected clusters that an earlier one has. */
  readonly taken: ReadonlyMap<string, ElasticWorkload>;
}

export interface RejectedElasticWorkload {
  readonly rejection: TargetRejection;
  /** Whether the input lacks something, so that the result on a hub is unknown. */
  readonly isLacking: boolean;
}

export function validateElasticWorkload(
  elastic: ElasticWorkload,
  input: ElasticInput,
): Carried | RejectedElasticWorkload {
  const { spec } = elastic;
  const target = targetOf(spec);
  if (target === undefined)
    return rejected({ reason: 'UnknownKind', message: 'spec.target has no block of its type; write it' });
  const paths = knownPaths(target, spec.target.scale) ?? customPaths(target, input.customs);
  if (typeof paths === 'string') return withoutPaths(paths, target);
  const { inline } = spec.target;
  const large = inline && tooLarge(manifestFrom(inline, spec));
  if (large !== undefined) return rejected(large);
  const selected = selectedBy(elastic, input);
  if ('rejection' in selected) return selected;
  const taken = takenFrom(selected.clusters, elastic, input);
  const [first] = taken.values();
  const free = selected.clusters.filter((cluster) => !taken.has(cluster));
  if (first !== undefined && free.length === 0) return rejected(targetTaken(elastic, first));
  return { paths, selected: free, taken };
}

/** Each cluster belongs to the first created ElasticWorkload that selects it; handwritten ones rank by their order in the files. */
function takenFrom(
  clusters: readonly string[],
  elastic: ElasticWorkload,
  input: ElasticInput,
): ReadonlyMap<string, ElasticWorkload> {
  const all = input.claims.get(targetLabel(elastic.spec)) ?? [];
  const own = all.indexOf(elastic);
  const earlier = all
    .filter((other, i) => isBefore(other, elastic) || (i < own && !isBefore(elastic, other)))
    .map((other) => ({ other, has: selectedBy(other, input) }));
  return new Map(
    clusters.flatMap((cluster) => {
      // If the files lack the Placement of an earlier one, its clusters are unknown.
      const first = earlier.find(({ has }) => 'rejection' in has || has.clusters.includes(cluster));
      return first === undefined ? [] : [[cluster, first.other] as const];
    }),
  );
}

function withoutPaths(why: 'UnknownKind' | 'NoScalePath', kind: ManifestKind): RejectedElasticWorkload {
  if (why === 'NoScalePath') return rejected(noScalePath(kind));
  return lacking(
    why,
    `the files do not define the scale paths of ${kind.kind} (${kind.apiVersion}); add its CustomResourceDefinition, or set spec.target.scale`,
  );
}

function selectedBy(
  { key, spec }: ElasticWorkload,
  { slices, placements }: ElasticInput,
): { readonly clusters: readonly string[] } | RejectedElasticWorkload {
  const { namespace } = key;
  const { name } = spec.placementRef;
  const own = slices.filter(
    (slice) =>
      slice.namespace === namespace &&
      (slice.placement === name || (slice.placement === '' && slice.name.startsWith(`${name}-decision-`))),
  );
  if (own.length === 0)
    return lacking(
      'PlacementNotFound',
      `the files have no PlacementDecision of Placement ${namespace}/${name}; add all of them`,
    );
  const clusters = [...new Set(own.flatMap((slice) => slice.clusters))].sort();
  const expected = placements.get(keyText({ namespace, name }))?.selected;
  if (expected === undefined || expected === clusters.length) return { clusters };
  return lacking(
    'PlacementNotFound',
    `Placement ${namespace}/${name} selects ${expected}, and the PlacementDecisions in the files name ${clusters.length}; add all of them`,
  );
}

function rejected(rejection: TargetRejection): RejectedElasticWorkload {
  return { rejection, isLacking: false };
}

function lacking(reason: TargetRejection['reason'], message: string): RejectedElasticWorkload {
  return { rejection: { reason, message }, isLacking: true };
}
