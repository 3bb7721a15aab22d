/** Decides what our scheduler writes of a binding that names it: nothing, that it holds, or where its replicas go. */
import type { Cluster } from '../../shared/model/assignment/cluster.ts';
import {
  ACTED_ON_TRIGGER,
  actedOn,
  countsRoom,
  possibleClusters,
  type Scheduling,
} from '../../shared/model/assignment/schedule-binding.ts';
import {
  decideScheduling,
  observedStatus,
  type SchedulingQuestion,
  schedulingText,
  specPatch,
  statusPatch,
} from '../../shared/model/assignment/scheduling-decision.ts';
import { whyDue } from '../../shared/model/assignment/why-due.ts';
import type { PlacedBinding } from '../../shared/model/placed-binding.ts';
import type { Instant } from '../../shared/model/time.ts';

/** A merge patch: of the binding itself, or of its status. */
export interface BindingChange {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

/** Undefined where there is nothing to write. */
interface SchedulingWrites {
  readonly spec: BindingChange | undefined;
  /** Of the binding as it is when its spec is written. */
  readonly status: (written: PlacedBinding) => object | undefined;
  readonly reason: string;
}

/** The clusters to ask how many more replicas they have room for: none where nothing is due, or room decides nothing. */
export function clustersToAsk(binding: PlacedBinding, clusters: readonly Cluster[]): readonly Cluster[] {
  const decides = countsRoom(binding) && whyDue(binding, clusters) !== undefined;
  return decides ? possibleClusters(binding, clusters) : [];
}

/** The spec first, as upstream: whoever reads the status finds the assignment there. */
export function planWrites(question: SchedulingQuestion, now: Instant): SchedulingWrites {
  const decision = decideScheduling(question);
  const { reason } = decision;
  if (decision.action === 'Leave') return { spec: undefined, status: () => undefined, reason };
  if (decision.action === 'Observe')
    return { spec: undefined, status: (written) => observedStatus(written, now), reason };
  const { scheduling } = decision;
  return {
    spec: specPatch(question.binding, scheduling, triggerNote(question.binding, scheduling)),
    status: (written) => statusPatch(written, scheduling, { generation: written.metadata.generation, now }),
    reason: `${reason}: ${schedulingText(scheduling)}`,
  };
}

/** Only with a success: where no cluster fits, the trigger is still to be acted on when one does. */
function triggerNote({ spec }: PlacedBinding, scheduling: Scheduling): Readonly<Record<string, string>> {
  const { rescheduleTriggeredAt: triggered } = spec;
  if (scheduling.outcome !== 'Success' || triggered == null) return {};
  return { [ACTED_ON_TRIGGER]: actedOn(triggered, scheduling.affinityName) };
}
