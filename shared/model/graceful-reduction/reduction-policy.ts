/** What a PropagationPolicy says of the reductions of its workloads, and what of it is to stand on their bindings, where admission can see it. */
import * as z from 'zod/mini';
import { objectMeta, parseObject } from '../hub-object.ts';
import type { ObjectKey } from '../object-key.ts';
import type { PlacedBinding } from '../placed-binding.ts';
import { clusterPropagationPolicies, propagationPolicies } from '../rescheduling-policy.ts';
import type { Resource } from '../resource.ts';
import { GRACE_PERIOD, REDUCTION_STRATEGY, STRATEGY_FROM, SUPPRESS_DELETION } from './replica-reduction.ts';

export interface ReductionPolicy {
  readonly key: ObjectKey;
  /** As its annotations have it; its field, where the hub's CRD has one, counts before them. Undefined where it says nothing of reductions. */
  readonly words: ReductionWords | undefined;
}

/** By annotation. */
type ReductionWords = Readonly<Record<string, string>>;

const schema = z.object({
  metadata: objectMeta,
  spec: z.nullish(z.object({ replicaReductionStrategy: z.nullish(z.string()) })),
});

function reader(kind: string): (object: unknown) => ReductionPolicy {
  return (object) => {
    const { metadata, spec } = parseObject(schema, object, kind);
    const { namespace, name, annotations } = metadata;
    const strategy = spec?.replicaReductionStrategy ?? annotations[REDUCTION_STRATEGY];
    return {
      key: { namespace, name },
      words: strategy === undefined ? undefined : { ...chosen(annotations), [REDUCTION_STRATEGY]: strategy },
    };
  };
}

const WORDS = [REDUCTION_STRATEGY, GRACE_PERIOD, SUPPRESS_DELETION];

function chosen(annotations: Readonly<Record<string, string>>): ReductionWords {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => WORDS.includes(name)));
}

const ofNamespace: Resource<ReductionPolicy> = { ...propagationPolicies, parse: reader('PropagationPolicy') };
const ofCluster: Resource<ReductionPolicy> = {
  ...clusterPropagationPolicies,
  parse: reader('ClusterPropagationPolicy'),
};

/** Both kinds. */
export const reductionPolicies: readonly Resource<ReductionPolicy>[] = [ofNamespace, ofCluster];

/** The kind of a policy by its namespace, which a ClusterPropagationPolicy has not. */
export function reductionPolicyKind({ namespace }: Pick<ObjectKey, 'namespace'>): Resource<ReductionPolicy> {
  return namespace === '' ? ofCluster : ofNamespace;
}

/**
 * Annotations to be written on the binding, null for one to be taken away; undefined where it says what its policy says. What a person wrote on
 * the binding itself counts before the policy, and is left alone.
 */
export function carriedWords(
  { metadata: { annotations } }: Pick<PlacedBinding, 'metadata'>,
  policy: ReductionPolicy | undefined,
): Readonly<Record<string, string | null>> | undefined {
  const isCarried = annotations[STRATEGY_FROM] !== undefined;
  if (annotations[REDUCTION_STRATEGY] !== undefined && !isCarried) return undefined;
  if (!isCarried && policy?.words === undefined) return undefined;
  const wanted: ReductionWords = policy?.words ? { ...policy.words, [STRATEGY_FROM]: nameOf(policy.key) } : {};
  const changes = [...WORDS, STRATEGY_FROM].flatMap((name) =>
    annotations[name] === wanted[name] ? [] : [[name, wanted[name] ?? null] as const],
  );
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

function nameOf({ namespace, name }: ObjectKey): string {
  return namespace === '' ? `ClusterPropagationPolicy ${name}` : `PropagationPolicy ${namespace}/${name}`;
}
