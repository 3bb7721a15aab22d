/** What each cluster is to have by what is known of all; balance-replicas.test.ts has the same over time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { desiredReplicas, type WeightedCluster } from '../../../shared/elastic-workload/desired-replicas.ts';
import { type Limits, limitsOf } from '../../../shared/elastic-workload/limits.ts';
import { cases } from '../../depth.ts';
import { none, specOf } from './managed-clusters.ts';

const upTo = (max: number) => limitsFor({ type: 'LimitRange', limitRange: { max } });

function limitsFor(balance: object): Limits {
  return limitsOf(specOf({ total: 12, balance }).balanceStrategy);
}

/** Twelve replicas on a, b and c; `known` is the test's observation of them. */
function desired(limits: Limits, known: Readonly<Record<string, Partial<WeightedCluster>>>) {
  const candidates = ['a', 'b', 'c'].map((cluster) => ({ cluster, weight: 1, holds: 4, ...known[cluster] }));
  const { share, replicas, needless, unborrowed } = desiredReplicas({ uid: 'uid', total: 12, limits, candidates });
  expect(Object.fromEntries(share)).toEqual({ a: 4, b: 4, c: 4 });
  return { replicas: Object.fromEntries(replicas), needless: [...needless], unborrowed };
}

describe('desiredReplicas', () => {
  it.each<[string, Partial<WeightedCluster>, object]>([
    ['was scaled up', { pin: 6 }, { replicas: { a: 4, b: 6, c: 4 }, needless: [], unborrowed: 0 }],
    ['was scaled down', { pin: 1 }, { replicas: { a: 4, b: 1, c: 4 }, needless: [], unborrowed: 0 }],
    ['was scaled to its share', { pin: 4 }, { replicas: { a: 4, b: 4, c: 4 }, needless: ['b'], unborrowed: 0 }],
    ['does not manage its share', { cap: 1 }, { replicas: { a: 4, b: 4, c: 4 }, needless: [], unborrowed: 0 }],
  ])('keeps the other clusters at their share with balance None if one cluster %s', (_, b, expected) => {
    expect(desired(limitsFor(none), { b })).toEqual(expected);
  });

  it('leaves replicas that no cluster may take on the short cluster, and not on the manually scaled one', () => {
    expect(desired(upTo(4), { a: { pin: 1 }, b: { cap: 2 } })).toEqual({
      replicas: { a: 1, b: 4, c: 4 },
      needless: [],
      unborrowed: 5,
    });
  });
});

describe('the soft limit', () => {
  const classful = (assured: number, softLimit: number, hardLimit: number) =>
    limitsFor({ type: 'Classful', classful: { assured, softLimit, hardLimit } });
  const shareOf = (total: number, limits: Limits, weights: readonly number[], holds: readonly number[] = []) => {
    const candidates = weights.map((weight, i) => ({ cluster: `c${i}`, weight, holds: holds[i] ?? 0 }));
    return [...desiredReplicas({ uid: 'uid', total, limits, candidates }).share.values()];
  };

  it.each<[string, number, Limits, readonly number[], readonly number[]]>([
    ['has what the hard limit takes go first to clusters within it', 18, classful(1, 4, 9), [3, 5, 10], [4, 5, 9]],
    ['is passed where no cluster is within it any more', 21, classful(1, 4, 9), [3, 5, 10], [5, 7, 9]],
    ['leaves a distribution alone that is within the hard limit', 18, classful(1, 4, 10), [3, 5, 10], [3, 5, 10]],
    ['has clusters above it give first what the assured ones lack', 12, classful(3, 4, 9), [1, 4, 7], [3, 4, 5]],
    ['is no floor where the assured replicas ask for more', 9, classful(3, 4, 9), [1, 4, 7], [3, 3, 3]],
  ])('%s', (_, total, limits, weights, expected) => {
    expect(shareOf(total, limits, weights)).toEqual(expected);
  });

  const number = fc.integer({ min: 0, max: 12 });
  const inputs = fc.record({
    total: fc.integer({ min: 0, max: 60 }),
    bounds: fc.tuple(number, number, number).map((three) => three.toSorted((a, b) => a - b)),
    weights: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
  });

  it('keeps the sum and the hard limits, and moves no replica when it runs again', () => {
    fc.assert(
      fc.property(inputs, ({ total, bounds: [assured = 0, soft = 0, hard = 0], weights }) => {
        const limits = classful(assured, soft, hard);
        const share = shareOf(total, limits, weights);
        const n = weights.length;
        expect(share.reduce((all, one) => all + one, 0)).toBe(Math.min(Math.max(total, assured * n), hard * n));
        expect(share.every((one) => one >= assured && one <= hard)).toBe(true);
        expect(shareOf(total, limits, weights, share)).toEqual(share);
      }),
      { numRuns: cases({ few: 400, all: 2000 }) },
    );
  });

  it('is exceeded by no cluster because of the limits while another one is below it', () => {
    fc.assert(
      fc.property(inputs, ({ total, bounds: [, soft = 0, hard = 0], weights }) => {
        const wished = shareOf(total, limitsFor(none), weights);
        const share = shareOf(total, classful(0, soft, hard), weights);
        const isBeyond = share.some((one, i) => one > Math.max(soft, Math.min(wished[i] ?? 0, hard)));
        expect(isBeyond && share.some((one) => one < soft)).toBe(false);
      }),
      { numRuns: cases({ few: 400, all: 2000 }) },
    );
  });
});
