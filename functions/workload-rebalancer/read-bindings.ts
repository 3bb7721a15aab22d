/** Reads the bindings of many workloads at once: namespaced and cluster-scoped kinds in one code path. */
import {
  type Binding,
  bindingKey,
  bindingResource,
  clusterResourceBindings,
  resourceBindings,
} from '../../shared/model/binding.ts';
import { DEADLINE_EXCEEDED } from '../../shared/model/deadline.ts';
import { type Fault, HUB_UNREACHABLE } from '../../shared/model/fault.ts';
import { keyText } from '../../shared/model/object-key.ts';
import type { ObjectReference } from '../../shared/model/object-reference.ts';
import type { SeenBinding } from '../../shared/model/rebalance-task.ts';
import type { Hub } from '../../shared/ports/hub.ts';

/** Finds a workload's binding among those read; undefined if the hub has none. */
export type BindingLookup = (workload: ObjectReference) => Binding | undefined;

/** `onFault` as in Hub.getMany. */
export async function readBindings(
  hub: Hub,
  workloads: readonly { workload: ObjectReference }[],
  onFault?: (fault: Fault) => void,
): Promise<BindingLookup> {
  const references = workloads.map(({ workload }) => workload);
  const read = await Promise.all(
    [resourceBindings, clusterResourceBindings].map(async (resource) => {
      const keys = references.filter((workload) => bindingResource(workload) === resource).map(bindingKey);
      const found = keys.length === 0 ? new Map<string, Binding>() : await hub.getMany(resource, keys, onFault);
      return [resource, found] as const;
    }),
  );
  const byResource = new Map(read);
  return (workload) => byResource.get(bindingResource(workload))?.get(keyText(bindingKey(workload)));
}

export function seenBinding({ key: _key, ...seen }: Binding): SeenBinding {
  return seen;
}

/**
 * The first fault that concerns the hub, and not one object or our own time limit. If nothing was read either, a plan
 * would only replace one message that waits for the hub with a hundred.
 */
export function hubIsAway(faults: readonly Fault[]): Fault | undefined {
  return faults.find(
    ({ retryClass, reason }) =>
      reason !== DEADLINE_EXCEEDED && (retryClass === 'limited' || reason === HUB_UNREACHABLE),
  );
}
