/** Decides what is created on a hub for an order. */
import { Fault } from '../../shared/model/fault.ts';
import type { ObjectReference } from '../../shared/model/object-reference.ts';
import { distinctReferences } from '../../shared/model/object-reference.ts';
import { rebalanceSpec } from '../../shared/model/workload-rebalancer.ts';
import type { NewObject } from '../../shared/ports/hub.ts';

export interface RebalanceOrder {
  readonly workloads: readonly ObjectReference[];
  readonly ttlSecondsAfterFinished?: number | undefined;
}

/** Only where it is asked for may our account create rebalancers for people. */
export function refusalOf(hub: string, fault: Fault): Fault {
  if (fault.reason !== 'Forbidden') return fault;
  const wayOut = `grant it with evenkeel hub manifests --hub ${hub} --orders, or create the object by kubectl`;
  const message = `Evenkeel's account may not create WorkloadRebalancers on hub ${hub}; ${wayOut}`;
  return new Fault('terminal', message, { reason: 'Forbidden', cause: fault });
}

/** As kubectl would create it: the standard object, in which nothing tells where it came from. */
export function rebalancerOf({ workloads, ttlSecondsAfterFinished }: RebalanceOrder, id: string): NewObject {
  return {
    metadata: { name: `rebalance-${id}` },
    spec: rebalanceSpec(distinctReferences(workloads), ttlSecondsAfterFinished),
  };
}
