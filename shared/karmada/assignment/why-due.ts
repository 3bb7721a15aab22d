/** Decides whether a binding is due for scheduling: by its placement, its assignment, a trigger or a deleted cluster. */

import { isSameJson, withoutEmpties } from '../../core/same-json.ts';
import { APPLIED_PLACEMENT, isWorkload, type PlacedBinding } from '../placed-binding.ts';
import type { Cluster } from './cluster.ts';
import { affinityInUse, goesEverywhere, modeOf } from './plan-scheduling.ts';

/** Why a binding is due; undefined if its assignment still holds. Bindings that follow all clusters are checked separately. */
export function whyDue(binding: PlacedBinding, clusters: readonly Cluster[]): string | undefined {
  const { spec, status, metadata } = binding;
  const applied = metadata.annotations[APPLIED_PLACEMENT];
  if (applied === undefined || status.lastScheduledTime == null) return 'it was never scheduled';
  if (placementChanged(binding, applied)) return 'its placement has changed';
  if (replicasChanged(binding)) return 'what is assigned is not what it asks for';
  if (modeOf(binding) === 'Fresh') return 'a rescheduling was asked for';
  const leaving = clusters.find(({ name, deleting }) => deleting && spec.clusters.some((held) => held.name === name));
  return leaving && `cluster ${leaving.name} is being deleted`;
}

/** Of clusterAffinities only the term in use counts: an edit of another term moves nothing. */
function placementChanged(binding: PlacedBinding, applied: string): boolean {
  const before = readApplied(applied);
  if (before === undefined) return true; // Written by another client.
  // karmada-scheduler records a policy with `clusterNames: []` without that field; compared as they are, the two would always differ.
  const now = withoutEmpties(binding.storedPlacement) as PlacementObject;
  if (isSameJson(now, before)) return false;
  const { clusterAffinities: terms, ...rest } = now;
  const { clusterAffinities: termsBefore, ...restBefore } = before;
  if (!isSameJson(rest, restBefore)) return true;
  const used = affinityInUse(binding);
  const inUse = (all: PlacementObject['clusterAffinities']) => all?.find(({ affinityName }) => affinityName === used);
  const [term, termBefore] = [inUse(terms), inUse(termsBefore)];
  return !used || term === undefined || !isSameJson(term, termBefore);
}

interface PlacementObject {
  readonly clusterAffinities?: readonly { readonly affinityName?: string }[];
}

function readApplied(annotation: string): PlacementObject | undefined {
  try {
    const note = withoutEmpties(JSON.parse(annotation));
    return typeof note === 'object' && note !== null ? note : undefined;
  } catch {
    return undefined;
  }
}

function replicasChanged(binding: PlacedBinding): boolean {
  const { clusters, replicas, placement } = binding.spec;
  if (!isWorkload(binding) || placement?.replicaScheduling == null) return false;
  if (goesEverywhere(binding)) return clusters.some((cluster) => cluster.replicas !== replicas);
  return clusters.reduce((sum, cluster) => sum + cluster.replicas, 0) !== replicas;
}
