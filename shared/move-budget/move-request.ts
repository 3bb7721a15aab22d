/** Makes the request of a move: how many replicas leave each cluster. */
import { ownValue } from '../core/own-value.ts';
import { isReducedGracefully } from '../graceful-reduction/reduction-policy.ts';
import type { ClusterReplicas } from '../karmada/assignment/assign-replicas.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { readyIn, reportsOf } from '../karmada/readiness.ts';
import { MOVE_LIMIT } from '../rebalance-policy/rebalance-policy.ts';
import type { Candidate } from '../rebalance-policy/select-workloads.ts';
import type { MoveRequest } from './budget.ts';
import type { WorkloadDisruptions } from './disruption-budget.ts';

/** The value of MOVE_LIMIT: the binding's annotation has precedence over that of its workload. */
export function ownLimitOf({ binding, metadata: ofWorkload }: Candidate): string | undefined {
  return binding.metadata.annotations[MOVE_LIMIT] ?? ofWorkload?.moveLimit;
}

export function moveRequest(
  candidate: Candidate,
  move: Pick<MoveRequest, 'reason' | 'mover' | 'leaves'>,
  disruptions?: readonly WorkloadDisruptions[],
): MoveRequest {
  const { binding, metadata: ofWorkload } = candidate;
  const { metadata, spec } = binding;
  const { namespace, name, generation } = metadata;
  const ownLimit = ownLimitOf(candidate);
  return {
    binding: { namespace, name },
    generation,
    replicas: spec.replicas,
    ...move,
    ...(ownLimit !== undefined && { ownLimit }),
    ...(ofWorkload?.isScaledByClient && { scaledAt: binding.propagatedAt }),
    ...(disruptions && { disruptions, disrupts: readyLeaves(binding, move.leaves) }),
  };
}

/** Pods that are not ready are removed first. None are lost where graceful reduction keeps them until others are ready. */
function readyLeaves(
  binding: PlacedBinding,
  leaves: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  if (isReducedGracefully(binding)) return {};
  const reports = reportsOf(binding);
  return leaving(binding.spec.clusters, ({ name, replicas }) => {
    const staying = replicas - (ownValue(leaves, name) ?? 0);
    return replicas - Math.max(0, readyIn(reports.get(name), replicas) - staying);
  });
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
