/** What each cluster is to have by what is known of all; balance-replicas.test.ts has the same over time. */
import { describe, expect, it } from 'vitest';
import { type Candidate, desiredReplicas } from '../../../../shared/model/elastic-workload/desired-replicas.ts';
import { type Limits, limitsOf } from '../../../../shared/model/elastic-workload/limits.ts';
import { none, specOf } from './spokes.ts';

const upTo = (max: number) => limitsFor({ type: 'LimitRange', limitRange: { max } });

function limitsFor(balance: object): Limits {
  return limitsOf(specOf({ total: 12, balance }).balanceStrategy);
}

/** Twelve replicas on a, b and c; `known` is what a test says of them. */
function desired(limits: Limits, known: Readonly<Record<string, Partial<Candidate>>>) {
  const candidates = ['a', 'b', 'c'].map((cluster) => ({ cluster, weight: 1, holds: 4, ...known[cluster] }));
  const { share, replicas, needless, unlent } = desiredReplicas({ uid: 'uid', total: 12, limits, candidates });
  expect(Object.fromEntries(share)).toEqual({ a: 4, b: 4, c: 4 });
  return { replicas: Object.fromEntries(replicas), needless: [...needless], unlent };
}

describe('desiredReplicas', () => {
  it.each<[string, Partial<Candidate>, object]>([
    ['was scaled up', { pin: 6 }, { replicas: { a: 4, b: 6, c: 4 }, needless: [], unlent: 0 }],
    ['was scaled down', { pin: 1 }, { replicas: { a: 4, b: 1, c: 4 }, needless: [], unlent: 0 }],
    ['was scaled to its share', { pin: 4 }, { replicas: { a: 4, b: 4, c: 4 }, needless: ['b'], unlent: 0 }],
    ['does not manage its share', { cap: 1 }, { replicas: { a: 4, b: 4, c: 4 }, needless: [], unlent: 0 }],
  ])('leaves the others alone, where nothing is lent, whose neighbour %s', (_, b, expected) => {
    expect(desired(limitsFor(none), { b })).toEqual(expected);
  });

  it('leaves what nobody may take over with who is short of it, and not with who was scaled down', () => {
    expect(desired(upTo(4), { a: { pin: 1 }, b: { cap: 2 } })).toEqual({
      replicas: { a: 1, b: 4, c: 4 },
      needless: [],
      unlent: 5,
    });
  });
});
