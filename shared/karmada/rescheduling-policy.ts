/** Which workloads may be descheduled: `reschedulingPolicy` of a placement, an annotation if the hub's CRDs prune the field, and a switch on namespaces. */
import * as z from 'zod/mini';
import { objectMeta, parseObject } from '../kubernetes/hub-object.ts';
import { keyText, type ObjectKey } from '../kubernetes/object-key.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { PlacedBinding } from './placed-binding.ts';

/** On a PropagationPolicy, a ClusterPropagationPolicy or a binding: "OnUnschedulable" or "Never". */
export const RESCHEDULING_POLICY = 'evenkeel.dev/rescheduling-policy';
/** On a Namespace: "Paused" or "DryRun". */
export const DESCHEDULING = 'evenkeel.dev/descheduling';
/** The namespace whose switch applies to the whole hub: every Karmada hub has it. */
export const HUB_NAMESPACE = 'karmada-system';

/** An object with only its name and annotations. */
export interface Annotated {
  readonly key: ObjectKey;
  readonly annotations: Readonly<Record<string, string>>;
}

const schema = z.object({ metadata: objectMeta });

function reader(kind: string): (object: unknown) => Annotated {
  return (object) => {
    const { namespace, name, annotations } = parseObject(schema, object, kind).metadata;
    return { key: { namespace, name }, annotations };
  };
}

const policies = { group: 'policy.karmada.io', version: 'v1alpha1', pageSize: 250 };

export const propagationPolicies: Resource<Annotated> = {
  ...policies,
  kind: 'PropagationPolicy',
  plural: 'propagationpolicies',
  namespaced: true,
  parse: reader('PropagationPolicy'),
};
export const clusterPropagationPolicies: Resource<Annotated> = {
  ...policies,
  kind: 'ClusterPropagationPolicy',
  plural: 'clusterpropagationpolicies',
  namespaced: false,
  parse: reader('ClusterPropagationPolicy'),
};
export const namespaces: Resource<Annotated> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  pageSize: 500,
  parse: reader('Namespace'),
};

export type ReschedulingPolicy = 'OnUnschedulable' | 'Never';

/** Absent means Never, as in the proposal. The proposal's spelling "OnUnscheduable" is accepted too. Undefined for other values. */
export function readReschedulingPolicy(word: string | null | undefined): ReschedulingPolicy | undefined {
  if (!word || word === 'Never') return 'Never';
  return word === 'OnUnschedulable' || word === 'OnUnscheduable' ? 'OnUnschedulable' : undefined;
}

/** The value that applies to a binding: its own annotation, then the field of its placement, then its policy's annotation. */
export function reschedulingWord(
  { metadata, spec }: PlacedBinding,
  annotated: ReadonlyMap<string, string>,
): string | undefined {
  const own = metadata.annotations[RESCHEDULING_POLICY] ?? spec.placement?.replicaScheduling?.reschedulingPolicy;
  if (own != null) return own;
  const policy = policyOf(metadata.annotations);
  return policy && annotated.get(keyText(policy));
}

/** The annotations of policies, by `keyText` of the policy's key. */
export function annotationsOf(all: readonly Annotated[]): ReadonlyMap<string, string> {
  return annotated(all, RESCHEDULING_POLICY, keyText);
}

/** Karmada records the policy of a binding on it; without a namespace it is a ClusterPropagationPolicy. */
export function policyOf(annotations: Readonly<Record<string, string>>): ObjectKey | undefined {
  const own = annotations['propagationpolicy.karmada.io/name'];
  const name = own ?? annotations['clusterpropagationpolicy.karmada.io/name'];
  if (name === undefined) return undefined;
  return { namespace: own === undefined ? '' : (annotations['propagationpolicy.karmada.io/namespace'] ?? ''), name };
}

export type Switch = 'On' | 'DryRun' | 'Paused';

/** The stricter of the namespace's switch and the hub's. An unknown value pauses, because its author wanted a change. */
export function switchOf(namespace: string, switches: ReadonlyMap<string, string>): Switch {
  const positions = [HUB_NAMESPACE, namespace].map((name) => readSwitch(switches.get(name)));
  if (positions.includes('Paused')) return 'Paused';
  return positions.includes('DryRun') ? 'DryRun' : 'On';
}

function readSwitch(word: string | undefined): Switch {
  if (word === undefined || word === 'On') return 'On';
  return word === 'DryRun' ? 'DryRun' : 'Paused';
}

/** The value of this annotation on each namespace that has it, by name. */
export function switchesOf(all: readonly Annotated[], annotation: string): ReadonlyMap<string, string> {
  return annotated(all, annotation, ({ name }) => name);
}

function annotated(
  all: readonly Annotated[],
  annotation: string,
  nameOf: (key: ObjectKey) => string,
): ReadonlyMap<string, string> {
  return new Map(
    all.flatMap(({ key, annotations }) => {
      const word = annotations[annotation];
      return word === undefined ? [] : [[nameOf(key), word] as const];
    }),
  );
}
