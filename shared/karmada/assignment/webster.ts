/** Divides a number of seats by weight, as Karmada does since v1.15 (Webster, also called Sainte-Laguë): for every proportional assignment. */
import { fnv1a } from '../../core/fnv1a.ts';

export interface Party {
  readonly name: string;
  /** Whole and not negative; a party of weight 0 gets no seat. */
  readonly weight: number;
}

/** Which name wins where two parties have the same claim and the same number of seats. */
export type TieOrder = 'ascending' | 'descending';

interface Claimant {
  readonly name: string;
  readonly weight: number;
  seats: number;
  /** To the next seat. Each is compared several times, so it is not computed for each comparison. */
  claim: number;
}

/**
 * The order of names at a tie. Many workloads of one replica over equal clusters must not all land on the first name, so
 * the workload's uid chooses: an odd FNV-1a hash (32 bits) reverses the order. No uid: ascending.
 */
export function tieOrderOf(uid: string): TieOrder {
  if (uid === '') return 'ascending';
  return fnv1a(uid) % 2 === 1 ? 'descending' : 'ascending';
}

/**
 * Seats of each party; every party is in the result. Each next seat goes to the greatest weight / (2 × seats
 * held + 1); at a tie to the party that holds fewer, then by name.
 *
 * Example: 4 seats for A 1200, B 900, C 400. Claims in turn: A 1200; B 900; C 400 against A 400 (a tie: C holds none, so
 * C); A 400. A 2, B 1, C 1.
 */
export function divideByWebster(seats: number, parties: readonly Party[], ties: TieOrder): Map<string, number> {
  const shares = new Map<string, number>();
  const claimants: Claimant[] = [];
  for (const { name, weight } of parties) {
    shares.set(name, 0);
    if (weight > 0) claimants.push({ name, weight, seats: 0, claim: weight });
  }
  const left = seats - seatSafeShare(seats, claimants);
  seatOneByOne(left, claimants, ties);
  for (const { name, seats: held } of claimants) if (held > 0) shares.set(name, held);
  return shares;
}

/** A claim as upstream computes it, in doubles: what compares equal there must compare equal here. */
function claim(weight: number, seats: number): number {
  return weight / (2 * seats + 1);
}

/**
 * Assigns at once every seat whose claim is at least a threshold that fewer than `seats` claims can reach, and returns
 * their number. These are first in the order of claims regardless of ties, and they leave about one seat per party
 * to be assigned one by one: 1,000,000 seats for 1,000 parties are 1,000 divisions and about 1,000 single seats.
 *
 * With W the sum of weights, N parties and the divisor D = W / (seats - N/2), a party's seats are at most weight/D + 1/2, so
 * all together at most seats; and more than weight/D - 1/2, so all together more than seats - N.
 */
function seatSafeShare(seats: number, claimants: readonly Claimant[]): number {
  const rest = seats - claimants.length / 2;
  if (rest <= 0) return 0;
  // Slightly above D: far more than rounding errors of doubles, far less than a seat.
  const divisor = (claimants.reduce((sum, { weight }) => sum + weight, 0) / rest) * (1 + 1e-12);
  let given = 0;
  for (const claimant of claimants) {
    claimant.seats = Math.floor(claimant.weight / divisor + 0.5);
    while (claimant.seats > 0 && claim(claimant.weight, claimant.seats - 1) < divisor / 2) claimant.seats -= 1;
    claimant.claim = claim(claimant.weight, claimant.seats);
    given += claimant.seats;
  }
  return given;
}

function seatOneByOne(seats: number, claimants: Claimant[], ties: TieOrder): void {
  const before = (a: Claimant, b: Claimant): boolean => {
    if (a.claim !== b.claim) return a.claim > b.claim;
    if (a.seats !== b.seats) return a.seats < b.seats;
    return ties === 'ascending' ? a.name < b.name : a.name > b.name;
  };
  const heap = claimants;
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(heap, i, before);
  for (let i = 0; i < seats; i++) {
    const [first] = heap;
    if (first === undefined) return;
    first.seats += 1;
    first.claim = claim(first.weight, first.seats);
    sink(heap, 0, before);
  }
}

/** Moves the claimant at `index` down the heap until no child precedes it. */
function sink(heap: Claimant[], index: number, before: (a: Claimant, b: Claimant) => boolean): void {
  const moved = heap[index];
  let at = index;
  while (moved !== undefined) {
    const left = heap[2 * at + 1];
    const right = heap[2 * at + 2];
    const child = left !== undefined && right !== undefined && before(right, left) ? 2 * at + 2 : 2 * at + 1;
    const below = heap[child];
    if (below === undefined || !before(below, moved)) return;
    heap[at] = below;
    heap[child] = moved;
    at = child;
  }
}
