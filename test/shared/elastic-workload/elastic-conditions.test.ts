import { describe, expect, it } from 'vitest';
import {
  type ConditionInput,
  clusterStatuses,
  conditionsOf,
} from '../../../shared/elastic-workload/elastic-conditions.ts';
import type { ElasticWorkloadIdentity } from '../../../shared/elastic-workload/elastic-workload.ts';
import type { PlacementObservation, View } from '../../../shared/elastic-workload/observe-placement.ts';
import type { Balance } from '../../../shared/elastic-workload/replica-balance.ts';
import { at } from '../../builders.ts';
import { specOf } from './managed-clusters.ts';

type Numbers = Readonly<Record<string, number>>;

interface Given {
  readonly total?: number;
  readonly balance?: object;
  readonly share?: Numbers;
  readonly replicas?: Numbers;
  readonly next?: Numbers;
  readonly weights?: Numbers;
  readonly unborrowed?: number;
  readonly waiting?: number;
  readonly views?: readonly (Partial<View> & { readonly cluster: string })[];
  readonly taken?: Readonly<Record<string, ElasticWorkloadIdentity>>;
  readonly observations?: Readonly<Record<string, Partial<PlacementObservation>>>;
}

const numbers = (given: Numbers) => new Map(Object.entries(given));

/** By default, a and b have their 2 each, and all are ready. */
function reported(given: Given = {}): ConditionInput {
  const { share = { a: 2, b: 2 }, total = 4, balance = {}, weights = { a: 1, b: 1 } } = given;
  const { replicas = share, unborrowed = 0, waiting = 0, observations = {} } = given;
  const { next = replicas, views = Object.keys(next).map((cluster) => ({ cluster })) } = given;
  return {
    spec: specOf({ total, balance }),
    weights: numbers(weights),
    taken: new Map(Object.entries(given.taken ?? {})),
    views: views.map((view) => ({
      selected: true,
      reachable: true,
      deleting: false,
      upToDate: true,
      replicasOnCluster: next[view.cluster] ?? 0,
      ready: next[view.cluster] ?? 0,
      ...view,
    })),
    balance: {
      share: numbers(share),
      replicas: numbers(replicas),
      next: numbers(next),
      observations: new Map(Object.entries(observations)),
      unborrowed,
      waiting,
    } as unknown as Balance,
  };
}

/** The same, for clusters that have not reported their number. */
function silent({ views, ...rest }: ConditionInput): ConditionInput {
  return { ...rest, views: views.map(({ replicasOnCluster: _, ...unreported }) => unreported) };
}

function conditionTexts(given?: Given): Readonly<Record<string, string>> {
  return Object.fromEntries(
    conditionsOf(reported(given)).map(({ type, status, reason, message }) => [type, `${status} ${reason}: ${message}`]),
  );
}

describe('the conditions of an ElasticWorkload', () => {
  it('report a healthy workload', () => {
    expect(conditionTexts()).toEqual({
      Accepted: 'True Accepted: target, placement and strategies can be carried out',
      Balanced: 'True Balanced: every cluster has its share, and it is ready',
      Progressing: 'False Settled: nothing is on its way',
      Overcommitted: 'False WithinTotal: the least of 2 clusters is 0 together, and totalReplicas 4',
      Unplaced: 'False Placed: every replica has a cluster',
      InvalidWeights: 'False Valid: some cluster has a weight',
      NoClusters: 'False Selected: Placement all selects 2 clusters',
    });
  });

  it('name the clusters whose number differs from their share', () => {
    expect(conditionTexts({ replicas: { a: 3, b: 1 } })).toMatchObject({
      Balanced: 'False Borrowed: not every cluster has its share: a 3 instead of 2, b 1 instead of 2',
      Progressing: 'False Settled: nothing is on its way',
    });
  });

  it('report what is missing if every cluster has its share and the total is not ready', () => {
    const cap = { replicas: 0, until: at(60) };
    const short = { total: 5, share: { a: 5 }, views: [{ cluster: 'a', ready: 0 }], observations: { a: { cap } } };
    expect(conditionTexts(short)).toMatchObject({
      Balanced: 'False NotReady: not every cluster manages its share: a 0/5',
    });
    expect(conditionTexts({ ...short, unborrowed: 5 }).Balanced).toMatch(
      /^False InsufficientCapacity: 5 replicas that some clusters/,
    );
    expect(conditionTexts({ total: 5, share: {}, weights: {} }).Balanced).toMatch(
      /^False NoneSelected: Placement all selects no/,
    );
    expect(conditionTexts({ total: 5 }).Balanced).toMatch(/^False LimitsReached: 1 of 5 find no cluster/);
  });

  it('report a workload without replicas as balanced in any state', () => {
    expect(conditionTexts({ total: 0, share: {}, weights: {} }).Balanced).toMatch(/^True /);
  });

  it('name the clusters that are left to an earlier ElasticWorkload of the same target', () => {
    const group = 'workload.open-cluster-management.io';
    const first = {
      group,
      key: { namespace: 'shop', name: 'first' },
      uid: 'u',
      creationTimestamp: 0,
      finalizers: [],
    } as const;
    expect(conditionTexts({ taken: { c: first, d: first } }).Accepted).toBe(
      'True PartlyTaken: ElasticWorkload shop/first has the target on c, d; this one runs on the others that the placement selects',
    );
  });

  it('name five of those at most, and how many more', () => {
    const share = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => [name, 1]));
    const replicas = Object.fromEntries(Object.keys(share).map((name) => [name, 0]));
    const listed = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name} 0 instead of 1`).join(', ');
    expect(conditionTexts({ share, replicas })).toMatchObject({
      Balanced: `False Borrowed: not every cluster has its share: ${listed} and 2 more`,
    });
    const { f: _f, g: _g, ...five } = share;
    expect(conditionTexts({ share: five, replicas })).toMatchObject({
      Balanced: `False Borrowed: not every cluster has its share: ${listed}`,
    });
  });

  it('report pending moves before starting clusters', () => {
    const moving = { waiting: 1, views: [{ cluster: 'a', ready: 0 }, { cluster: 'b' }] };
    const text = 'Moving: 1 replica still to move, once others are ready or gone';
    expect(conditionTexts(moving)).toMatchObject({ Balanced: `False ${text}`, Progressing: `True ${text}` });
  });

  it.each<[string, Partial<View>, Partial<PlacementObservation>, boolean, string?]>([
    ['is not ready', { ready: 1 }, {}, true],
    ['has another number than it is to have', { replicasOnCluster: 1 }, {}, true],
    ['has another number, and is unreachable', { replicasOnCluster: 1, reachable: false }, {}, false],
    ['has the number that it is to have', { replicasOnCluster: 2, ready: 2 }, {}, false],
    [
      'is known not to manage it',
      { ready: 1 },
      { cap: { replicas: 1, until: at(0) } },
      false,
      'False NotReady: not every cluster manages its share: a 1/2',
    ],
  ])('report a cluster as starting if it %s', (_what, view, observation, starting, otherwise) => {
    const text = `not ready yet: a ${view.ready ?? 2}/2`;
    expect(
      conditionTexts({ views: [{ cluster: 'a', ...view }, { cluster: 'b' }], observations: { a: observation } }),
    ).toMatchObject({
      Progressing: starting ? `True Starting: ${text}` : 'False Settled: nothing is on its way',
      Balanced: starting
        ? `False Starting: ${text}`
        : (otherwise ?? 'True Balanced: every cluster has its share, and it is ready'),
    });
  });

  it('report no starting cluster if its number is unknown and enough replicas are ready', () => {
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
  ])('report %j with %i in total', (balance, total, describe) => {
    expect(conditionTexts({ balance, total })).toMatchObject({ Overcommitted: describe });
  });

  it.each<[string, Given, string]>([
    [
      'limits leave over',
      { total: 7 },
      'True LimitsReached: 3 of 7 find no cluster under its limit; raise the limit, lower totalReplicas, or select more clusters',
    ],
    [
      'no cluster can borrow',
      { unborrowed: 2 },
      'True InsufficientCapacity: 2 replicas that some clusters cannot run can be borrowed by no other cluster; add capacity to a cluster, raise the limits, or select more clusters',
    ],
    ['no cluster is there for', { share: {} }, 'False Placed: every replica has a cluster'],
  ])('report replicas that %s', (_what, given, describe) => {
    expect(conditionTexts(given)).toMatchObject({ Unplaced: describe });
  });

  it.each<[Numbers, boolean]>([
    [{ a: 0, b: 0 }, true],
    [{ a: 0, b: 1 }, false],
    [{}, false],
  ])('report whether all weights are zero: %j %s', (weights, invalid) => {
    expect(conditionTexts({ weights })).toMatchObject({
      InvalidWeights: invalid
        ? 'True AllZero: every selected cluster has the weight 0, so no cluster gets replicas; give one a weight in distributionStrategy.weighted'
        : 'False Valid: some cluster has a weight',
    });
  });

  it('report that no cluster is selected', () => {
    expect(conditionTexts({ share: {} })).toMatchObject({
      NoClusters: 'True NoneSelected: Placement all selects no cluster; look at its condition PlacementSatisfied',
    });
  });
});

describe('the status of a cluster', () => {
  const until = at(5);

  it.each<
    [
      string,
      Partial<View>,
      Partial<PlacementObservation>,
      { readonly next?: number; readonly rejected?: string },
      string,
    ]
  >([
    ['ready', {}, {}, {}, 'Ready'],
    ['starting', { ready: 1 }, {}, {}, 'Starting'],
    ['over its share', { ready: 5 }, {}, { next: 5 }, 'Borrowing: 3 more than its share, borrowed from other clusters'],
    ['being taken down', { deleting: true, selected: false }, {}, {}, 'Deleting: its ManifestWork is being deleted'],
    [
      'left',
      { selected: false },
      {},
      { rejected: 'no' },
      'Leaving: the PlacementDecision does not name it; its replicas go when others are ready in their place',
    ],
    ['rejected', {}, { cap: { replicas: 1, until } }, { rejected: 'x'.repeat(400) }, `Rejected: ${'x'.repeat(300)}`],
    ['short', {}, { cap: { replicas: 1, until } }, {}, 'Short: it managed 1 of 2; tried again at 2026-11-21T10:00:05Z'],
    [
      'silent for long',
      { reachable: false },
      { cap: { replicas: 0, until } },
      {},
      'Unreachable: the cluster reports no status; tried again at 2026-11-21T10:00:05Z',
    ],
    ['silent', { reachable: false }, { pin: 1 }, {}, 'Unreachable: the cluster reports no status'],
    [
      'scaled above its limit',
      {},
      { pin: 9 },
      {},
      'ScaledManually: it was scaled to 9 on the cluster, and its limit is 2',
    ],
    ['scaled to its limit', {}, { pin: 2 }, {}, 'ScaledManually: it was scaled to 2 on the cluster, which is left so'],
    [
      'scaled there',
      { ready: 0 },
      { pin: 1 },
      {},
      'ScaledManually: it was scaled to 1 on the cluster, which is left so',
    ],
  ])('that is %s', (_what, view, observation, { next = 2, rejected }, describe) => {
    const given = reported({
      share: { a: 2 },
      next: { a: next },
      views: [{ cluster: 'a', ...view }],
      observations: { a: observation },
    });
    const [status] = clusterStatuses(given, new Map(rejected === undefined ? [] : [['a', rejected]]));
    expect([status?.reason, status?.message].filter(Boolean).join(': ')).toBe(describe);
  });

  it('contains its share, its number, the reported number, and the ready replicas', () => {
    const views = [{ cluster: 'a', replicasOnCluster: 1, ready: 1 }];
    expect(clusterStatuses(reported({ share: { a: 2 }, next: { a: 3 }, views }), new Map())).toEqual([
      { name: 'a', share: 2, replicas: 3, observedReplicas: 1, readyReplicas: 1, reason: 'Starting' },
    ]);
  });

  it('omit the observed replicas and the message if there are none', () => {
    expect(clusterStatuses(silent(reported({ share: { a: 2 } })), new Map())).toStrictEqual([
      { name: 'a', share: 2, replicas: 2, readyReplicas: 2, reason: 'Ready' },
    ]);
  });

  it('have 0 replicas for a cluster without a written number', () => {
    const given = reported({ share: {}, next: {}, views: [{ cluster: 'z', ready: 0 }] });
    expect(clusterStatuses(given, new Map())).toEqual([
      { name: 'z', share: 0, replicas: 0, observedReplicas: 0, readyReplicas: 0, reason: 'Ready' },
    ]);
  });
});
