import { describe, expect, it } from 'vitest';
import type { Balance } from '../../../../shared/model/elastic-workload/balance-replicas.ts';
import {
  clusterStatuses,
  conditionsOf,
  type Reported,
} from '../../../../shared/model/elastic-workload/elastic-conditions.ts';
import type { Sight, View } from '../../../../shared/model/elastic-workload/sights.ts';
import { at } from '../../../builders.ts';
import { specOf } from './spokes.ts';

type Numbers = Readonly<Record<string, number>>;

interface Given {
  readonly total?: number;
  readonly balance?: object;
  readonly share?: Numbers;
  readonly replicas?: Numbers;
  readonly next?: Numbers;
  readonly weights?: Numbers;
  readonly unlent?: number;
  readonly waiting?: number;
  readonly views?: readonly (Partial<View> & { readonly cluster: string })[];
  readonly sights?: Readonly<Record<string, Partial<Sight>>>;
}

const numbers = (given: Numbers) => new Map(Object.entries(given));

/** Where a test says nothing, a and b have their 2 each, and all are ready. */
function reported(given: Given = {}): Reported {
  const { share = { a: 2, b: 2 }, total = 4, balance = {}, weights = { a: 1, b: 1 } } = given;
  const { replicas = share, unlent = 0, waiting = 0, sights = {} } = given;
  const { next = replicas, views = Object.keys(next).map((cluster) => ({ cluster })) } = given;
  return {
    spec: specOf({ total, balance }),
    weights: numbers(weights),
    views: views.map((view) => ({
      selected: true,
      reachable: true,
      deleting: false,
      upToDate: true,
      onSpoke: next[view.cluster] ?? 0,
      ready: next[view.cluster] ?? 0,
      ...view,
    })),
    balance: {
      share: numbers(share),
      replicas: numbers(replicas),
      next: numbers(next),
      sights: new Map(Object.entries(sights)),
      unlent,
      waiting,
    } as unknown as Balance,
  };
}

/** The same, of clusters that have not said their number. */
function silent({ views, ...rest }: Reported): Reported {
  return { ...rest, views: views.map(({ onSpoke: _, ...unsaid }) => unsaid) };
}

function told(given?: Given): Readonly<Record<string, string>> {
  return Object.fromEntries(
    conditionsOf(reported(given)).map(({ type, status, reason, message }) => [type, `${status} ${reason}: ${message}`]),
  );
}

describe('the conditions of an ElasticWorkload', () => {
  it('say that all is well where it is', () => {
    expect(told()).toEqual({
      Accepted: 'True Accepted: target, placement and strategies can be carried out',
      Balanced: 'True Balanced: every cluster has its share, and it is ready',
      Progressing: 'False Settled: nothing is on its way',
      Overcommitted: 'False WithinTotal: the least of 2 clusters is 0 together, and totalReplicas 4',
      Unplaced: 'False Placed: every replica has a cluster',
      InvalidWeights: 'False Valid: some cluster has a weight',
      NoClusters: 'False Selected: Placement all selects 2 clusters',
    });
  });

  it('name who has another number than its share', () => {
    expect(told({ replicas: { a: 3, b: 1 } })).toMatchObject({
      Balanced: 'False Lent: not every cluster has its share: a 3 instead of 2, b 1 instead of 2',
      Progressing: 'False Settled: nothing is on its way',
    });
  });

  it('name five of those at most, and how many more', () => {
    const share = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, 1]));
    const replicas = Object.fromEntries(Object.keys(share).map((name) => [name, 0]));
    const listed = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name} 0 instead of 1`).join(', ');
    expect(told({ share, replicas })).toMatchObject({
      Balanced: `False Lent: not every cluster has its share: ${listed} and 2 more`,
    });
    const { f: _f, g: _g, ...five } = share;
    expect(told({ share: five, replicas })).toMatchObject({
      Balanced: `False Lent: not every cluster has its share: ${listed}`,
    });
  });

  it('say that replicas still are to move, before they say what is starting', () => {
    const moving = { waiting: 1, views: [{ cluster: 'a', ready: 0 }, { cluster: 'b' }] };
    const text = 'Moving: 1 replica still to move, once others are ready or gone';
    expect(told(moving)).toMatchObject({ Balanced: `False ${text}`, Progressing: `True ${text}` });
  });

  it.each<[string, Partial<View>, Partial<Sight>, boolean]>([
    ['is not ready', { ready: 1 }, {}, true],
    ['has another number than it is to have', { onSpoke: 1 }, {}, true],
    ['has another number, and is not heard of', { onSpoke: 1, reachable: false }, {}, false],
    ['has the number that it is to have', { onSpoke: 2, ready: 2 }, {}, false],
    ['is known not to manage it', { ready: 1 }, { cap: { replicas: 1, until: at(0) } }, false],
  ])('say that a cluster is starting where it %s', (_what, view, sight, starting) => {
    const text = `not ready yet: a ${view.ready ?? 2}/2`;
    expect(told({ views: [{ cluster: 'a', ...view }, { cluster: 'b' }], sights: { a: sight } })).toMatchObject({
      Progressing: starting ? `True Starting: ${text}` : 'False Settled: nothing is on its way',
      Balanced: starting ? `False Starting: ${text}` : 'True Balanced: every cluster has its share, and it is ready',
    });
  });

  it('say nothing is starting where a cluster has not said its number, and enough are ready', () => {
    expect(conditionsOf(silent(reported({ share: { a: 2 }, total: 2 })))).toContainEqual(
      expect.objectContaining({ type: 'Progressing', status: 'False', reason: 'Settled' }),
    );
  });

  it.each([
    [
      { type: 'LimitRange', limitRange: { min: 2, max: 9 } },
      4,
      'False WithinTotal: the least of 2 clusters is 4 together, and totalReplicas 4',
    ],
    [
      { type: 'LimitRange', limitRange: { min: 3, max: 9 } },
      4,
      'True FloorsAboveTotal: the least of 2 clusters is 6 together, and totalReplicas 4; raise totalReplicas, lower min, or select fewer clusters',
    ],
    [
      { type: 'Classful', classful: { assured: 3, softLimit: 9, hardLimit: 9 } },
      4,
      'True FloorsAboveTotal: the least of 2 clusters is 6 together, and totalReplicas 4; raise totalReplicas, lower assured, or select fewer clusters',
    ],
  ])('tell of %j with %i in all', (balance, total, says) => {
    expect(told({ balance, total })).toMatchObject({ Overcommitted: says });
  });

  it.each<[string, Given, string]>([
    [
      'limits leave over',
      { total: 7 },
      'True LimitsReached: 3 of 7 find no cluster under its limit; raise the limit, lower totalReplicas, or select more clusters',
    ],
    [
      'nobody takes over',
      { unlent: 2 },
      'True NobodyCanTakeThem: 2 replicas that some clusters do not manage can be lent to no other; give a cluster room, raise the limits, or select more clusters',
    ],
    ['no cluster is there for', { share: {} }, 'False Placed: every replica has a cluster'],
  ])('tell of replicas that %s', (_what, given, says) => {
    expect(told(given)).toMatchObject({ Unplaced: says });
  });

  it.each<[Numbers, boolean]>([
    [{ a: 0, b: 0 }, true],
    [{ a: 0, b: 1 }, false],
    [{}, false],
  ])('tell whether nobody has a weight: %j %s', (weights, invalid) => {
    expect(told({ weights })).toMatchObject({
      InvalidWeights: invalid
        ? 'True AllZero: every selected cluster has the weight 0, so that nobody has a claim to a replica; give one a weight in distributionStrategy.weighted'
        : 'False Valid: some cluster has a weight',
    });
  });

  it('tell where no cluster is selected', () => {
    expect(told({ share: {} })).toMatchObject({
      NoClusters: 'True NoneSelected: Placement all selects no cluster; look at its condition PlacementSatisfied',
    });
  });
});

describe('what is told of a cluster', () => {
  const until = at(5);

  it.each<[string, Partial<View>, Partial<Sight>, { readonly next?: number; readonly refused?: string }, string]>([
    ['ready', {}, {}, {}, 'Ready'],
    ['starting', { ready: 1 }, {}, {}, 'Starting'],
    ['lending', { ready: 5 }, {}, { next: 5 }, 'Lends: 3 more than its share, for others'],
    ['being taken down', { deleting: true, selected: false }, {}, {}, 'Deleting: its ManifestWork is being deleted'],
    [
      'left',
      { selected: false },
      {},
      { refused: 'no' },
      'Leaving: the PlacementDecision does not name it; its replicas go when others are ready in their place',
    ],
    ['refused', {}, { cap: { replicas: 1, until } }, { refused: 'x'.repeat(400) }, `Refused: ${'x'.repeat(300)}`],
    ['short', {}, { cap: { replicas: 1, until } }, {}, 'Short: it managed 1 of 2; tried again at 2026-11-21T10:00:05Z'],
    [
      'silent for long',
      { reachable: false },
      { cap: { replicas: 0, until } },
      {},
      'Unreachable: nothing is heard of it; tried again at 2026-11-21T10:00:05Z',
    ],
    ['silent', { reachable: false }, { pin: 1 }, {}, 'Unreachable: nothing is heard of it'],
    [
      'scaled above its limit',
      {},
      { pin: 9 },
      {},
      'ScaledThere: it was scaled to 9 on the cluster, and its limit is 2',
    ],
    ['scaled to its limit', {}, { pin: 2 }, {}, 'ScaledThere: it was scaled to 2 on the cluster, which is left so'],
    ['scaled there', { ready: 0 }, { pin: 1 }, {}, 'ScaledThere: it was scaled to 1 on the cluster, which is left so'],
  ])('that is %s', (_what, view, sight, { next = 2, refused }, says) => {
    const given = reported({
      share: { a: 2 },
      next: { a: next },
      views: [{ cluster: 'a', ...view }],
      sights: { a: sight },
    });
    const [status] = clusterStatuses(given, new Map(refused === undefined ? [] : [['a', refused]]));
    expect([status?.reason, status?.message].filter(Boolean).join(': ')).toBe(says);
  });

  it('are its share, its number, what it says itself, and what is ready', () => {
    const views = [{ cluster: 'a', onSpoke: 1, ready: 1 }];
    expect(clusterStatuses(reported({ share: { a: 2 }, next: { a: 3 }, views }), new Map())).toEqual([
      { name: 'a', share: 2, replicas: 3, observedReplicas: 1, readyReplicas: 1, reason: 'Starting' },
    ]);
  });

  it('are without a number of its own and a message where there is none', () => {
    expect(clusterStatuses(silent(reported({ share: { a: 2 } })), new Map())).toStrictEqual([
      { name: 'a', share: 2, replicas: 2, readyReplicas: 2, reason: 'Ready' },
    ]);
  });

  it('are 0 of one that has no number any more', () => {
    const given = reported({ share: {}, next: {}, views: [{ cluster: 'z', ready: 0 }] });
    expect(clusterStatuses(given, new Map())).toEqual([
      { name: 'z', share: 0, replicas: 0, observedReplicas: 0, readyReplicas: 0, reason: 'Ready' },
    ]);
  });
});
