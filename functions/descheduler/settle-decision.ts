/** Decides how a recorded decision ends: by the response of its write, or by its binding if there was no response. */
import { BindingChanged } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import type { Fault } from '../../shared/core/fault.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import { toTimestamp } from '../../shared/core/time.ts';
import { DESCHEDULED_AT, type DeschedulingDecision } from '../../shared/descheduling/descheduling.ts';
import { isOurs } from '../../shared/karmada/assignment/scheduling-decision.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { Written } from '../../shared/kubernetes/hub.ts';

/** A decision in its final state. */
export interface Settlement {
  readonly decision: DeschedulingDecision;
  readonly events: readonly EvenkeelEvent[];
  readonly telemetry: readonly TelemetryEntry[];
}

/** A small write, conditional on the version that was read. */
export function evictionPatch({ resourceVersion, next, decidedAt }: DeschedulingDecision): object {
  const annotations = { [DESCHEDULED_AT]: toTimestamp(decidedAt) };
  return { metadata: { resourceVersion, annotations }, spec: { clusters: next } };
}

/** What completes the last decision on a binding: its write, its settlement, or nothing. */
export function resumeDecision(
  last: DeschedulingDecision | undefined,
  binding: PlacedBinding | undefined,
): { readonly write?: DeschedulingDecision; readonly settlement?: Settlement } {
  if (last?.outcome !== 'Planned') return {};
  const outcome = outcomeOn(binding, last);
  return outcome === undefined ? { write: last } : { settlement: settlementOf({ ...last, outcome }, binding) };
}

/** Reading the written binding throws a Fault if it is invalid. */
export function afterResponse(decision: DeschedulingDecision, written: Written<PlacedBinding>): Settlement {
  if (written.result !== 'done') return settlementOf({ ...decision, outcome: 'Superseded' });
  return settlementOf({ ...decision, outcome: 'Written' }, written.object);
}

/** After an error `binding` shows whether the write succeeded. If the hub rejected it, the decision is withheld: the next run may retry. */
export function afterError(
  decision: DeschedulingDecision,
  binding: PlacedBinding | undefined,
  { message }: Fault,
): Settlement {
  const outcome = outcomeOn(binding, decision);
  if (outcome !== undefined) return settlementOf({ ...decision, outcome }, binding);
  return settlementOf({ ...decision, outcome: 'Withheld', reason: `the write failed: ${message}` });
}

/**
 * The outcome of a decision whose write had no response. Undefined: the binding is unchanged, so the write did not
 * succeed. If it has the new assignment, the write succeeded. Otherwise another client changed it; the order of
 * the two writes does not matter now.
 */
function outcomeOn(
  binding: PlacedBinding | undefined,
  { resourceVersion, next }: DeschedulingDecision,
): 'Written' | 'Superseded' | undefined {
  if (binding === undefined) return 'Superseded';
  if (binding.metadata.resourceVersion === resourceVersion) return undefined;
  const same = binding.spec.clusters.length === next.length;
  const holds = next.every(({ name, replicas }) =>
    binding.spec.clusters.some((cluster) => cluster.name === name && cluster.replicas === replicas),
  );
  return same && holds ? 'Written' : 'Superseded';
}

/** The hub's hook ignores our own writes, so our scheduler gets an event from here. */
function settlementOf(decision: DeschedulingDecision, binding?: PlacedBinding): Settlement {
  const { hub, taken: value } = decision;
  const isWritten = decision.outcome === 'Written';
  const isForUs = isWritten && binding !== undefined && isOurs(binding);
  return {
    decision,
    events: isForUs ? [BindingChanged.of({ hub, ...decision.binding })] : [],
    telemetry: isWritten ? [{ metric: 'ReplicasDescheduled', value, dimensions: { hub } }] : [],
  };
}
