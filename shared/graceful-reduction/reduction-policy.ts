/** Reads the reduction annotations of a PropagationPolicy, and decides which are copied to its bindings, where admission can read them. */
import * as z from 'zod/mini';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { clusterPropagationPolicies, propagationPolicies } from '../karmada/rescheduling-policy.ts';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import type { ObjectKey } from '../kubernetes/object-key.ts';
import type { Resource } from '../kubernetes/resource.ts';
import {
  GRACE_PERIOD,
  queueOf,
  REDUCTION_STRATEGY,
  reductionStrategyOf,
  STRATEGY_FROM,
  SUPPRESS_DELETION,
} from './replica-reduction.ts';

export interface ReductionPolicy {
  readonly key: ObjectKey;
  /** From its annotations; the field, if the hub's CRD has it, takes precedence. Undefined if it requests no reductions. */
  readonly annotations: ReductionWords | undefined;
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
      annotations: strategy === undefined ? undefined : { ...chosen(annotations), [REDUCTION_STRATEGY]: strategy },
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

/** The kind of a policy by its namespace, which a ClusterPropagationPolicy does not have. */
export function reductionPolicyKind({ namespace }: Pick<ObjectKey, 'namespace'>): Resource<ReductionPolicy> {
  return namespace === '' ? ofCluster : ofNamespace;
}

/** What STRATEGY_FROM begins with on a binding that a ClusterDrain moves; the name of the cluster follows. */
export const HELD_FOR_DRAIN = 'ClusterDrain of ';

/** Whether only a ClusterDrain asks for graceful reduction, which ends with its holds. */
function isHeldForDrain({ metadata }: Pick<PlacedBinding, 'metadata'>): boolean {
  return metadata.annotations[STRATEGY_FROM]?.startsWith(HELD_FOR_DRAIN) ?? false;
}

/** Whether another move of the workload is graceful too: its user asks for it. */
export function isReducedGracefully(binding: PlacedBinding): boolean {
  return reductionStrategyOf(binding) !== undefined && !isHeldForDrain(binding);
}

/**
 * Annotations to write to the binding, null for removal; undefined if the binding is up to date. Annotations that a user set on
 * the binding itself take precedence over the policy and are not changed; those of a drain end with its holds.
 */
export function carriedAnnotations(
  binding: Pick<PlacedBinding, 'metadata'>,
  policy: ReductionPolicy | undefined,
): Readonly<Record<string, string | null>> | undefined {
  const { annotations } = binding.metadata;
  if (isHeldForDrain(binding) && queueOf(binding).size > 0) return undefined;
  const isCarried = annotations[STRATEGY_FROM] !== undefined;
  if (annotations[REDUCTION_STRATEGY] !== undefined && !isCarried) return undefined;
  if (!isCarried && policy?.annotations === undefined) return undefined;
  const wanted: ReductionWords = policy?.annotations
    ? { ...policy.annotations, [STRATEGY_FROM]: nameOf(policy.key) }
    : {};
  const changes = [...WORDS, STRATEGY_FROM].flatMap((name) =>
    annotations[name] === wanted[name] ? [] : [[name, wanted[name] ?? null] as const],
  );
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

function nameOf({ namespace, name }: ObjectKey): string {
  return namespace === '' ? `ClusterPropagationPolicy ${name}` : `PropagationPolicy ${namespace}/${name}`;
}
