/** Whether a workload asks that nothing of it is taken away until its replacement is ready. */
import type { PlacedBinding } from './placed-binding.ts';

/** On a binding or a policy, where the hub's CRDs prune spec.replicaReductionStrategy. */
const REPLICA_REDUCTION = 'evenkeel.dev/replica-reduction-strategy';

/** Undefined where it asks for none. */
export function reductionStrategyOf({ metadata, spec }: PlacedBinding): 'DelayWorkDeletion' | undefined {
  const word = spec.replicaReductionStrategy ?? metadata.annotations[REPLICA_REDUCTION];
  return word === 'DelayWorkDeletion' ? word : undefined;
}
