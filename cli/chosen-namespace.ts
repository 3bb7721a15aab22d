/** The namespace of a command that reads a hub: that of -n, else that of the context; with -A all. And the bindings there. */
import { asFault, invalidOption } from '../shared/core/fault.ts';
import { type PlacedBinding, placedBindings, placedClusterBindings } from '../shared/karmada/placed-binding.ts';
import { namespaces } from '../shared/karmada/rescheduling-policy.ts';
import { namespaceFromKubeconfig } from '../shared/kubernetes/client/kubeconfig.ts';
import type { Hub } from '../shared/kubernetes/hub.ts';
import { listAll } from '../shared/kubernetes/list-all.ts';
import { keyText } from '../shared/kubernetes/object-key.ts';
import { type HubOptions, hubOf, type NamespaceOptions } from './hub-options.ts';

/** Undefined: all namespaces. */
export async function chosenNamespace(options: HubOptions & NamespaceOptions): Promise<string | undefined> {
  if (options.allNamespaces) return undefined;
  if (options.namespace !== undefined) return options.namespace;
  const { kubeconfig, context } = hubOf(options);
  return namespaceFromKubeconfig(kubeconfig, context);
}

/** For a namespace in which nothing was found. Throws a terminal Fault if the hub has no such namespace. */
export async function requireNamespace(hub: Hub, name: string | undefined): Promise<void> {
  if (!name || (await hasNamespace(hub, name))) return;
  throw invalidOption(`namespace ${JSON.stringify(name)} not found; kubectl get namespaces lists those of the hub`);
}

/** True also for a user who may not read namespaces. */
async function hasNamespace(hub: Hub, name: string): Promise<boolean> {
  try {
    return (await hub.get(namespaces, { namespace: '', name })) !== undefined;
  } catch (thrown) {
    if (asFault(thrown).reason === 'Forbidden') return true;
    throw thrown;
  }
}

/** The bindings of a namespace, or of the hub. Throws a terminal Fault if there are none because there is no such namespace. */
export async function listBindingsIn(hub: Hub, namespace: string | undefined): Promise<readonly PlacedBinding[]> {
  const key = ({ metadata }: PlacedBinding) => keyText(metadata);
  const all = [
    ...(await listAll(hub, placedBindings, key, namespace === undefined ? {} : { namespace })),
    ...(namespace === undefined ? await listAll(hub, placedClusterBindings, key) : []),
  ];
  if (all.length === 0) await requireNamespace(hub, namespace);
  return all;
}
