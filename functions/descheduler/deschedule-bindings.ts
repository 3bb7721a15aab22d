/** Decides about one candidate: whether it is left alone, what is recorded of it, what is written, and what became of a write nobody saw the answer of. */
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import { whyDue } from '../../shared/model/assignment/why-due.ts';
import {
  DESCHEDULED_AT,
  type DecisionOutcome,
  type DeschedulingDecision,
  type RunKey,
} from '../../shared/model/descheduling.ts';
import { whyNoCandidate } from '../../shared/model/descheduling-candidate.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import type { Switch } from '../../shared/model/rescheduling-policy.ts';
import { type Instant, SECOND, toTimestamp } from '../../shared/model/time.ts';
import type { Eviction } from './decide-eviction.ts';

export interface Candidate {
  readonly binding: PlacedBinding;
  /** The last decision on it. */
  readonly last: DeschedulingDecision | undefined;
}

export interface Around {
  readonly clusters: readonly Cluster[];
  readonly now: Instant;
  readonly cooldownSeconds: number;
}

/** Why it is left alone before anybody is asked; undefined where it is not. */
export function whyLeave({ binding, last }: Candidate, { clusters, now, cooldownSeconds }: Around): string | undefined {
  const no = whyNoCandidate(binding);
  if (no !== undefined) return no;
  // What is pending may be what the scheduler is about to place.
  if (whyDue(binding, clusters) !== undefined) return 'the scheduler has not acted on its last change yet';
  // What was rebalanced is on its way: pods that are pending may be just starting.
  const rebalanced = binding.spec.rescheduleTriggeredAt;
  if (rebalanced != null && now - rebalanced < cooldownSeconds * SECOND) return 'it was rebalanced a short while ago';
  if (last?.outcome === 'Written' && now - last.decidedAt < cooldownSeconds * SECOND) return 'it is cooling down';
  return undefined;
}

/** What is recorded of an eviction; undefined where there is nothing to say, or it was said a short while ago. */
export function outcomeOf(
  { taken, wanted }: Eviction,
  { last }: Candidate,
  { position, now, cooldownSeconds }: { position: Switch; now: Instant; cooldownSeconds: number },
): DecisionOutcome | undefined {
  if (wanted === 0) return undefined;
  const outcome = position === 'DryRun' ? 'DryRun' : taken > 0 ? 'Planned' : 'Withheld';
  if (outcome === 'Planned') return outcome;
  const isRecent = last !== undefined && now - last.decidedAt < cooldownSeconds * SECOND;
  return isRecent && last.outcome === outcome ? undefined : outcome;
}

export function decisionOf(
  { hub, run }: RunKey,
  { binding }: Candidate,
  { eviction, outcome, now }: { eviction: Eviction; outcome: DecisionOutcome; now: Instant },
): DeschedulingDecision {
  const { namespace, name, resourceVersion } = binding.metadata;
  const { clusters, next, taken, reason } = eviction;
  return {
    hub,
    run,
    binding: { namespace, name },
    decidedAt: now,
    resourceVersion,
    clusters,
    next,
    taken,
    outcome,
    reason,
  };
}

/** The write: small, and only if the binding still is as it was read. */
export function evictionPatch({ resourceVersion, next, decidedAt }: DeschedulingDecision): object {
  const annotations = { [DESCHEDULED_AT]: toTimestamp(decidedAt) };
  return { metadata: { resourceVersion, annotations }, spec: { clusters: next } };
}

/**
 * What became of a decision whose write nobody saw the answer of. `write`: the binding is as it was read, so the write is
 * not in. If it holds what was to be written, it is in. Otherwise somebody wrote since, and whether before or after us
 * makes no difference to what is to be done now.
 */
export function afterWrite({ resourceVersion, next }: DeschedulingDecision, binding: PlacedBinding | undefined) {
  if (binding === undefined) return 'Superseded';
  if (binding.metadata.resourceVersion === resourceVersion) return 'write';
  const same = binding.spec.clusters.length === next.length;
  const holds = next.every(({ name, replicas }) =>
    binding.spec.clusters.some((cluster) => cluster.name === name && cluster.replicas === replicas),
  );
  return same && holds ? 'Written' : 'Superseded';
}
