/** The part of a workload's replicas that a ClusterDrain with spec.percent moves off its cluster. */
import { digest } from '../core/digest.ts';
import type { PlacedBinding } from '../karmada/placed-binding.ts';
import { keyText } from '../kubernetes/object-key.ts';
import type { DrainShare } from './workload-rebalancer.ts';

/**
 * Annotation of a binding: "<uid of the ClusterDrain> <replicas before> <replicas moved>" of its last drains, the latest first, separated by commas. A later
 * percentage of a drain counts from it. Several clusters may be drained at once: with one drain only, each would have the others begin anew.
 */
export const DRAINED = 'evenkeel.dev/drained';
/** More than the clusters of most workloads. */
const KEPT = 8;

interface DrainedReplicas {
  readonly before: number;
  readonly moved: number;
}

/** How many of the replicas on the cluster are to move now; all of them without a share. */
export function leavingReplicas(binding: PlacedBinding, cluster: string, share: DrainShare | undefined): number {
  const replicas = replicasOn(binding, cluster);
  if (share === undefined) return replicas;
  const { before, moved } = drainedOf(binding, cluster, share);
  // A third of the workloads with one replica lose it, not all of them and not none: each rounds at a place of its own.
  const place = Number.parseInt(digest(keyText(binding.metadata)).slice(0, 8), 16) / 2 ** 32;
  const wanted = Math.floor((before * share.percent) / 100 + place);
  return Math.max(0, Math.min(replicas, wanted - moved));
}

/** Written with the move. */
export function drainedAnnotation(
  binding: PlacedBinding,
  cluster: string,
  share: DrainShare,
): Readonly<Record<string, string>> {
  const { before, moved } = drainedOf(binding, cluster, share);
  const others = entriesOf(binding).filter((entry) => !isOf(entry, share));
  const own = `${share.drain} ${before} ${moved + leavingReplicas(binding, cluster, share)}`;
  return { [DRAINED]: [own, ...others].slice(0, KEPT).join(', ') };
}

function replicasOn({ spec }: PlacedBinding, cluster: string): number {
  return spec.clusters.find(({ name }) => name === cluster)?.replicas ?? 0;
}

/** As the drain's last move has written it; before the first, none has moved. */
function drainedOf(binding: PlacedBinding, cluster: string, share: DrainShare): DrainedReplicas {
  const entry = entriesOf(binding).find((each) => isOf(each, share));
  const [, before, moved] = /^\S+ (\d+) (\d+)$/.exec(entry ?? '') ?? [];
  if (before === undefined) return { before: replicasOn(binding, cluster), moved: 0 };
  return { before: Number(before), moved: Number(moved) };
}

function entriesOf({ metadata }: PlacedBinding): readonly string[] {
  return (metadata.annotations[DRAINED] ?? '').split(', ').filter((entry) => entry !== '');
}

function isOf(entry: string, { drain }: DrainShare): boolean {
  return entry.startsWith(`${drain} `);
}
