/** Decides whether the last move of a workload is over: scheduled, ready, and without held replicas. */
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { readyIn, reportsOf, whyNotAssigned } from '../karmada/readiness.ts';
import { isTriggerPending, triggerStateOf } from '../karmada/trigger-state.ts';
import { heldUntilReplaced } from './replica-reduction.ts';

/** Undefined if it is over. */
export function whyUnfinished(binding: PlacedBinding): string | undefined {
  if (isTriggerPending(triggerStateOf(binding))) return 'the scheduler has not acted on its trigger';
  return whyNotReady(binding) ?? whyHeld(binding);
}

/** Undefined if every replica is assigned and ready. */
function whyNotReady(binding: PlacedBinding): string | undefined {
  const { spec } = binding;
  const unassigned = whyNotAssigned(binding);
  if (unassigned !== undefined) return unassigned;
  const reports = reportsOf(binding);
  for (const { name, replicas } of spec.clusters) {
    const ready = readyIn(reports.get(name), replicas);
    if (ready < replicas) return `${ready} of ${replicas} ready on ${name}`;
  }
  return undefined;
}

/** Held replicas count as in flight until they are removed. */
function whyHeld(binding: PlacedBinding): string | undefined {
  const [first] = heldUntilReplaced(binding);
  return first && `${first[1]} replicas on ${first[0]} are held until they are replaced`;
}
