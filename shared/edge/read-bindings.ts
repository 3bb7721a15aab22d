/** Reads the bindings of many workloads at once: namespaced and cluster-scoped kinds in one code path. */
import {
  type Binding,
  bindingKey,
  bindingResource,
  clusterResourceBindings,
  resourceBindings,
} from '../model/binding.ts';
import type { Fault } from '../model/fault.ts';
import { keyText } from '../model/object-key.ts';
import type { ObjectReference } from '../model/object-reference.ts';
import type { ObservedBindings } from '../model/observed-bindings.ts';
import type { Hub } from '../ports/hub.ts';

/** Bindings that can't be read are absent; their faults are returned. */
export async function readBindings(
  hub: Hub,
  workloads: readonly { readonly workload: ObjectReference }[],
): Promise<ObservedBindings> {
  const faults: Fault[] = [];
  const references = workloads.map(({ workload }) => workload);
  const read = await Promise.all(
    [resourceBindings, clusterResourceBindings].map(async (resource) => {
      const keys = references.filter((workload) => bindingResource(workload) === resource).map(bindingKey);
      const onFault = (fault: Fault) => faults.push(fault);
      const found = keys.length === 0 ? new Map<string, Binding>() : await hub.getMany(resource, keys, onFault);
      return [resource, found] as const;
    }),
  );
  const byResource = new Map(read);
  const bindingOf = (workload: ObjectReference) =>
    byResource.get(bindingResource(workload))?.get(keyText(bindingKey(workload)));
  return { bindingOf, faults };
}
