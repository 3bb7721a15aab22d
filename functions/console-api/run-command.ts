/** Decides what a write operation creates on a hub. */
import { ClusterDrainChanged, WorkloadRebalancerChanged } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import type { OutputOf } from '../../shared/console-api/operations.ts';
import { Fault } from '../../shared/core/fault.ts';
import type { NewObject, Written } from '../../shared/kubernetes/hub.ts';
import type { ObjectReference } from '../../shared/kubernetes/object-reference.ts';
import { distinctReferences } from '../../shared/kubernetes/object-reference.ts';
import { type NewDrain, newDrain } from '../../shared/rebalance-policy/new-drain.ts';
import { rebalanceSpec, type WorkloadRebalancer } from '../../shared/workload-rebalancer/workload-rebalancer.ts';

/** On a rebalancer created by an operation: the requesting user. */
const REQUESTED_BY = 'evenkeel.dev/requested-by';

export interface RebalanceCommand {
  readonly workloads: readonly ObjectReference[];
  readonly ttlSecondsAfterFinished?: number | undefined;
  /** The user (subjectText). */
  readonly by: string;
}

/** Our account may create and delete objects for users only if the optional permission was granted. */
export function rejectionOf(hub: string, what: string, fault: Fault): Fault {
  if (fault.reason !== 'Forbidden') return fault;
  const remedy = `grant it with evenkeel hub manifests --hub ${hub} --create-rebalancers, or do it with kubectl`;
  const message = `Evenkeel's account may not ${what} on hub ${hub}; ${remedy}`;
  return new Fault('terminal', message, { reason: 'Forbidden', cause: fault });
}

/** The same object as with kubectl, annotated with the requesting user, because its creator on the hub is our account. */
export function rebalancerOf({ workloads, ttlSecondsAfterFinished, by }: RebalanceCommand, id: string): NewObject {
  return {
    metadata: { name: `rebalance-${id}`, annotations: { [REQUESTED_BY]: by } },
    spec: rebalanceSpec(distinctReferences(workloads), ttlSecondsAfterFinished),
  };
}

/** As of `evenkeel drain`, annotated with the requesting user. */
export function drainOf(cluster: string, by: string): NewDrain {
  const drain = newDrain({ cluster });
  return { ...drain, metadata: { ...drain.metadata, annotations: { [REQUESTED_BY]: by } } };
}

/** The hub's hook ignores our own writes, so their events come from here. */
export function drainEvents(hub: string, drains: readonly { readonly name: string }[]): readonly EvenkeelEvent[] {
  return drains.map(({ name }) => ClusterDrainChanged.of({ hub, name }));
}

/** The rebalancer that a command created. The hub's hook ignores our own writes, so its event comes from here. */
export function created(
  hub: string,
  { metadata }: NewObject,
  written: Written<WorkloadRebalancer>,
): { readonly answer: OutputOf<'createRebalancer'>; readonly events: readonly EvenkeelEvent[] } {
  if (written.result !== 'done') {
    const message = `a WorkloadRebalancer ${metadata.name} is there already; ask again`;
    throw new Fault('retryable', message, { reason: 'Conflict' });
  }
  const { name, uid } = written.object;
  return { answer: { name, uid }, events: [WorkloadRebalancerChanged.of({ hub, name })] };
}
