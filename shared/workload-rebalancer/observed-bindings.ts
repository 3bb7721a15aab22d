/** The result of one bulk read of many workloads' bindings. */

import { DEADLINE_EXCEEDED } from '../core/deadline.ts';
import { type Fault, HUB_UNREACHABLE } from '../core/fault.ts';
import type { Binding } from '../karmada/binding.ts';
import { type ObjectReference, referenceKey } from '../kubernetes/object-reference.ts';
import type { SeenBinding } from './rebalance-task.ts';

export interface ObservedBindings {
  /** Undefined if the hub has none, or if it could not be read. */
  readonly bindingOf: (workload: ObjectReference) => Binding | undefined;
  readonly faults: readonly Fault[];
}

/** What is kept of a workload's binding. */
export function seenBinding({ key: _key, resource, ...seen }: Binding, workload: ObjectReference): SeenBinding {
  const isAnother = resource !== undefined && referenceKey(resource) !== referenceKey(workload);
  return { ...seen, ...(isAnother && { resource }) };
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
