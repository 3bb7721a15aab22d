/** Decides which bindings are planned: all, those of a namespace, the named ones, or those of a rebalancer. */
import { invalidOption } from '../../shared/core/fault.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import { keyText, type ObjectKey } from '../../shared/kubernetes/object-key.ts';
import { distinctReferences, isSameObject, type ObjectReference } from '../../shared/kubernetes/object-reference.ts';
import { kindsMeant } from '../rebalance/named-workloads.ts';
import type { ForecastInput } from './plan-input.ts';

/** A workload of a rebalancer without a binding of its own: its result would be Failed. */
export interface MissingBinding {
  readonly key: ObjectKey;
  readonly workload: ObjectReference;
  /** The object of the binding that has its name. */
  readonly resource?: ObjectReference;
}

export interface BindingFilter {
  readonly namespace?: string;
  /** Of bindings ("web-deployment") or of their workloads ("web", "deployment/web"); all where empty. */
  readonly names: readonly string[];
}

interface ChosenBindings {
  readonly chosen: readonly PlacedBinding[];
  readonly missing: readonly MissingBinding[];
}

export function chooseBindings(
  { bindings, rebalancers }: Pick<ForecastInput, 'bindings' | 'rebalancers'>,
  { namespace, names }: BindingFilter,
): ChosenBindings {
  const inNamespace = (key: ObjectKey) => namespace === undefined || key.namespace === namespace;
  const all = [...bindings.values()].filter(({ metadata }) => inNamespace(metadata));
  if (rebalancers.size === 0) return { chosen: named(all, names, namespace), missing: [] };
  const workloads = distinctReferences([...rebalancers.values()].flat()).map((workload) => {
    const key = bindingKey(workload);
    return { key, workload, binding: bindings.get(keyText(key)) };
  });
  const meant = workloads.filter(({ key }) => inNamespace(key));
  const isOwn = ({ binding, workload }: (typeof meant)[number]) =>
    binding !== undefined && isSameObject(binding.spec.resource, workload);
  const present = meant.filter(isOwn).flatMap(({ binding }) => binding ?? []);
  const missing = meant
    .filter((each) => !isOwn(each))
    .map(({ key, workload, binding }) => ({ key, workload, ...(binding && { resource: binding.spec.resource }) }));
  return names.length === 0 ? { chosen: present, missing } : { chosen: named(present, names, namespace), missing: [] };
}

/** The bindings that match the names; all if no name is given. Throws a terminal Fault if a name matches none. */
export function named(
  bindings: readonly PlacedBinding[],
  names: readonly string[],
  namespace: string | undefined,
): readonly PlacedBinding[] {
  if (names.length === 0) return bindings;
  const wanted = new Map(names.flatMap((given) => formsOf(given).map((form) => [form, given] as const)));
  const met = new Set<string>();
  const chosen = bindings.filter((binding) => {
    const matching = namesOf(binding).flatMap((name) => wanted.get(name) ?? []);
    for (const name of matching) met.add(name);
    return matching.length > 0;
  });
  const unmet = names.find((name) => !met.has(name));
  if (unmet === undefined) return chosen;
  const first = bindings.slice(0, 5).map(({ metadata }) => metadata.name);
  const more = bindings.length > first.length ? ` and ${bindings.length - first.length} more` : '';
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  throw invalidOption(
    `there is no binding or workload ${JSON.stringify(unmet)}${where}; name one that is there: ${first.join(', ') || 'none is'}${more}`,
  );
}

/** "deploy/web" and "deployments/web" are "deployment/web". */
function formsOf(given: string): readonly string[] {
  const [kind = '', ...rest] = given.toLowerCase().split('/');
  return rest.length === 0 ? [kind] : kindsMeant(kind).map((each) => [each, ...rest].join('/'));
}

function namesOf({ metadata, spec: { resource } }: PlacedBinding): readonly string[] {
  const { kind, namespace, name } = resource;
  return [metadata.name, name, `${kind}/${name}`, `${kind}/${namespace}/${name}`].map((each) => each.toLowerCase());
}
