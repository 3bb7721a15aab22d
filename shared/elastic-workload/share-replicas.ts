/** Shares replicas among clusters by weight, within a floor and a ceiling for each: exact, stable, and with the fewest moves. */
import { fnv1a } from '../core/fnv1a.ts';
import { sum } from '../core/sum.ts';

export interface ShareParty {
  readonly cluster: string;
  /** Whole and not negative; a party of weight 0 gets its floor and no more. */
  readonly weight: number;
  readonly floor: number;
  /** At least the floor; may be infinite. */
  readonly ceiling: number;
  /** Current replicas: at a tie, the next replica goes to the party that already has it. */
  readonly holds: number;
}

/**
 * Replicas of each cluster: their sum is `total`, unless the floors add up to more or the ceilings to less.
 *
 * Every party gets its floor; each further replica goes to the greatest claim weight / (2 × replicas + 1) among those below their
 * ceiling (Webster). With equal weights that is max-min: parties differ by at most one. At a tie it goes to the party
 * that already has it, then to the one with fewer, then by a hash of the cluster and `uid`, so that many workloads of one replica do not
 * all land on the first name.
 *
 * Example: 6 by 1:2 within 2 and 3. Both have 2; the next goes to B (2/5 before 1/5), which is then full, the last to A: 3 and 3.
 */
export function shareReplicas(total: number, parties: readonly ShareParty[], uid: string): ReadonlyMap<string, number> {
  const bounded = parties.map((party): Bounded => ({ ...party, most: party.weight > 0 ? party.ceiling : party.floor }));
  const floors = sum(bounded.map(({ floor }) => floor));
  const ceilings = sum(bounded.map(({ most }) => most));
  const seats = Math.min(Math.max(total, floors), ceilings);
  if (seats === ceilings) return new Map(bounded.map(({ cluster, most }) => [cluster, most]));
  if (seats === floors) return new Map(bounded.map(({ cluster, floor }) => [cluster, floor]));
  return seat(seats, bounded, uid);
}

interface Bounded extends ShareParty {
  /** The ceiling, or the floor if the weight is 0. */
  readonly most: number;
}

/**
 * Searches for the claim at which the seats run out: all claims above it are seated, those at it in order. The interval is
 * halved until each party has at most one claim in it, or, for very close claims, until its ends are adjacent doubles,
 * which two claims of one party never are.
 */
function seat(seats: number, parties: readonly Bounded[], uid: string): ReadonlyMap<string, number> {
  let [few, many] = [Math.max(...parties.map(({ weight }) => weight)), 0];
  let seated = parties.map((party) => above(few, party));
  let beyond = parties.map((party) => above(many, party));
  for (let i = 0; i < 100 && beyond.some((count, index) => count - (seated[index] ?? 0) > 1); i++) {
    const between = (few + many) / 2;
    const counts = parties.map((party) => above(between, party));
    if (sum(counts) <= seats) [few, seated] = [between, counts];
    else [many, beyond] = [between, counts];
  }
  const left = seats - sum(seated);
  const atTheLine = parties.flatMap((party, index): ShareClaimant[] => {
    const has = seated[index] ?? 0;
    return (beyond[index] ?? 0) > has ? [{ party, has, hash: fnv1a(`${party.cluster}/${uid}`) }] : [];
  });
  const result = new Map(parties.map(({ cluster }, index) => [cluster, seated[index] ?? 0]));
  for (const { party, has } of atTheLine.sort(inOrder).slice(0, left)) result.set(party.cluster, has + 1);
  return result;
}

/** Seats of the party if all its claims above `line` are seated. */
function above(line: number, { weight, floor, most }: Bounded): number {
  if (weight <= line || most === floor) return floor;
  if (line === 0 || weight / (2 * most - 1) > line) return most;
  let count = Math.ceil((weight / line - 1) / 2);
  // Rounding may be off by one, so claims are compared directly.
  while (weight / (2 * count + 1) > line) count += 1;
  while (weight / (2 * count - 1) <= line) count -= 1;
  return Math.min(Math.max(count, floor), most);
}

interface ShareClaimant {
  readonly party: ShareParty;
  readonly has: number;
  readonly hash: number;
}

function inOrder(a: ShareClaimant, b: ShareClaimant): number {
  const [left, right] = [a.party.weight / (2 * a.has + 1), b.party.weight / (2 * b.has + 1)];
  if (left !== right) return right - left;
  const [heldLeft, heldRight] = [a.party.holds > a.has, b.party.holds > b.has];
  if (heldLeft !== heldRight) return heldLeft ? -1 : 1;
  if (a.has !== b.has) return a.has - b.has;
  if (a.hash !== b.hash) return a.hash - b.hash;
  return a.party.cluster < b.party.cluster ? -1 : 1;
}
