/** How many replicas each cluster gives up, by worked examples and by what must hold for any input. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideEviction, type Eviction } from '../../../functions/descheduler/decide-eviction.ts';
import { capacityOf } from '../../../shared/karmada/assignment/available-replicas.ts';
import { type BindingOptions, clustersWith, dynamic, type Held, placed } from './scene.ts';

interface Case {
  readonly held: Held;
  readonly answers: Readonly<Record<string, number>>;
  /** Available replicas, by cluster. */
  readonly free: Readonly<Record<string, number>>;
  readonly limit?: number;
  readonly beyondCapacity?: boolean;
  readonly withoutForecast?: boolean;
  readonly failures?: Readonly<Record<string, string>>;
  readonly options?: BindingOptions;
}

function decide(given: Case): Eviction {
  const binding = placed(given.held, given.options);
  return decideEviction({
    binding,
    answers: new Map(Object.entries(given.answers)),
    faults: new Map(Object.entries(given.failures ?? {}).map(([name, reason]) => [name, { reason, message: reason }])),
    clusters: clustersWith(given.free),
    available: capacityOf(binding),
    limit: given.limit ?? 1000,
    beyondCapacity: given.beyondCapacity ?? false,
    withoutForecast: given.withoutForecast ?? false,
  });
}

function nextOf(given: Case): Record<string, number> {
  return Object.fromEntries(decide(given).next.map(({ name, replicas }) => [name, replicas]));
}

const story: Held = { m1: [5, 2], m2: [3, 3], m3: [2, 2] };

describe('decideEviction', () => {
  it('evicts as in story 1 of the proposal: 5/3/2 with three pending on m1 becomes 2/3/2', () => {
    const eviction = decide({ held: story, answers: { m1: 3 }, free: { m1: 0, m2: 5, m3: 0 } });
    expect(eviction.next).toEqual([
      { name: 'm1', replicas: 2 },
      { name: 'm2', replicas: 3 },
      { name: 'm3', replicas: 2 },
    ]);
    expect(eviction).toMatchObject({ taken: 3, wanted: 3, lands: [{ name: 'm2', replicas: 3 }] });
    expect(eviction.clusters[0]).toEqual({ name: 'm1', assigned: 5, ready: 2, unschedulable: 3, taken: 3 });
  });

  it('evicts no more than the available replicas of the other clusters', () => {
    const free = { m1: 0, m2: 1, m3: 1 };
    expect(nextOf({ held: story, answers: { m1: 3 }, free })).toEqual({ m1: 3, m2: 3, m3: 2 });
    expect(decide({ held: story, answers: { m1: 3 }, free }).reason).toBe(
      '2 of 3 unschedulable replicas are taken out; the other clusters have no capacity for 1',
    );
    const full = decide({ held: story, answers: { m1: 3 }, free: { m1: 0, m2: 0, m3: 0 } });
    expect(full).toMatchObject({ taken: 0, wanted: 3 });
  });

  it('leaves replicas whose placement it cannot forecast to their scheduler, or on the cluster, and names the field', () => {
    const options = { placement: { ...dynamic, workloadAffinity: { affinity: {} } } };
    const free = { m1: 0, m2: 100, m3: 0 };
    const asked = { held: story, answers: { m1: 3 }, free, options };
    const why =
      'spec.placement.workloadAffinity: Forbidden: not supported; only karmada-scheduler places such a binding';
    const reason = (taken: number) =>
      `${taken} of 3 unschedulable replicas are taken out; no forecast of where 3 would go: ${why}`;
    const unknown = { wanted: 3, lands: [], cannotForecast: why };
    expect(decide({ ...asked, withoutForecast: true })).toMatchObject({ ...unknown, taken: 3, reason: reason(3) });
    expect(decide(asked)).toMatchObject({ ...unknown, taken: 0, reason: reason(0) });
    expect(decide({ ...asked, beyondCapacity: true })).toMatchObject({ ...unknown, taken: 3, reason: reason(3) });
  });

  it("evicts all unschedulable replicas in Karmada's own mode, regardless of capacity", () => {
    const given = { held: story, answers: { m1: 3 }, free: { m1: 0, m2: 0, m3: 0 }, beyondCapacity: true };
    expect(nextOf(given)).toEqual({ m1: 2, m2: 3, m3: 2 });
  });

  it('leaves replicas where they are if the scheduler would put them back there', () => {
    // By its report m1 has capacity, but no node accepts the replicas, as with a node selector.
    expect(decide({ held: story, answers: { m1: 3 }, free: { m1: 50, m2: 0, m3: 0 } }).taken).toBe(0);
    const weighted = {
      held: story,
      answers: { m1: 3 },
      free: { m1: 10, m2: 50, m3: 0 },
      options: { placement: dynamic },
    };
    // By weight 10 to 50 the third would be m1's again.
    expect(decide(weighted).taken).toBe(2);
  });

  it('never goes below what is ready', () => {
    expect(nextOf({ held: { m1: [5, 4] }, answers: { m1: 3 }, free: { m1: 0, m2: 9 } })).toEqual({ m1: 4 });
    expect(nextOf({ held: { m1: [5, 5] }, answers: { m1: 3 }, free: { m1: 0, m2: 9 } })).toEqual({ m1: 5 });
  });

  it('keeps a cluster that gives up all in spec.clusters with 0, as Karmada does', () => {
    expect(nextOf({ held: { m1: [3, 0] }, answers: { m1: 3 }, free: { m1: 0, m2: 9 } })).toEqual({ m1: 0 });
  });

  it.each([
    [6, '6 is more than the 5 that are assigned'],
    [-1, '-1 is no number of replicas'],
    [1.5, '1.5 is no number of replicas'],
    [Number.NaN, 'NaN is no number of replicas'],
  ])('changes nothing for a cluster that answers %d, while the others go on', (answer, unusable) => {
    const held: Held = { m1: [5, 2], m2: [4, 2] };
    const eviction = decide({ held, answers: { m1: answer, m2: 2 }, free: { m1: 0, m2: 0, m3: 9 } });
    expect(eviction.next).toEqual([
      { name: 'm1', replicas: 5 },
      { name: 'm2', replicas: 2 },
    ]);
    expect(eviction.clusters[0]).toEqual({
      name: 'm1',
      assigned: 5,
      ready: 2,
      unschedulable: answer,
      unusable,
      taken: 0,
    });
  });

  it('skips a cluster that did not answer, reports why, and continues with the others', () => {
    const held: Held = { m1: [5, 2], m2: [4, 2] };
    const given = { held, answers: { m2: 2 }, failures: { m1: 'EstimatorTimeout' }, free: { m1: 0, m2: 0, m3: 9 } };
    expect(nextOf(given)).toEqual({ m1: 5, m2: 2 });
    expect(decide(given).clusters[0]).toEqual({
      name: 'm1',
      assigned: 5,
      ready: 2,
      unusable: 'EstimatorTimeout',
      taken: 0,
    });
  });

  it('takes nothing from a cluster that has reported no status', () => {
    expect(decide({ held: { m1: [5] }, answers: { m1: 3 }, free: { m1: 0, m2: 9 } }).taken).toBe(0);
  });

  it('keeps to its limit, from where most is unschedulable first', () => {
    const held: Held = { m1: [5, 4], m2: [6, 2] };
    const given = { held, answers: { m1: 1, m2: 4 }, free: { m1: 0, m2: 0, m3: 9 }, limit: 4 };
    expect(nextOf(given)).toEqual({ m1: 5, m2: 2 });
    expect(decide(given).reason).toBe('4 of 5 unschedulable replicas are taken out; a limit holds back 1');
    expect(decide({ ...given, limit: 0 }).taken).toBe(0);
  });

  it('reports that nothing is unschedulable', () => {
    expect(decide({ held: story, answers: { m1: 0 }, free: { m1: 0, m2: 9 } })).toMatchObject({
      taken: 0,
      wanted: 0,
      reason: 'nothing is unschedulable above what is ready',
    });
  });

  it('holds for any binding, answer and capacity: never below ready, never more than reported, all of it placed elsewhere', () => {
    const cluster = fc.record({
      assigned: fc.nat(12),
      ready: fc.nat(12),
      answer: fc.integer({ min: -2, max: 14 }),
      free: fc.nat(12),
    });
    let evicting = 0;
    fc.assert(
      fc.property(
        fc.array(cluster, { minLength: 1, maxLength: 4 }),
        fc.nat(30),
        fc.boolean(),
        (all, limit, weighted) => {
          const named = all.map((each, i) => ({ ...each, name: `m${i + 1}` }));
          const eviction = decide({
            held: Object.fromEntries(named.map(({ name, assigned, ready }) => [name, [assigned, ready]])),
            answers: Object.fromEntries(named.map(({ name, answer }) => [name, answer])),
            free: Object.fromEntries(named.map(({ name, free }) => [name, free])),
            limit,
            options: weighted ? { placement: dynamic } : {},
          });
          const gives = named.map(({ assigned }, i) => assigned - (eviction.next[i]?.replicas ?? 0));
          named.forEach(({ assigned, ready, answer }, i) => {
            expect(gives[i]).toBeGreaterThanOrEqual(0);
            expect(gives[i]).toBeLessThanOrEqual(
              Math.max(0, Math.min(answer > assigned ? 0 : answer, assigned - ready)),
            );
          });
          expect(gives.reduce((sum, each) => sum + each, 0)).toBe(eviction.taken);
          expect(eviction.taken).toBeLessThanOrEqual(limit);
          if (eviction.taken > 0) evicting += 1;
          const landed = eviction.lands.reduce((sum, { replicas }) => sum + replicas, 0);
          expect(landed).toBe(eviction.taken);
          eviction.lands.forEach(({ name, replicas }) => {
            const at = named.findIndex((each) => each.name === name);
            expect(gives[at]).toBe(0);
            expect(replicas).toBeLessThanOrEqual(named[at]?.free ?? 0);
          });
        },
      ),
      { numRuns: 300 },
    );
    // About one in six: where nothing is taken, nothing can be wrong.
    expect(evicting).toBeGreaterThan(10);
  });
});
