/** Decides what our scheduler writes to its binding: nothing, the observed generation, or a new assignment. */

import { Fault } from '../../shared/core/fault.ts';
import type { TelemetryEntry } from '../../shared/core/telemetry.ts';
import type { Instant } from '../../shared/core/time.ts';
import type { Cluster } from '../../shared/karmada/assignment/cluster.ts';
import {
  ACTED_ON_TRIGGER,
  actedOn,
  countsCapacity,
  possibleClusters,
  type Scheduling,
} from '../../shared/karmada/assignment/plan-scheduling.ts';
import {
  decideScheduling,
  observedStatus,
  type SchedulingInput,
  schedulingText,
  specPatch,
  statusPatch,
} from '../../shared/karmada/assignment/scheduling-decision.ts';
import { whyDue } from '../../shared/karmada/assignment/why-due.ts';
import type { PlacedBinding } from '../../shared/karmada/placed-binding.ts';
import type { Patch, Written } from '../../shared/kubernetes/hub.ts';

/** A merge patch of the binding, or of its status. */
export interface BindingChange {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

/** Undefined if there is nothing to write. */
interface SchedulingWrites {
  readonly spec: BindingChange | undefined;
  /** The change of its status after its spec was written. */
  readonly status: (written: PlacedBinding) => BindingChange | undefined;
  readonly reason: string;
}

/** The clusters whose estimators are queried: none if the binding is not due, or capacity does not matter. */
export function clustersToAsk(binding: PlacedBinding, clusters: readonly Cluster[]): readonly Cluster[] {
  const decides = countsCapacity(binding) && whyDue(binding, clusters) !== undefined;
  return decides ? possibleClusters(binding, clusters) : [];
}

/** The spec first, as upstream: clients that read the status find the assignment. */
export function planWrites(input: SchedulingInput, now: Instant): SchedulingWrites {
  const decision = decideScheduling(input);
  const { reason } = decision;
  if (decision.action === 'Leave') return { spec: undefined, status: () => undefined, reason };
  if (decision.action === 'Observe')
    return { spec: undefined, status: (written) => statusChange(observedStatus(written, now)), reason };
  const { scheduling } = decision;
  return {
    spec: specPatch(input.binding, scheduling, triggerNote(input.binding, scheduling)),
    status: (written) =>
      statusChange(statusPatch(written, scheduling, { generation: written.metadata.generation, now })),
    reason: `${reason}: ${schedulingText(scheduling)}`,
  };
}

function statusChange(status: object | undefined): BindingChange | undefined {
  return status && { status };
}

/** Conditional on the version that was read. */
export function patchOf({ metadata: { resourceVersion } }: PlacedBinding, change: BindingChange): Patch {
  const merge = { ...change, metadata: { ...change.metadata, resourceVersion } };
  return change.status === undefined ? { merge } : { merge, subresource: 'status' };
}

/** After a conflict the message is redelivered, so that the decision is based on a new read. A deleted binding needs nothing. */
export function afterPatch(binding: PlacedBinding, written: Written<PlacedBinding>): PlacedBinding {
  if (written.result === 'conflict')
    throw new Fault('retryable', `binding ${binding.metadata.name} changed under the write`, { reason: 'Conflict' });
  return written.result === 'done' ? written.object : binding;
}

/** One line per cluster whose estimator did not answer. */
export function silentEstimators(hub: string, faults: ReadonlyMap<string, Fault>): readonly TelemetryEntry[] {
  return [...faults].map(([cluster, { reason, message: error }]) => ({
    code: 'EK310',
    fields: { hub, cluster, reason, error },
  }));
}

/** Only for a success: if no cluster fits, the trigger stays pending until one does. */
function triggerNote({ spec }: PlacedBinding, scheduling: Scheduling): Readonly<Record<string, string>> {
  const { rescheduleTriggeredAt: triggered } = spec;
  if (scheduling.outcome !== 'Success' || triggered == null) return {};
  return { [ACTED_ON_TRIGGER]: actedOn(triggered, scheduling.affinityName) };
}
