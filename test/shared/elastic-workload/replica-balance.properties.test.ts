/** Dynamic balancing by what must hold whatever befalls the clusters: floors while replicas move, limits always, and rest in the end. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Balance } from '../../../shared/elastic-workload/replica-balance.ts';
import { cases } from '../../depth.ts';
import { ManagedClusters, specOf } from './managed-clusters.ts';

const mishap = fc.oneof(
  fc.record({ kind: fc.constant('capacity' as const), cluster: fc.nat(4), to: fc.nat(8) }),
  fc.record({ kind: fc.constant('scale' as const), cluster: fc.nat(4), to: fc.nat(8) }),
  fc.record({ kind: fc.constant('away' as const), cluster: fc.nat(4), to: fc.nat(1) }),
  fc.record({ kind: fc.constant('selected' as const), cluster: fc.nat(4), to: fc.nat(1) }),
  fc.record({ kind: fc.constant('forget' as const), cluster: fc.nat(4), to: fc.nat(1) }),
  fc.record({ kind: fc.constant('total' as const), cluster: fc.nat(4), to: fc.nat(30) }),
);
type Mishap = typeof mishap extends fc.Arbitrary<infer T> ? T : never;

const history = fc.array(fc.record({ mishap, then: fc.constantFrom(1, 7, 40, 310, 700) }), { maxLength: 12 });

const strategies = fc.constantFrom(
  { type: 'LimitRange', limitRange: { min: 0, max: 100 } },
  { type: 'LimitRange', limitRange: { min: 2, max: 6 } },
  { type: 'Classful', classful: { assured: 1, softLimit: 4, hardLimit: 8 } },
  { type: 'None' },
);

function befall(fleet: ManagedClusters, { kind, cluster, to }: Mishap, balance: object): void {
  const managedCluster = fleet.of(`c${cluster}`);
  if (kind === 'capacity') {
    managedCluster.capacity = to;
    managedCluster.ready = Math.min(managedCluster.ready, to);
  } else if (kind === 'scale') {
    if (managedCluster.replicas !== undefined) managedCluster.replicas = to;
  } else if (kind === 'away') managedCluster.available = to === 0;
  else if (kind === 'selected') managedCluster.selected = to === 0;
  else if (kind === 'forget') fleet.memory = undefined;
  else fleet.spec = specOf({ total: to, balance });
}

function begin(balance: object): ManagedClusters {
  const fleet = new ManagedClusters(specOf({ total: 12, balance }), ['c0', 'c1', 'c2', 'c3', 'c4']);
  fleet.look();
  fleet.pass(20);
  return fleet;
}

describe('balanceReplicas, for any failure of the clusters', () => {
  it('Bursty: a step never reduces the ready replicas below the reachable total, unless they are already below it', () => {
    fc.assert(
      fc.property(strategies, history, (balance, events) => {
        const fleet = begin(balance);
        fleet.onStep = (step: Balance) => {
          const live = [...fleet.managedClusters].filter(
            ([, { available, written }]) => available && written !== undefined,
          );
          const before = live.reduce((sum, [, { ready }]) => sum + ready, 0);
          const left = (next: number, { written, ready }: { written: number | undefined; ready: number }) =>
            next === written ? ready : Math.min(ready, next);
          const after = live.reduce(
            (sum, [name, managedCluster]) => sum + left(step.next.get(name) ?? 0, managedCluster),
            0,
          );
          const total = [...step.replicas].reduce((sum, [name, number]) => {
            return sum + Math.min(number, step.observations.get(name)?.cap?.replicas ?? number);
          }, 0);
          expect(after).toBeGreaterThanOrEqual(Math.min(before, total));
        };
        for (const { mishap: event, then } of events) {
          befall(fleet, event, balance);
          fleet.pass(then);
        }
      }),
      { numRuns: cases({ few: 50, all: 150 }) },
    );
  });

  it('Conservative: a step never has more replicas on the reachable managed clusters than the total, unless they already have more', () => {
    fc.assert(
      fc.property(strategies, history, (balance, events) => {
        const conservative = { ...balance, transfer: 'Conservative' };
        const fleet = begin(conservative);
        fleet.onStep = (step: Balance) => {
          const reachable = [...fleet.managedClusters].filter(([, { available }]) => available);
          const there = ([name, { replicas = 0, ready }]: (typeof reachable)[number]) =>
            Math.max(replicas, ready, step.next.get(name) ?? 0);
          const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
          const before = sumOf(
            reachable.map(([, { replicas = 0, ready, written = 0 }]) => Math.max(replicas, ready, written)),
          );
          const total = sumOf([...step.replicas.values()]);
          expect(sumOf(reachable.map(there))).toBeLessThanOrEqual(Math.max(before, total));
        };
        for (const { mishap: event, then } of events) {
          befall(fleet, event, conservative);
          fleet.pass(then);
        }
      }),
      { numRuns: cases({ few: 50, all: 150 }) },
    );
  });

  it('never writes a number above the limit, nor one below 0', () => {
    fc.assert(
      fc.property(strategies, history, (balance, events) => {
        const fleet = begin(balance);
        const most = balance.limitRange?.max ?? balance.classful?.hardLimit ?? Number.POSITIVE_INFINITY;
        fleet.onStep = ({ replicas, next }) => {
          for (const number of replicas.values()) expect(number).toBeLessThanOrEqual(most);
          for (const number of next.values()) expect(number).toBeGreaterThanOrEqual(0);
        };
        for (const { mishap: event, then } of events) {
          befall(fleet, event, balance);
          fleet.pass(then);
        }
      }),
      { numRuns: cases({ few: 30, all: 80 }) },
    );
  });

  it('converges: once all clusters stay healthy, every cluster has its share by the strategies, and the writes stop', () => {
    fc.assert(
      fc.property(strategies, history, (balance, events) => {
        const fleet = begin(balance);
        for (const { mishap: event, then } of events) {
          befall(fleet, event, balance);
          fleet.pass(then);
        }
        for (const managedCluster of fleet.managedClusters.values())
          Object.assign(managedCluster, { available: true, capacity: 100, selected: true });
        fleet.pass(5);
        // A new wish lets go of what was scaled by hand.
        fleet.spec = specOf({ total: 31, balance });
        fleet.pass(8000);
        const { share, next } = fleet.look();
        expect([...next]).toEqual([...share]);
        const { writes } = fleet;
        fleet.pass(4000);
        expect(fleet.writes).toBe(writes);
      }),
      { numRuns: cases({ few: 30, all: 80 }) },
    );
  });
});
