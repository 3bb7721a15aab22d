/** Decides the next step from the written to the desired replicas, by the order in which replicas may move: grow first (Bursty) or shrink first (Conservative). */
import { sum } from '../core/sum.ts';
import { shareReplicas } from './share-replicas.ts';

export interface TransferCluster {
  readonly cluster: string;
  /** Desired replicas; 0 if the PlacementDecision no longer names the cluster. */
  readonly wanted: number;
  readonly written: number;
  /** How many of the written replicas may stay for now: 0 if they can't, or the cluster is unreachable. */
  readonly keepable: number;
  readonly ready: number;
  /** The last reported replicas on the managed cluster, regardless of later writes; 0 if they can't be read: the step does not wait for it. */
  readonly occupied: number;
  /** Learned capacity limit: the step does not wait for more. */
  readonly cap?: number;
}

export type Transfer = 'Bursty' | 'Conservative';

export interface Step {
  /** The number to write for each cluster. */
  readonly next: ReadonlyMap<string, number>;
  /** Replicas that are still to move after this step. */
  readonly waiting: number;
}

export function planTransfer(transfer: Transfer, places: readonly TransferCluster[], uid: string): Step {
  const next = transfer === 'Bursty' ? growFirst(places) : shrinkFirst(places, uid);
  const waiting = sum(places.map(({ cluster, wanted }) => Math.abs((next.get(cluster) ?? 0) - wanted)));
  return { next, waiting };
}

/**
 * All clusters grow at once; clusters that shrink keep one replica for each desired replica that is not ready yet, clusters with ready replicas first.
 * So ready replicas never drop below the total, unless they already are. A learned capacity limit bounds the wait,
 * because otherwise a cluster could never be left while all others are full.
 */
function growFirst(places: readonly TransferCluster[]): ReadonlyMap<string, number> {
  const expected = places.map(({ wanted, cap = Number.POSITIVE_INFINITY }) => Math.min(wanted, cap));
  const there = places.map(({ ready }, i) => Math.min(expected[i] ?? 0, ready));
  let owed = Math.max(sum(expected) - sum(there), 0);
  const kept = new Map<string, number>();
  const spare = (bound: (place: TransferCluster) => number) => {
    for (const place of places) {
      const has = kept.get(place.cluster) ?? 0;
      const keeps = Math.min(Math.max(bound(place) - place.wanted - has, 0), owed);
      kept.set(place.cluster, has + keeps);
      owed -= keeps;
    }
  };
  spare(({ keepable, ready }) => Math.min(keepable, ready));
  spare(({ keepable }) => keepable);
  return new Map(places.map(({ cluster, wanted }) => [cluster, wanted + (kept.get(cluster) ?? 0)]));
}

/**
 * All clusters shrink at once; clusters that grow get the freed replicas, those with the fewest first. So the total is never exceeded,
 * unless it already is. A cluster that was scaled above its written number does not grow.
 */
function shrinkFirst(places: readonly TransferCluster[], uid: string): ReadonlyMap<string, number> {
  const shrunk = places.map((place) => ({
    ...place,
    floor: Math.min(place.wanted, Math.max(place.written, place.occupied)),
  }));
  const taken = shrunk.map(({ floor, occupied }) => Math.max(floor, occupied));
  const total = sum(places.map(({ wanted }) => wanted));
  const free = Math.max(total - sum(taken), 0);
  const parties = shrunk.map(({ cluster, floor, wanted }) => ({
    cluster,
    floor,
    ceiling: wanted,
    weight: 1,
    holds: floor,
  }));
  return shareReplicas(sum(shrunk.map(({ floor }) => floor)) + free, parties, uid);
}
