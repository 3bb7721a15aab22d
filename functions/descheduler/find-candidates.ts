/** Decides which bindings of a hub are worth asking clusters about. */
import { whyNoCandidate } from '../../shared/model/descheduling-candidate.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import { readReschedulingPolicy, reschedulingWord, switchOf } from '../../shared/model/rescheduling-policy.ts';

export interface Sight {
  /** Annotations of policies, and switches of namespaces. */
  readonly words: ReadonlyMap<string, string>;
  readonly switches: ReadonlyMap<string, string>;
}

export type Verdict = 'candidate' | 'no candidate' | 'paused' | 'unknown policy';

/** The cheap questions first; a binding that cannot be divided as it says is none. */
export function judge(binding: PlacedBinding, { words, switches }: Sight): Verdict {
  const policy = readReschedulingPolicy(reschedulingWord(binding, words));
  if (policy === undefined) return 'unknown policy';
  if (policy === 'Never' || notDivisible(binding)) return 'no candidate';
  return switchOf(binding.metadata.namespace, switches) === 'Paused' ? 'paused' : 'candidate';
}

function notDivisible(binding: PlacedBinding): boolean {
  try {
    return whyNoCandidate(binding) !== undefined;
  } catch {
    return true; // A strategy that nobody knows: the scheduler says so on the binding.
  }
}
