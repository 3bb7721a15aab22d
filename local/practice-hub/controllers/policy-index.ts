/** Which policy a workload follows: PropagationPolicies before ClusterPropagationPolicies, then by priority, closeness of the selector, and name. */
import * as z from 'zod/mini';
import { matchesLabels } from '../../../shared/karmada/assignment/match-cluster.ts';
import { labelSelector } from '../../../shared/karmada/assignment/placement.ts';
import { keyOf } from '../store/object-collection.ts';
import type { Key, KubeObject, ObjectStore } from '../store/objects.ts';

export const policyPlurals: readonly string[] = ['propagationpolicies', 'clusterpropagationpolicies'];

export interface PropagatedWorkload extends Key {
  readonly apiVersion: string;
  readonly kind: string;
  readonly labels: Readonly<Record<string, string>>;
}

const selector = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  namespace: z._default(z.string(), ''),
  name: z._default(z.string(), ''),
  labelSelector: z.nullish(labelSelector),
});

const policySpec = z.object({
  resourceSelectors: z.array(selector),
  priority: z._default(z.number(), 0),
  placement: z._default(z.looseObject({}), {}),
  schedulerName: z._default(z.string(), 'default-scheduler'),
  suspension: z.nullish(z.looseObject({})),
  /** Lazy: a change of the policy takes effect with the next change of the workload. */
  activationPreference: z.nullish(z.string()),
});

type ResourceSelector = z.output<typeof selector>;

export interface IndexedPolicy {
  readonly plural: string;
  readonly key: Key;
  readonly spec: z.output<typeof policySpec>;
}

export interface PolicyIndex {
  /** The policy of this workload; undefined if none selects it. */
  policyOf(workload: PropagatedWorkload): IndexedPolicy | undefined;
  /** Rebuilds the index on next use, so that a bulk of policies rebuilds it once per round, not once per policy. */
  forget(): void;
}

/** An unreadable policy selects nothing. */
export function readPolicy(plural: string, object: KubeObject): IndexedPolicy | undefined {
  const spec = z.safeParse(policySpec, object.spec);
  return spec.success ? { plural, key: keyOf(object), spec: spec.data } : undefined;
}

/** The specificity of a policy for a workload: 3 by name, 2 by labels, 1 by kind; 0: not selected. */
export function closeness({ plural, key, spec }: IndexedPolicy, workload: PropagatedWorkload): number {
  // A PropagationPolicy selects only in its own namespace.
  if (plural === 'propagationpolicies' && key.namespace !== workload.namespace) return 0;
  return Math.max(0, ...spec.resourceSelectors.map((one) => closenessOf(one, workload)));
}

function closenessOf(one: ResourceSelector, workload: PropagatedWorkload): number {
  if (one.apiVersion !== workload.apiVersion || one.kind !== workload.kind) return 0;
  if (one.namespace !== '' && one.namespace !== workload.namespace) return 0;
  if (one.name !== '') return one.name === workload.name ? 3 : 0;
  if (one.labelSelector) return matchesLabels(one.labelSelector, workload.labels) ? 2 : 0;
  return 1;
}

/**
 * Policies that only name workloads are indexed by that name; the others are matched one by one. So thousands of policies
 * with a name each, the common case in bulk, cost one lookup per workload.
 */
export function createPolicyIndex(store: ObjectStore): PolicyIndex {
  let index: { byName: Map<string, IndexedPolicy[]>; broad: IndexedPolicy[] } | undefined;

  function build(): { byName: Map<string, IndexedPolicy[]>; broad: IndexedPolicy[] } {
    const byName = new Map<string, IndexedPolicy[]>();
    const broad: IndexedPolicy[] = [];
    for (const plural of policyPlurals) {
      for (const object of store.list(plural)) {
        const policy = readPolicy(plural, object);
        if (policy === undefined) continue;
        const names = policy.spec.resourceSelectors.map(({ name }) => name);
        if (names.includes('')) broad.push(policy);
        else for (const name of new Set(names)) byName.set(name, [...(byName.get(name) ?? []), policy]);
      }
    }
    return { byName, broad };
  }

  return {
    policyOf(workload) {
      index ??= build();
      const [best] = [...(index.byName.get(workload.name) ?? []), ...index.broad]
        .map((policy) => ({ policy, close: closeness(policy, workload) }))
        .filter(({ close }) => close > 0)
        .sort(
          (a, b) =>
            Number(b.policy.plural === 'propagationpolicies') - Number(a.policy.plural === 'propagationpolicies') ||
            b.policy.spec.priority - a.policy.spec.priority ||
            b.close - a.close ||
            (a.policy.key.name < b.policy.key.name ? -1 : 1),
        );
      return best?.policy;
    },
    forget() {
      index = undefined;
    },
  };
}
