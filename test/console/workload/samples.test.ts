import { describe, expect, it } from 'vitest';
import { type Sample, stacked, withSample } from '../../../console/workload/samples.ts';

const sample = (at: number, shares: Sample['shares'], ready = 0): Sample => ({ at, shares, ready });
const collected = (of: readonly Sample[]) => of.reduce<readonly Sample[]>(withSample, []);

describe('the samples of a workload', () => {
  it('keep the ends of a period without changes', () => {
    const four = { member1: 4 };
    expect(collected([1, 2, 3, 4].map((at) => sample(at, four))).map(({ at }) => at)).toEqual([1, 4]);
  });

  it('keep each change, and the moment before it', () => {
    const seen = [sample(1, { a: 4 }), sample(2, { a: 4 }), sample(3, { a: 4 }), sample(4, { a: 3, b: 1 })];
    expect(collected(seen).map(({ at }) => at)).toEqual([1, 3, 4]);
  });

  it('keep a change of the ready replicas alone', () => {
    const seen = [1, 2, 3].map((at) => sample(at, { a: 4 }, at === 3 ? 4 : 2));
    expect(collected(seen).map(({ at, ready }) => [at, ready])).toEqual([
      [1, 2],
      [2, 2],
      [3, 4],
    ]);
  });

  it('treat a removed cluster as one without replicas', () => {
    expect(
      collected([sample(1, { a: 4, b: 0 }), sample(2, { a: 4 }), sample(3, { a: 4 })]).map(({ at }) => at),
    ).toEqual([1, 3]);
  });

  it('ignore a clock that was set back', () => {
    expect(collected([sample(5, { a: 1 }), sample(4, { a: 2 }), sample(5, { a: 3 })])).toEqual([sample(5, { a: 1 })]);
  });

  it('stay bounded over a day of changes, with the latest changes in full', () => {
    const day = Array.from({ length: 86_400 }, (_, at) => sample(at + 1, { a: at % 7 }));
    const kept = collected(day);
    expect(kept.length).toBeLessThanOrEqual(1200);
    expect(kept.slice(-300).map(({ at }) => at)).toEqual(day.slice(-300).map(({ at }) => at));
  });
});

describe('the layers of the chart', () => {
  it('are cumulative sums from the bottom up, in the order of names', () => {
    const { names, times, sums } = stacked([sample(1000, { b: 1, a: 2 }), sample(2000, { a: 5 })], 8);
    expect({ names, times, sums }).toEqual({
      names: ['a', 'b'],
      times: [1, 2],
      sums: [
        [2, 5],
        [3, 5],
      ],
    });
  });

  it('merge clusters beyond the limit into one, and keep the total', () => {
    const { names, sums } = stacked([sample(1000, { a: 1, b: 9, c: 2, d: 3 })], 3);
    expect(names).toEqual(['b', 'd', 'others']);
    expect(sums).toEqual([[9], [12], [15]]);
  });

  it('omit clusters that never had a replica', () => {
    expect(stacked([sample(1000, { a: 0, b: 2 })], 8).names).toEqual(['b']);
    expect(stacked([], 8)).toEqual({ names: [], times: [], sums: [], ready: [] });
  });
});
