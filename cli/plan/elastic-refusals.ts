/** Finds what a plan of an ElasticWorkload goes by, or why the files give none. */
import type { ElasticWorkload } from '../../shared/model/elastic-workload/elastic-workload.ts';
import { noScalePath, type Refusal, targetTaken, tooLarge } from '../../shared/model/elastic-workload/refusal.ts';
import {
  customPaths,
  type Kind,
  knownPaths,
  type ScalePaths,
} from '../../shared/model/elastic-workload/scale-paths.ts';
import { isBefore, manifestFrom, targetLabel, targetOf } from '../../shared/model/elastic-workload/target.ts';
import { keyText } from '../../shared/model/object-key.ts';
import type { ElasticInput } from './elastic-input.ts';

export interface Carried {
  readonly paths: ScalePaths;
  /** The clusters that the PlacementDecision names. */
  readonly selected: readonly string[];
}

export interface Refused {
  readonly refusal: Refusal;
  /** It is the input that lacks something, and nobody knows whether a hub would. */
  readonly isLacking: boolean;
}

export function whyRefused(elastic: ElasticWorkload, input: ElasticInput): Carried | Refused {
  const { spec } = elastic;
  const taken = takenBy(elastic, input.claims);
  if (taken !== undefined) return refused(targetTaken(elastic, taken));
  const target = targetOf(spec);
  if (target === undefined)
    return refused({ reason: 'UnknownKind', message: 'spec.target has no block of its type; write it' });
  const paths = knownPaths(target, spec.target.scale) ?? customPaths(target, input.customs);
  if (typeof paths === 'string') return withoutPaths(paths, target);
  const { inline } = spec.target;
  const large = inline && tooLarge(manifestFrom(inline, spec));
  if (large !== undefined) return refused(large);
  const selected = selectedBy(elastic, input);
  return 'refusal' in selected ? selected : { paths, selected: selected.clusters };
}

/** Who came first has it; among those that no hub has seen, who stands first in the files. */
function takenBy(elastic: ElasticWorkload, claims: ElasticInput['claims']): ElasticWorkload | undefined {
  const all = claims.get(targetLabel(elastic.spec)) ?? [];
  const own = all.indexOf(elastic);
  return all.find((other, i) => i !== own && (isBefore(other, elastic) || (i < own && !isBefore(elastic, other))));
}

function withoutPaths(why: 'UnknownKind' | 'NoScalePath', kind: Kind): Refused {
  if (why === 'NoScalePath') return refused(noScalePath(kind));
  return lacking(
    why,
    `the files do not say how ${kind.kind} (${kind.apiVersion}) is scaled; add its CustomResourceDefinition, or say spec.target.scale`,
  );
}

function selectedBy(
  { key, spec }: ElasticWorkload,
  { slices, placements }: ElasticInput,
): { readonly clusters: readonly string[] } | Refused {
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
      `the files have no PlacementDecision of Placement ${namespace}/${name}; add all that it has`,
    );
  const clusters = [...new Set(own.flatMap((slice) => slice.clusters))].sort();
  const said = placements.get(keyText({ namespace, name }))?.selected;
  if (said === undefined || said === clusters.length) return { clusters };
  return lacking(
    'PlacementNotFound',
    `Placement ${namespace}/${name} selects ${said}, and the PlacementDecisions in the files name ${clusters.length}; add all that it has`,
  );
}

function refused(refusal: Refusal): Refused {
  return { refusal, isLacking: false };
}

function lacking(reason: Refusal['reason'], message: string): Refused {
  return { refusal: { reason, message }, isLacking: true };
}
