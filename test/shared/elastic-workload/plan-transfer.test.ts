/** The order in which replicas move: never under the total if clusters grow first, never over it if they shrink first. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planTransfer, type TransferCluster } from '../../../shared/elastic-workload/plan-transfer.ts';

function place(cluster: string, numbers: Partial<TransferCluster>): TransferCluster {
  const { written = 0 } = numbers;
  return { cluster, wanted: 0, written, keepable: written, ready: written, occupied: written, ...numbers };
}

function next(transfer: 'Bursty' | 'Conservative', places: readonly TransferCluster[]): Record<string, number> {
  return Object.fromEntries(planTransfer(transfer, places, 'uid').next);
}

describe('planTransfer, Bursty', () => {
  it('grows at once and keeps the shrinking clusters until the others are ready', () => {
    const a = place('a', { written: 6, wanted: 3 });
    expect(next('Bursty', [a, place('b', { wanted: 3 })])).toEqual({ a: 6, b: 3 });
    expect(next('Bursty', [a, place('b', { wanted: 3, written: 3, ready: 2 })])).toEqual({ a: 4, b: 3 });
    expect(next('Bursty', [a, place('b', { wanted: 3, written: 3 })])).toEqual({ a: 3, b: 3 });
  });

  it('shrinks at once if the total decreases', () => {
    expect(next('Bursty', [place('a', { written: 5, wanted: 2 }), place('b', { written: 5, wanted: 3 })])).toEqual({
      a: 2,
      b: 3,
    });
  });

  it('keeps those that are ready before those that are not', () => {
    const places = [
      place('a', { written: 2, wanted: 0, ready: 0 }),
      place('b', { written: 2, wanted: 0 }),
      place('c', { wanted: 4, written: 4, ready: 2 }),
    ];
    expect(next('Bursty', places)).toEqual({ a: 0, b: 2, c: 4 });
  });

  it('does not wait for more than a cluster was seen to manage', () => {
    const places = [place('a', { written: 4 }), place('b', { wanted: 4, written: 4, ready: 1, cap: 1 })];
    expect(next('Bursty', places)).toEqual({ a: 0, b: 4 });
  });

  it('keeps no replicas on a cluster that is unreachable', () => {
    const places = [place('a', { written: 4, keepable: 0, ready: 0 }), place('b', { wanted: 4 })];
    expect(next('Bursty', places)).toEqual({ a: 0, b: 4 });
  });
});

describe('planTransfer, Conservative', () => {
  it('shrinks at once and grows into the observed free replicas', () => {
    const b = place('b', { wanted: 3 });
    expect(next('Conservative', [place('a', { written: 6, wanted: 3 }), b])).toEqual({ a: 3, b: 0 });
    const shrinking = place('a', { written: 3, wanted: 3, ready: 3, occupied: 5 });
    expect(next('Conservative', [shrinking, b])).toEqual({ a: 3, b: 1 });
    expect(next('Conservative', [place('a', { written: 3, wanted: 3 }), b])).toEqual({ a: 3, b: 3 });
  });

  it('grows at once if the total increases', () => {
    expect(
      next('Conservative', [place('a', { written: 2, wanted: 4 }), place('b', { written: 2, wanted: 4 })]),
    ).toEqual({
      a: 4,
      b: 4,
    });
  });

  it('writes immediately the number to which a managed cluster was scaled manually, without free capacity: the replicas already run', () => {
    const scaled = place('a', { written: 3, wanted: 5, ready: 5, occupied: 5 });
    const full = place('b', { written: 3, wanted: 3 });
    expect(next('Conservative', [scaled, full])).toEqual({ a: 5, b: 3 });
    expect(
      next('Conservative', [
        { ...scaled, wanted: 4 },
        { ...full, wanted: 4 },
      ]),
    ).toEqual({ a: 4, b: 3 });
  });

  it('waits for the replicas of a work that is being deleted', () => {
    const places = [place('a', { written: 4, keepable: 0, occupied: 4, ready: 0 }), place('b', { wanted: 4 })];
    expect(next('Conservative', places)).toEqual({ a: 0, b: 0 });
  });
});

const places = fc.array(fc.record({ wanted: fc.nat(9), written: fc.nat(9), unready: fc.nat(9), hangover: fc.nat(4) }), {
  minLength: 1,
  maxLength: 6,
});

function built(
  all: readonly { wanted: number; written: number; unready: number; hangover: number }[],
): TransferCluster[] {
  return all.map(({ wanted, written, unready, hangover }, i) => {
    const ready = Math.max(written - unready, 0);
    return place(`c${i}`, { wanted, written, ready, occupied: written + hangover });
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

describe('planTransfer, for any clusters', () => {
  it('Bursty: the ready replicas are never below the total, unless they were before', () => {
    fc.assert(
      fc.property(places, (all) => {
        const before = built(all);
        const step = planTransfer('Bursty', before, 'uid').next;
        // Of a Deployment that shrinks, those that are not ready go first.
        const left = sum(before.map(({ cluster, ready }) => Math.min(ready, step.get(cluster) ?? 0)));
        const total = sum(before.map(({ wanted }) => wanted));
        expect(left).toBeGreaterThanOrEqual(Math.min(total, sum(before.map(({ ready }) => ready))));
      }),
    );
  });

  it('Conservative: the replicas never exceed the total, unless they did before', () => {
    fc.assert(
      fc.property(places, (all) => {
        const before = built(all);
        const step = planTransfer('Conservative', before, 'uid').next;
        const there = sum(before.map(({ cluster, occupied }) => Math.max(occupied, step.get(cluster) ?? 0)));
        const total = sum(before.map(({ wanted }) => wanted));
        expect(there).toBeLessThanOrEqual(Math.max(total, sum(before.map(({ occupied }) => occupied))));
      }),
    );
  });

  it.each(['Bursty', 'Conservative'] as const)(
    '%s: ends where it is to end, once every step is carried out',
    (transfer) => {
      fc.assert(
        fc.property(places, (all) => {
          let now = built(all);
          for (let step = 0; step < 4; step++) {
            const { next: numbers } = planTransfer(transfer, now, 'uid');
            now = now.map(({ cluster, wanted }) => place(cluster, { wanted, written: numbers.get(cluster) ?? 0 }));
          }
          expect(now.map(({ written }) => written)).toEqual(now.map(({ wanted }) => wanted));
          expect(planTransfer(transfer, now, 'uid').waiting).toBe(0);
        }),
      );
    },
  );
});
