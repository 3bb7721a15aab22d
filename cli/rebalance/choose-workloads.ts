/** Reads from a hub the bindings to rebalance: by name, by label, or all on a cluster. */
import { invalidOption } from '../../shared/core/fault.ts';
import { clusters } from '../../shared/karmada/assignment/cluster.ts';
import { bindingKey } from '../../shared/karmada/binding.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { Hub } from '../../shared/kubernetes/hub.ts';
import { listAll } from '../../shared/kubernetes/list-all.ts';
import { keyText } from '../../shared/kubernetes/object-key.ts';
import { type ObjectReference, referenceLabel } from '../../shared/kubernetes/object-reference.ts';
import { apiVersionOf } from '../../shared/kubernetes/resource.ts';
import { type WorkloadMetadata, workloadKinds } from '../../shared/kubernetes/workload-metadata.ts';
import { getBindings } from '../../shared/rebalance-policy/read-fleet.ts';
import { listBindingsIn, requireNamespace } from '../chosen-namespace.ts';
import type { NamedWorkload } from './named-workloads.ts';

/** In the given namespace, or in all. */
export type Wish =
  | { readonly by: 'name'; readonly workloads: readonly NamedWorkload[] }
  | { readonly by: 'label'; readonly selector: string; readonly kinds: readonly string[] | undefined }
  | { readonly by: 'cluster'; readonly cluster: string };

export interface ChosenWorkloads {
  readonly bindings: readonly PlacedBinding[];
  /** What is left out, and why. */
  readonly notes: readonly string[];
}

export async function chooseWorkloads(hub: Hub, wish: Wish, namespace: string | undefined): Promise<ChosenWorkloads> {
  switch (wish.by) {
    case 'name':
      return byName(hub, wish.workloads);
    case 'label':
      return byLabel(hub, wish, namespace);
    case 'cluster':
      return onCluster(hub, wish.cluster, namespace);
  }
}

async function byName(hub: Hub, workloads: readonly NamedWorkload[]): Promise<ChosenWorkloads> {
  const found = await getBindings(
    hub,
    workloads.flatMap(({ bindings }) => bindings),
  );
  const isFound = ({ bindings }: NamedWorkload) => bindings.some((key) => found.has(keyText(key)));
  const missing = workloads.find((workload) => !isFound(workload));
  if (missing !== undefined) await requireNamespace(hub, missing.bindings[0]?.namespace);
  const chosen = workloads.map(({ text, bindings: [first, ...rest] }) => {
    const [binding] = [first, ...rest].flatMap((key) => (key && found.get(keyText(key))) ?? []);
    if (binding !== undefined) return binding;
    const where = first?.namespace ? ` in namespace ${first.namespace}` : '';
    throw invalidOption(
      `${text} has no binding${where}: no PropagationPolicy takes it, or it is not there; evenkeel plan -A lists what has one`,
    );
  });
  const unfit = chosen.find((binding) => whyUnfit(binding) !== undefined);
  if (unfit === undefined) return { bindings: distinct(chosen), notes: [] };
  throw invalidOption(`${referenceLabel(unfit.spec.resource)} ${whyUnfit(unfit)}; leave it out`);
}

async function byLabel(
  hub: Hub,
  { selector, kinds }: Extract<Wish, { by: 'label' }>,
  namespace: string | undefined,
): Promise<ChosenWorkloads> {
  const within = { labelSelector: selector, ...(namespace !== undefined && { namespace }) };
  const key = ({ key: each }: WorkloadMetadata) => keyText(each);
  const lists = await Promise.all(
    kindsOf(kinds).map(async (kind) => {
      const of = { apiVersion: apiVersionOf(kind), kind: kind.kind };
      return (await listAll(hub, kind, key, within)).map((found): ObjectReference => ({ ...of, ...found.key }));
    }),
  );
  const workloads = lists.flat();
  if (workloads.length === 0) await requireNamespace(hub, namespace);
  if (workloads.length === 0)
    throw invalidOption(`-l ${selector} takes no workload${inside(namespace)}; change it, or use -A`);
  const found = await getBindings(hub, workloads.map(bindingKey));
  const without = workloads.filter((workload) => !found.has(keyText(bindingKey(workload))));
  const [first] = without;
  const left = `${without.length} that no PropagationPolicy takes (the first: ${first && referenceLabel(first)})`;
  return fit([...found.values()], without.length > 0 ? [`left out ${left}`] : []);
}

function kindsOf(wanted: readonly string[] | undefined): typeof workloadKinds {
  if (wanted === undefined) return workloadKinds;
  return wanted.map((word) => {
    const plural = word.trim().toLowerCase();
    const known = workloadKinds.find((each) => [each.plural, each.kind.toLowerCase()].includes(plural));
    if (known !== undefined) return known;
    const names = workloadKinds.map((each) => each.plural).join(', ');
    throw invalidOption(`--kind ${word}: labels are known of ${names} only; name others as KIND/NAME`);
  });
}

async function onCluster(hub: Hub, cluster: string, namespace: string | undefined): Promise<ChosenWorkloads> {
  if ((await hub.get(clusters, { namespace: '', name: cluster })) === undefined)
    throw invalidOption(`--all-on ${cluster}: the hub has no cluster of that name; kubectl get clusters lists them`);
  const all = await listBindingsIn(hub, namespace);
  const there = all.filter(({ spec }) => spec.clusters.some(({ name, replicas }) => name === cluster && replicas > 0));
  if (there.length === 0)
    throw invalidOption(
      `--all-on ${cluster}: no workload${inside(namespace)} has replicas there; nothing is to be rebalanced`,
    );
  return fit(there, []);
}

function inside(namespace: string | undefined): string {
  return namespace === undefined ? '' : ` in namespace ${namespace}`;
}

function fit(bindings: readonly PlacedBinding[], notes: readonly string[]): ChosenWorkloads {
  const chosen = bindings.filter((binding) => whyUnfit(binding) === undefined);
  const unfit = bindings.flatMap((binding) => {
    const why = whyUnfit(binding);
    return why === undefined ? [] : [`left out: ${referenceLabel(binding.spec.resource)} ${why}`];
  });
  if (chosen.length > 0) return { bindings: distinct(chosen), notes: [...notes, ...unfit] };
  throw invalidOption(`none of these can be rebalanced; ${[...notes, ...unfit][0] ?? ''}`);
}

/** Only the scheduler moves replicas: a binding that it does not assign would be triggered without effect. */
function whyUnfit({ spec, metadata }: PlacedBinding): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return 'is being deleted';
  return spec.placement == null ? 'has no placement of its own: no scheduler assigns it' : undefined;
}

function distinct(bindings: readonly PlacedBinding[]): readonly PlacedBinding[] {
  return [...new Map(bindings.map((binding) => [keyText(binding.metadata), binding])).values()];
}
