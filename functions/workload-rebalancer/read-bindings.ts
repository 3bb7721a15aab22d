/** Reads the bindings of many workloads at once: namespaced and cluster-scoped kinds in one code path. */
import {
  type Binding,
  bindingKey,
  bindingResource,
  clusterResourceBindings,
  resourceBindings,
} from '../../shared/model/binding.ts';
import { keyText } from '../../shared/model/object-key.ts';
import type { ObjectReference } from '../../shared/model/object-reference.ts';
import type { SeenBinding } from '../../shared/model/rebalance-task.ts';
import type { Hub } from '../../shared/ports/hub.ts';

/** Looks up a workload's binding among those read; undefined where the hub has none. */
export type BindingLookup = (workload: ObjectReference) => Binding | undefined;

export async function readBindings(
  hub: Hub,
  workloads: readonly { workload: ObjectReference }[],
): Promise<BindingLookup> {
  const references = workloads.map(({ workload }) => workload);
  const read = await Promise.all(
    [resourceBindings, clusterResourceBindings].map(async (resource) => {
      const keys = references.filter((workload) => bindingResource(workload) === resource).map(bindingKey);
      return [resource, keys.length === 0 ? new Map<string, Binding>() : await hub.getMany(resource, keys)] as const;
    }),
  );
  const byResource = new Map(read);
  return (workload) => byResource.get(bindingResource(workload))?.get(keyText(bindingKey(workload)));
}

export function seenBinding({ key: _key, ...seen }: Binding): SeenBinding {
  return seen;
}
