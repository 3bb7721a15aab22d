/** Decides the next step from what is written to what is wanted, by the order in which replicas may move: grow first (Bursty) or shrink first (Conservative). */
import { sum } from '../sum.ts';
import { shareReplicas } from './share-replicas.ts';

export interface Place {
  readonly cluster: string;
  /** What is wanted there; 0 where the PlacementDecision does not name it any more. */
  readonly wanted: number;
  readonly written: number;
  /** Of what is written, how much may be left there for now: nothing where it can't be, or nobody would hear of it. */
  readonly keepable: number;
  readonly ready: number;
  /** Its replicas as its spoke was last seen to have them, whatever was written since; 0 where that can't be learned: it is not waited for. */
  readonly occupied: number;
  /** What it was seen to manage, where that is less than it was given: more is not waited for. */
  readonly cap?: number;
}

export type Transfer = 'Bursty' | 'Conservative';

export interface Step {
  /** The number to be written for each place. */
  readonly next: ReadonlyMap<string, number>;
  /** Replicas that still are to move, and do not yet. */
  readonly waiting: number;
}

export function planTransfer(transfer: Transfer, places: readonly Place[], uid: string): Step {
  const next = transfer === 'Bursty' ? growFirst(places) : shrinkFirst(places, uid);
  const waiting = sum(places.map(({ cluster, wanted }) => Math.abs((next.get(cluster) ?? 0) - wanted)));
  return { next, waiting };
}

/**
 * Everybody grows at once; who is to shrink keeps one replica for each that is wanted and not ready yet, those that are ready first.
 * So what is ready never falls below the total, unless it is below already. Nobody waits for more than a cluster was seen to manage,
 * or one that is full everywhere else could never be left.
 */
function growFirst(places: readonly Place[]): ReadonlyMap<string, number> {
  const expected = places.map(({ wanted, cap = Number.POSITIVE_INFINITY }) => Math.min(wanted, cap));
  const there = places.map(({ ready }, i) => Math.min(expected[i] ?? 0, ready));
  let owed = Math.max(sum(expected) - sum(there), 0);
  const kept = new Map<string, number>();
  const spare = (bound: (place: Place) => number) => {
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
 * Everybody shrinks at once; who is to grow gets what is seen to be free, first who has fewest. So there never are more than the total,
 * unless there are already. A spoke that has more than is written, since its own people scaled it, grows by nothing where that is written.
 */
function shrinkFirst(places: readonly Place[], uid: string): ReadonlyMap<string, number> {
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
