/** Reads the bindings of many workloads at once: namespaced and cluster-scoped kinds in one code path. */

import type { Fault } from '../core/fault.ts';
import {
  type Binding,
  bindingKey,
  bindingResource,
  clusterResourceBindings,
  resourceBindings,
} from '../karmada/binding.ts';
import type { Hub } from '../kubernetes/hub.ts';
import { keyText } from '../kubernetes/object-key.ts';
import type { ObjectReference } from '../kubernetes/object-reference.ts';
import type { ObservedBindings } from './observed-bindings.ts';

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
