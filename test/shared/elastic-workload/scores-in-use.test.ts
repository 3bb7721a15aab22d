/** Hysteresis of scores: which are in use, and when others replace them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterWeights } from '../../../shared/elastic-workload/cluster-weights.ts';
import { elasticKind } from '../../../shared/elastic-workload/elastic-workload.ts';
import { elasticSpec } from '../../../shared/elastic-workload/elastic-workload-schema.ts';
import {
  reportedScores,
  type ScoresInUse,
  scoresOf,
  type TakenScores,
  takeScores,
} from '../../../shared/elastic-workload/scores-in-use.ts';
import { at } from '../../builders.ts';
import { cases } from '../../depth.ts';
import { plain } from './elastic-cases.ts';

type Scores = Readonly<Record<string, number>>;

const source = { resourceName: 'prices', scoreName: 'cost', minChange: 10, coolDownSeconds: 300 };
const never = Number.POSITIVE_INFINITY;

function take(valid: Scores, before: ScoresInUse | undefined, seconds: number, clusters = ['a', 'b']): TakenScores {
  return takeScores({ source, clusters, valid: new Map(Object.entries(valid)), before }, at(seconds));
}

function inUse(scores: Scores, changedSeconds?: number): ScoresInUse {
  return { source: 'prices/cost', scores, ...(changedSeconds !== undefined && { changedAt: at(changedSeconds) }) };
}

describe('the scores in use', () => {
  it('are the first valid ones, and 0 for a cluster that has none', () => {
    expect(take({ a: -40 }, undefined, 0)).toEqual({ inUse: inUse({ a: -40, b: 0 }), changed: [], changeAt: never });
  });

  it.each([
    [9, 0, []],
    [10, 10, ['a']],
    [-9, 0, []],
    [-10, -10, ['a']],
  ])('are replaced by %d if 0 is in use: then it is %d', (score, used, changed) => {
    const taken = take({ a: score, b: 0 }, inUse({ a: 0, b: 0 }), 0);
    expect([taken.inUse.scores.a, taken.changed]).toEqual([used, changed]);
  });

  it('stay for the cool-down after a change, and the others replace them at its end', () => {
    const first = take({ a: 20, b: 0 }, inUse({ a: 0, b: 0 }), 0);
    expect(first).toEqual({ inUse: inUse({ a: 20, b: 0 }, 0), changed: ['a'], changeAt: never });
    const second = take({ a: 20, b: 50 }, first.inUse, 299);
    expect(second).toEqual({ inUse: first.inUse, changed: [], changeAt: at(300) });
    const third = take({ a: -20, b: 50 }, second.inUse, 300);
    expect(third).toEqual({ inUse: inUse({ a: -20, b: 50 }, 300), changed: ['a', 'b'], changeAt: never });
  });

  it('of a cluster stay while it has no valid score', () => {
    expect(take({ b: 0 }, inUse({ a: 70, b: 0 }), 900)).toEqual({
      ...{ inUse: inUse({ a: 70, b: 0 }), changed: [], changeAt: never },
    });
  });

  it('of a cluster that joins are its own at once, also during the cool-down, and those of one that left are dropped', () => {
    expect(take({ a: 5, c: 80 }, inUse({ a: 0, b: 90 }, 0), 1, ['a', 'c']).inUse).toEqual(inUse({ a: 0, c: 80 }, 0));
  });

  it('are replaced at once if the spec names another score', () => {
    const other = { ...inUse({ a: 1, b: 2 }, 0), source: 'prices/load' };
    expect(take({ a: 3 }, other, 1)).toEqual({ inUse: inUse({ a: 3, b: 0 }), changed: [], changeAt: never });
  });
});

const score = fc.integer({ min: -100, max: 100 });
const names = ['a', 'b', 'c'];
const history = fc.array(
  fc.record({
    scores: fc.dictionary(fc.constantFrom(...names), score),
    seconds: fc.constantFrom(0, 1, 20, 60, 299, 300, 700),
  }),
  { minLength: 1, maxLength: 30 },
);

/** The reconciles of a history, with those that a scheduled event adds at the end of a cool-down. */
function* play(steps: readonly { readonly scores: Scores; readonly seconds: number }[], minChange: number) {
  let before: ScoresInUse | undefined;
  let now = at(0);
  let changeAt = never;
  let valid = new Map<string, number>();
  const reconcile = () => {
    const taken = takeScores({ source: { ...source, minChange }, clusters: names, valid, before }, now);
    const step = { before, taken, valid, now };
    before = taken.inUse;
    changeAt = taken.changeAt;
    return step;
  };
  for (const { scores, seconds } of [...steps, { scores: {}, seconds: 1000 }]) {
    valid = new Map([...valid, ...Object.entries(scores)]);
    yield reconcile();
    const end = now + seconds * 1000;
    while (changeAt <= end) {
      now = changeAt;
      yield reconcile();
    }
    now = end;
  }
}

describe('for any sequence of scores', () => {
  it('no score in use changes twice within the cool-down, nor by less than minChange', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 60 }), (steps, minChange) => {
        let last = Number.NEGATIVE_INFINITY;
        for (const { before, taken, now } of play(steps, minChange)) {
          if (before === undefined) continue;
          const changes = names.map((name) => Math.abs((taken.inUse.scores[name] ?? 0) - (before.scores[name] ?? 0)));
          const moved = changes.filter((change) => change > 0);
          for (const change of moved) expect(change).toBeGreaterThanOrEqual(minChange);
          if (moved.length === 0) continue;
          expect(now - last).toBeGreaterThanOrEqual(source.coolDownSeconds * 1000);
          last = now;
        }
      }),
      { numRuns: cases({ few: 200, all: 2000 }) },
    );
  });

  it('once the scores stand still, those in use are within minChange of them after one cool-down', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 60 }), (steps, minChange) => {
        const all = [...play(steps, minChange)];
        const { taken, valid } = all.at(-1) ?? all[0] ?? expect.unreachable();
        for (const name of names)
          expect(Math.abs((valid.get(name) ?? 0) - (taken.inUse.scores[name] ?? 0))).toBeLessThan(minChange);
        expect(taken.changeAt).toBe(never);
      }),
      { numRuns: cases({ few: 200, all: 2000 }) },
    );
  });
});

const addOnScore = { resourceName: 'prices', scoreName: 'cost' };

function elasticOf(weighted: object, status: object = {}) {
  const spec = { ...plain, distributionStrategy: { totalReplicas: 4, type: 'Weighted', weighted } };
  const metadata = { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '1', generation: 3 };
  return elasticKind('workload.open-cluster-management.io').parse({
    metadata: { ...metadata, creationTimestamp: '2026-11-22T10:00:00Z' },
    spec: elasticSpec.parse(spec),
    status,
  });
}

describe('the scores of an ElasticWorkload', () => {
  const elastic = elasticOf({ addOnScore, overrides: [{ clusterName: 'c', weight: 5 }] });
  const reports = [{ cluster: 'a', resourceName: 'prices', scores: [{ name: 'cost', value: 30 }] }];
  const given = { elastic, clusters: new Map(), scores: { reports }, selected: ['a', 'b', 'c'], before: undefined };

  it('are of the clusters that no override matches, and name those without a valid score', () => {
    expect(scoresOf(given, at(0))).toMatchObject({
      ...{ inUse: inUse({ a: 30, b: 0 }), clusters: ['a', 'b'], missing: ['b'], unread: undefined },
    });
  });

  it('are undefined if the weights are not scores', () => {
    expect(scoresOf({ ...given, elastic: elasticOf({}) }, at(0))).toBeUndefined();
    expect(reportedScores(elasticOf({}, { observedGeneration: 3 }))).toBeUndefined();
  });

  it.each<[number, ScoresInUse | undefined]>([
    [3, inUse({ a: 30 })],
    [2, undefined],
  ])('are those of the status if it is of generation 3: of %d', (observedGeneration, reported) => {
    const clusters = [
      { name: 'a', share: 1, score: 30, replicas: 1 },
      { name: 'c', share: 1, replicas: 1 },
    ];
    expect(reportedScores(elasticOf({ addOnScore }, { observedGeneration, clusters }))).toEqual(reported);
  });
});

describe('the weights by scores', () => {
  const weights = (weighted: object, scores: Scores) =>
    Object.fromEntries(
      clusterWeights(elasticOf(weighted).spec.distributionStrategy, ['a', 'b'], { known: new Map(), scores }),
    );

  it('are 100 plus the score, and 100 without a score, whatever defaultWeight is', () => {
    expect(weights({ addOnScore, defaultWeight: 7 }, { a: -100 })).toEqual({ a: 0, b: 100 });
    expect(weights({ addOnScore }, { a: 100, b: -99 })).toEqual({ a: 200, b: 1 });
  });

  it('are those of the overrides, where one matches', () => {
    expect(weights({ addOnScore, overrides: [{ clusterName: 'a', weight: 3 }] }, { a: 90, b: 50 })).toEqual({
      ...{ a: 3, b: 150 },
    });
  });

  it('are equal if every score is the lowest: the workload is not stopped', () => {
    expect(weights({ addOnScore }, { a: -100, b: -100 })).toEqual({ a: 100, b: 100 });
    expect(weights({ addOnScore, overrides: [{ clusterName: 'a', weight: 0 }] }, { b: -100 })).toEqual({
      ...{ a: 0, b: 100 },
    });
  });

  it('stay 0 if the overrides of all clusters are 0', () => {
    const overrides = [
      { clusterName: 'a', weight: 0 },
      { clusterName: 'b', weight: 0 },
    ];
    expect(weights({ addOnScore, overrides }, {})).toEqual({ a: 0, b: 0 });
  });
});
