/** Dynamic balancing by what must hold whatever befalls the clusters: floors while replicas move, limits always, and rest in the end. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Balance } from '../../../../shared/model/elastic-workload/balance-replicas.ts';
import { Spokes, specOf } from './spokes.ts';

const mishap = fc.oneof(
  fc.record({ kind: fc.constant('room' as const), cluster: fc.nat(4), to: fc.nat(8) }),
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

function befall(fleet: Spokes, { kind, cluster, to }: Mishap, balance: object): void {
  const spoke = fleet.of(`c${cluster}`);
  if (kind === 'room') {
    spoke.capacity = to;
    spoke.ready = Math.min(spoke.ready, to);
  } else if (kind === 'scale') {
    if (spoke.replicas !== undefined) spoke.replicas = to;
  } else if (kind === 'away') spoke.available = to === 0;
  else if (kind === 'selected') spoke.selected = to === 0;
  else if (kind === 'forget') fleet.memory = undefined;
  else fleet.spec = specOf({ total: to, balance });
}

function begin(balance: object): Spokes {
  const fleet = new Spokes(specOf({ total: 12, balance }), ['c0', 'c1', 'c2', 'c3', 'c4']);
  fleet.look();
  fleet.pass(20);
  return fleet;
}

describe('balanceReplicas, whatever befalls the clusters', () => {
  it('Bursty: a step never takes what is ready under the total that can be had, unless it is under it already', () => {
    fc.assert(
      fc.property(strategies, history, (balance, events) => {
        const fleet = begin(balance);
        fleet.onStep = (step: Balance) => {
          const live = [...fleet.spokes].filter(([, { available, written }]) => available && written !== undefined);
          const before = live.reduce((sum, [, { ready }]) => sum + ready, 0);
          const left = (next: number, { written, ready }: { written: number | undefined; ready: number }) =>
            next === written ? ready : Math.min(ready, next);
          const after = live.reduce((sum, [name, spoke]) => sum + left(step.next.get(name) ?? 0, spoke), 0);
          const total = [...step.replicas].reduce((sum, [name, number]) => {
            return sum + Math.min(number, step.sights.get(name)?.cap?.replicas ?? number);
          }, 0);
          expect(after).toBeGreaterThanOrEqual(Math.min(before, total));
        };
        for (const { mishap: event, then } of events) {
          befall(fleet, event, balance);
          fleet.pass(then);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('Conservative: a step never has more replicas on the spokes that can be heard than the total, unless there are already', () => {
    fc.assert(
      fc.property(strategies, history, (balance, events) => {
        const conservative = { ...balance, transfer: 'Conservative' };
        const fleet = begin(conservative);
        fleet.onStep = (step: Balance) => {
          const heard = [...fleet.spokes].filter(([, { available }]) => available);
          const there = ([name, { replicas = 0, ready }]: (typeof heard)[number]) =>
            Math.max(replicas, ready, step.next.get(name) ?? 0);
          const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
          const before = sumOf(
            heard.map(([, { replicas = 0, ready, written = 0 }]) => Math.max(replicas, ready, written)),
          );
          const total = sumOf([...step.replicas.values()]);
          expect(sumOf(heard.map(there))).toBeLessThanOrEqual(Math.max(before, total));
        };
        for (const { mishap: event, then } of events) {
          befall(fleet, event, conservative);
          fleet.pass(then);
        }
      }),
      { numRuns: 150 },
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
      { numRuns: 80 },
    );
  });

  it('comes to rest: once all is well for long enough, everybody has what the strategies say, and nothing is written any more', () => {
    fc.assert(
      fc.property(strategies, history, (balance, events) => {
        const fleet = begin(balance);
        for (const { mishap: event, then } of events) {
          befall(fleet, event, balance);
          fleet.pass(then);
        }
        for (const spoke of fleet.spokes.values())
          Object.assign(spoke, { available: true, capacity: 100, selected: true });
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
      { numRuns: 80 },
    );
  });
});
