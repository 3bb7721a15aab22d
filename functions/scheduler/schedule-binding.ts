/** Decides which changed bindings our scheduler assigns, and the outcome of each event. */
import type { ItemResult } from '../../shared/core/each-at-once.ts';
import type { Fault } from '../../shared/core/fault.ts';
import type { Outcome } from '../../shared/core/invocation.ts';
import { isOurs } from '../../shared/karmada/assignment/scheduling-decision.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { BindingToAssign } from '../../shared/scheduler/decide-assignments.ts';

/** A changed binding: absent if it does not exist. */
type ReadBinding = ItemResult<unknown, PlacedBinding | undefined>;

/** The bindings of our scheduler among those that were read. */
export function toAssign(read: readonly ReadBinding[]): readonly BindingToAssign[] {
  return read.flatMap(({ value: binding }) => (binding !== undefined && isOurs(binding) ? [{ binding }] : []));
}

interface AssignedBinding {
  readonly item: BindingToAssign;
  readonly reason: string;
  readonly fault?: Fault;
  readonly unwritten?: string;
}

/** In the order of `read`. */
export function outcomesOf(
  read: readonly ReadBinding[],
  assigned: readonly AssignedBinding[],
): readonly (Outcome | Fault)[] {
  const byBinding = new Map(assigned.map((each) => [each.item.binding, each]));
  return read.map(({ value: binding, fault }) => {
    if (fault !== undefined) return fault;
    const result = binding && byBinding.get(binding);
    if (result !== undefined) return outcomeOf(result);
    return { reason: binding === undefined ? 'the binding is gone' : 'it is not for this scheduler' };
  });
}

function outcomeOf({ reason, fault, unwritten }: AssignedBinding): Outcome | Fault {
  return fault ?? { reason, ...(unwritten !== undefined && { fields: { unwritten } }) };
}
