/** Decides for which bindings of a hub to query clusters. */
import { whyNoCandidate } from '../../shared/model/descheduling-candidate.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { readReschedulingPolicy, reschedulingWord, switchOf } from '../../shared/model/rescheduling-policy.ts';

export interface PolicySwitches {
  /** Annotations of policies, and switches of namespaces. */
  readonly annotations: ReadonlyMap<string, string>;
  readonly switches: ReadonlyMap<string, string>;
}

export type CandidateClass = 'candidate' | 'no candidate' | 'paused' | 'unknown policy';

/** Cheap checks first; a binding with an unsupported strategy is no candidate. */
export function classifyBinding(binding: PlacedBinding, { annotations, switches }: PolicySwitches): CandidateClass {
  const policy = readReschedulingPolicy(reschedulingWord(binding, annotations));
  if (policy === undefined) return 'unknown policy';
  if (policy === 'Never' || notDivisible(binding)) return 'no candidate';
  return switchOf(binding.metadata.namespace, switches) === 'Paused' ? 'paused' : 'candidate';
}

function notDivisible(binding: PlacedBinding): boolean {
  try {
    return whyNoCandidate(binding) !== undefined;
  } catch {
    return true; // An unsupported strategy: the scheduler reports it on the binding.
  }
}
