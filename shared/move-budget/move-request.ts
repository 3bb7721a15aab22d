/** Makes the request of a move: how many replicas leave each cluster. */
import type { ClusterReplicas } from '../karmada/assignment/assign-replicas.ts';
import { MOVE_LIMIT } from '../rebalance-policy/rebalance-policy.ts';
import type { Candidate } from '../rebalance-policy/select-workloads.ts';
import type { MoveRequest } from './budget.ts';

/** The binding's annotation has precedence over that of its workload. */
export function moveRequest(
  { binding: { metadata, spec }, metadata: ofWorkload }: Candidate,
  move: Pick<MoveRequest, 'reason' | 'mover' | 'leaves'>,
): MoveRequest {
  const { namespace, name, generation, annotations } = metadata;
  const ownLimit = annotations[MOVE_LIMIT] ?? ofWorkload?.moveLimit;
  return {
    binding: { namespace, name },
    generation,
    replicas: spec.replicas,
    ...move,
    ...(ownLimit !== undefined && { ownLimit }),
  };
}

/** By cluster, without those that keep all. `staying`: how many stay. */
export function leaving(
  assigned: readonly ClusterReplicas[],
  staying: (cluster: ClusterReplicas) => number,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    assigned.flatMap((cluster) => {
      const leaves = cluster.replicas - staying(cluster);
      return leaves > 0 ? [[cluster.name, leaves] as const] : [];
    }),
  );
}

/** A wave by its name, which no other has; a user's by name and uid. */
export function moverOfRebalancer(name: string): string {
  return `WorkloadRebalancer ${name}`;
}
