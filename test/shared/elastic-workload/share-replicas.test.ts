/** How a total is shared: the seed's examples, and what must hold for any clusters. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ShareParty, shareReplicas } from '../../../shared/elastic-workload/share-replicas.ts';

function party(cluster: string, weight: number, bounds: Partial<ShareParty> = {}): ShareParty {
  return { cluster, weight, floor: 0, ceiling: Number.POSITIVE_INFINITY, holds: 0, ...bounds };
}

function shared(total: number, parties: readonly ShareParty[], uid = 'uid'): Record<string, number> {
  return Object.fromEntries([...shareReplicas(total, parties, uid)].sort());
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

describe('shareReplicas', () => {
  it.each([
    ['some share exceeds the max', 2, 3, { a: 3, b: 3 }],
    ['every share exceeds the max', 1, 2, { a: 2, b: 2 }],
    ['no share reaches the min', 5, 10, { a: 5, b: 5 }],
  ])("equals the seed's example if %s", (_, floor, ceiling, expected) => {
    expect(shared(6, [party('a', 1, { floor, ceiling }), party('b', 2, { floor, ceiling })])).toEqual(expected);
  });

  it('shares in proportion to weights', () => {
    expect(shared(6, [party('a', 1), party('b', 2)])).toEqual({ a: 2, b: 4 });
    expect(shared(100, [party('a', 1), party('b', 2), party('c', 7)])).toEqual({ a: 10, b: 20, c: 70 });
  });

  it('assigns a cluster of weight 0 its floor and no more', () => {
    expect(shared(10, [party('a', 0, { floor: 1 }), party('b', 1), party('c', 2)])).toEqual({ a: 1, b: 3, c: 6 });
  });

  it('assigns every cluster its floor if no cluster has a weight', () => {
    expect(shared(10, [party('a', 0), party('b', 0, { floor: 2 })])).toEqual({ a: 0, b: 2 });
  });

  it('assigns no replicas if the total is 0', () => {
    expect(shared(0, [party('a', 1, { holds: 3 }), party('b', 1)])).toEqual({ a: 0, b: 0 });
  });

  it('is empty without clusters', () => {
    expect(shared(5, [])).toEqual({});
  });

  it('keeps the odd replica on its current cluster', () => {
    for (const holder of ['a', 'b', 'c']) {
      const parties = ['a', 'b', 'c'].map((cluster) => party(cluster, 1, { holds: cluster === holder ? 4 : 3 }));
      expect(shared(10, parties)[holder]).toBe(4);
    }
  });

  it('assigns the next replica to the larger claim, regardless of its current cluster', () => {
    expect(shared(1, [party('a', 3), party('b', 2, { holds: 1 })])).toEqual({ a: 1, b: 0 });
  });

  it('keeps it on its current cluster at a tie, even if another cluster would reach its ceiling with it', () => {
    const full = party('b', 6, { ceiling: 2 });
    expect(shared(5, [party('a', 8), full, party('c', 6, { holds: 2 })])).toEqual({ a: 2, b: 1, c: 2 });
  });

  it('assigns it at a tie to the cluster with fewer replicas, regardless of the names', () => {
    expect(shared(2, [party('a', 3), party('b', 1)])).toEqual({ a: 1, b: 1 });
    expect(shared(2, [party('b', 3), party('a', 1)])).toEqual({ a: 1, b: 1 });
  });

  it('orders by name if the hashes are equal, as for these two', () => {
    const both = [party('iron-core-362', 1), party('prod-test-658', 1)];
    for (const parties of [both, both.toReversed()])
      expect(shared(1, parties)).toEqual({ 'iron-core-362': 1, 'prod-test-658': 0 });
  });

  it('fills up to small ceilings', () => {
    const [a, b] = [party('a', 1, { ceiling: 2, holds: 2 }), party('b', 1, { ceiling: 2 })];
    expect([1, 2, 3, 4].map((total) => shared(total, [a, b]))).toEqual([
      { a: 1, b: 0 },
      { a: 1, b: 1 },
      { a: 2, b: 1 },
      { a: 2, b: 2 },
    ]);
  });

  it('does not assign every workload of one replica to the same cluster', () => {
    const parties = ['a', 'b', 'c', 'd'].map((cluster) => party(cluster, 1));
    const chosen = Array.from({ length: 200 }, (_, i) => {
      const found = Object.entries(shared(1, parties, `uid-${i}`)).find(([, replicas]) => replicas === 1);
      return found?.[0];
    });
    const counts = ['a', 'b', 'c', 'd'].map((cluster) => chosen.filter((name) => name === cluster).length);
    expect(Math.min(...counts)).toBeGreaterThan(25);
  });

  it('moves one replica per cluster, and no other, to a cluster that joins', () => {
    const before = [party('a', 1, { holds: 4 }), party('b', 1, { holds: 4 }), party('c', 1, { holds: 4 })];
    const after = shared(12, [...before, party('d', 1)]);
    expect(after).toEqual({ a: 3, b: 3, c: 3, d: 3 });
  });
});

const parties = fc
  .array(
    fc.record({
      weight: fc.nat(6),
      floor: fc.nat(4),
      capacity: fc.oneof(fc.nat(8), fc.constant(Number.POSITIVE_INFINITY)),
      holds: fc.nat(10),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) =>
    all.map(({ weight, floor, capacity, holds }, i) =>
      party(`c${i}`, weight, { floor, ceiling: floor + capacity, holds }),
    ),
  );

describe('shareReplicas, for any clusters', () => {
  it('assigns the total exactly if floors and ceilings allow it', () => {
    fc.assert(
      fc.property(parties, fc.nat(60), (all, total) => {
        const floors = sum(all.map(({ floor }) => floor));
        const ceilings = sum(all.map(({ weight, floor, ceiling }) => (weight > 0 ? ceiling : floor)));
        expect(sum(shareReplicas(total, all, 'uid').values())).toBe(Math.min(Math.max(total, floors), ceilings));
      }),
    );
  });

  it('keeps every cluster within floor and ceiling', () => {
    fc.assert(
      fc.property(parties, fc.nat(60), (all, total) => {
        const result = shareReplicas(total, all, 'uid');
        for (const { cluster, floor, ceiling } of all) {
          expect(result.get(cluster)).toBeGreaterThanOrEqual(floor);
          expect(result.get(cluster)).toBeLessThanOrEqual(ceiling);
        }
      }),
    );
  });

  it('differs by at most one between clusters of equal weight without a bound', () => {
    fc.assert(
      fc.property(parties, fc.nat(60), (all, total) => {
        const even = all.map((each) => ({ ...each, weight: 1 }));
        const result = shareReplicas(total, even, 'uid');
        const free = even.filter(({ cluster, floor, ceiling }) => {
          const has = result.get(cluster) ?? 0;
          return has > floor && has < ceiling;
        });
        const numbers = free.map(({ cluster }) => result.get(cluster) ?? 0);
        if (numbers.length > 0) expect(Math.max(...numbers) - Math.min(...numbers)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('does not depend on the order of the clusters', () => {
    fc.assert(
      fc.property(parties, fc.nat(60), (all, total) => {
        expect(shared(total, all.toReversed())).toEqual(shared(total, all));
      }),
    );
  });

  it('moves no replica when it runs again', () => {
    fc.assert(
      fc.property(parties, fc.nat(60), (all, total) => {
        const first = shareReplicas(total, all, 'uid');
        const again = all.map((each) => ({ ...each, holds: first.get(each.cluster) ?? 0 }));
        expect([...shareReplicas(total, again, 'uid')]).toEqual([...first]);
      }),
    );
  });

  it('moves no more than any other order of the same claims would', () => {
    fc.assert(
      fc.property(parties, fc.nat(25), (all, total) => {
        const result = shareReplicas(total, all, 'uid');
        const moved = (numbers: ReadonlyMap<string, number>) =>
          sum(all.map(({ cluster, holds }) => Math.max((numbers.get(cluster) ?? 0) - holds, 0)));
        for (const tie of everyTie(total, all)) expect(moved(result)).toBeLessThanOrEqual(moved(tie));
      }),
      { numRuns: 200 },
    );
  });
});

/** Written after the rule alone: replica by replica to a greatest claim, all ways to break every tie. */
function everyTie(total: number, all: readonly ShareParty[]): readonly ReadonlyMap<string, number>[] {
  const start = new Map(all.map(({ cluster, floor }) => [cluster, floor]));
  let states = new Map([[JSON.stringify([...start]), start]]);
  for (let given = sum(start.values()); given < total; given++) {
    const next = new Map<string, Map<string, number>>();
    for (const state of states.values()) {
      const open = all.filter(({ cluster, weight, ceiling }) => weight > 0 && (state.get(cluster) ?? 0) < ceiling);
      const claim = ({ cluster, weight }: ShareParty) => weight / (2 * (state.get(cluster) ?? 0) + 1);
      const greatest = Math.max(...open.map(claim));
      for (const each of open.filter((one) => claim(one) === greatest)) {
        const with1 = new Map(state).set(each.cluster, (state.get(each.cluster) ?? 0) + 1);
        next.set(JSON.stringify([...with1]), with1);
      }
    }
    if (next.size === 0) return [...states.values()];
    states = next;
  }
  return [...states.values()];
}
