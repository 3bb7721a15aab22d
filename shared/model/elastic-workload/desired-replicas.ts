/** Decides how many replicas each selected cluster is to have: its share by the distribution strategy, and what is lent where some can't have theirs. */
import { sum } from '../sum.ts';
import type { Limits } from './limits.ts';
import { type Party, shareReplicas } from './share-replicas.ts';

export interface Candidate {
  readonly cluster: string;
  readonly weight: number;
  /** What is written for it now, 0 where nothing is. */
  readonly holds: number;
  /** What the spoke was scaled to by its own people; that is not fought, within the ceiling. */
  readonly pin?: number;
  /** What it was seen to manage, where that is less than it was given. */
  readonly cap?: number;
}

export interface Question {
  readonly uid: string;
  readonly total: number;
  readonly limits: Limits;
  readonly candidates: readonly Candidate[];
}

export interface Desired {
  /** By the distribution strategy within the limits, as if every cluster managed what it is given. */
  readonly share: Numbers;
  readonly replicas: Numbers;
  /** Pins that say no other number than the cluster would have without them. */
  readonly needless: ReadonlySet<string>;
  /** What some clusters lack and nobody may take over. Where it was not taken away by a spoke's own people, it is left with them. */
  readonly unlent: number;
}

type Numbers = ReadonlyMap<string, number>;

export function desiredReplicas(question: Question): Desired {
  const { candidates, limits, total, uid } = question;
  const share = shareReplicas(
    total,
    candidates.map((candidate) => ({ ...candidate, ...limits })),
    uid,
  );
  if (limits.tiers.length === 0)
    return { share, replicas: withPins(share, question), unlent: 0, needless: equalPins(question, share) };
  const { fair, grown } = besideGrown(share, question);
  return { share, ...lend(fair, question), needless: equalPins(question, fair, grown) };
}

/** Where nothing is lent, a pin is no concern of the others. */
function withPins(share: Numbers, { candidates, limits }: Question): Numbers {
  return new Map(candidates.map(({ cluster, pin }) => [cluster, Math.min(pin ?? at(share, cluster), limits.ceiling)]));
}

function equalPins(
  { candidates }: Question,
  numbers: Numbers,
  grown: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const needless = candidates.filter(({ cluster, pin }) => pin === at(numbers, cluster) && !grown.has(cluster));
  return new Set(needless.map(({ cluster }) => cluster));
}

/**
 * What spokes scaled up by themselves they keep; the others share the rest. Less is left for those then, so that what was no more than
 * the share of a spoke may be more than it has left: until nobody is added.
 */
function besideGrown(
  share: Numbers,
  { candidates, limits, total, uid }: Question,
): { readonly fair: Numbers; readonly grown: ReadonlySet<string> } {
  let fair = share;
  const grown = new Set<string>();
  for (;;) {
    const more = candidates.filter(({ cluster, pin = 0 }) => !grown.has(cluster) && pin > at(fair, cluster));
    if (more.length === 0) return { fair, grown };
    for (const { cluster } of more) grown.add(cluster);
    const parties = candidates.map((candidate): Party => {
      const kept = Math.min(candidate.pin ?? 0, limits.ceiling);
      const bounds = grown.has(candidate.cluster) ? { weight: 1, floor: kept, ceiling: kept } : limits;
      return { ...candidate, ...bounds };
    });
    fair = shareReplicas(total, parties, uid);
  }
}

/**
 * Nobody gives up anything for what is lent: it comes on top, first where the balance strategy would have it first. In each tier the
 * next replica goes where the distribution strategy would send it.
 */
function lend(share: Numbers, { candidates, limits, total, uid }: Question): Pick<Desired, 'replicas' | 'unlent'> {
  const able = ({ cluster, pin, cap }: Candidate) =>
    Math.min(pin ?? Number.POSITIVE_INFINITY, cap ?? Number.POSITIVE_INFINITY, at(share, cluster));
  let held: Numbers = new Map(candidates.map((candidate) => [candidate.cluster, able(candidate)]));
  // Where the least of each is more than the total together, nobody needs what is beyond that.
  let missing = Math.max(Math.min(sum(share.values()), total) - sum(held.values()), 0);
  const lenders = candidates.filter(({ pin, cap }) => pin === undefined && cap === undefined);
  const backs = candidates.filter(({ pin }) => pin === undefined);
  const rounds = [
    ...limits.tiers.map((tier) => ({ to: lenders, most: () => tier })),
    { to: backs, most: ({ cluster }: Candidate) => at(share, cluster) },
  ];
  let unlent = missing;
  for (const [index, { to, most }] of rounds.entries()) {
    if (missing === 0) break;
    const given = grow(held, { to, most, missing, uid });
    missing -= sum(given.values()) - sum(held.values());
    held = given;
    if (index < limits.tiers.length) unlent = missing;
  }
  return { replicas: held, unlent };
}

interface Round {
  readonly to: readonly Candidate[];
  readonly most: (candidate: Candidate) => number;
  readonly missing: number;
  readonly uid: string;
}

function grow(held: Numbers, { to, most, missing, uid }: Round): Numbers {
  const parties = to.map((candidate) => {
    const floor = at(held, candidate.cluster);
    return { ...candidate, floor, ceiling: Math.max(floor, most(candidate)) };
  });
  const before = sum(parties.map(({ floor }) => floor));
  return new Map([...held, ...shareReplicas(before + missing, parties, uid)]);
}

function at(numbers: Numbers, cluster: string): number {
  return numbers.get(cluster) ?? 0;
}
