/** What one reconcile decides, and the reconciler state after it; balance-replicas.test.ts has the same over time. */
import { describe, expect, it } from 'vitest';
import type { PlacementObservation, View } from '../../../shared/elastic-workload/observe-placement.ts';
import { type Balance, balanceReplicas } from '../../../shared/elastic-workload/replica-balance.ts';
import { ampleLimits, none, specOf } from './managed-clusters.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');
const FIVE = 300_000;

interface Given {
  readonly balance?: object;
  /** Undefined where the memory is lost. */
  readonly observations?: Readonly<Record<string, PlacementObservation>>;
}

/** One look at twelve replicas, with the same strategies as the look before. */
function asked(views: readonly View[], { balance = ampleLimits, observations }: Given = {}): Balance {
  const weights = new Map(views.map(({ cluster }) => [cluster, 1]));
  const input = { uid: 'uid', spec: specOf({ total: 12, balance }), views, weights, memory: undefined, now: NOW };
  if (observations === undefined) return balanceReplicas(input);
  const { strategy } = balanceReplicas(input).memory;
  return balanceReplicas({ ...input, memory: { strategy, observations } });
}

/** A cluster that has all that is written for it. */
function view(cluster: string, written: number, over: Partial<View> = {}): View {
  const all = { selected: true, reachable: true, deleting: false, upToDate: true };
  return { ...all, cluster, written, replicasOnCluster: written, ready: written, ...over };
}

function joining(cluster: string): View {
  return { cluster, selected: true, reachable: true, deleting: false, upToDate: false, ready: 0 };
}

function three(a: number, b: number, c: number): readonly View[] {
  return [view('a', a), view('b', b), view('c', c)];
}

const healthy = (written: number): PlacementObservation => ({ written, reached: true, readySince: NOW });

describe('balanceReplicas, in one reconcile,', () => {
  const conservative = { ...ampleLimits, transfer: 'Conservative' };

  it.each<[string, readonly View[], number, number]>([
    ['a second if replicas wait for a number that a concurrent reconcile wrote', three(4, 6, 0), 8, NOW + 1000],
    ['the hesitation if they wait for numbers that every reconcile observes', three(4, 6, 0), 6, NOW + FIVE],
    [
      'nothing if a concurrent reconcile wrote a number, and no replicas wait',
      three(4, 4, 4),
      8,
      Number.POSITIVE_INFINITY,
    ],
  ])('waits for %s', (_, views, given, lookAt) => {
    const observations = Object.fromEntries(views.map(({ cluster, written = 0 }) => [cluster, { written }]));
    expect(
      asked(views, { balance: conservative, observations: { ...observations, b: { written: given } } }).reconcileAt,
    ).toBe(lookAt);
  });

  const expired = { replicas: 0, until: NOW };

  it.each<[string, View, PlacementObservation]>([
    [
      'ready replicas that a concurrent reconcile may have removed since the list',
      view('d', 3),
      { written: 0, pending: [3], cap: expired },
    ],
    [
      'ready replicas in a report that is older than two writes, between which there were none',
      view('d', 3, { upToDate: false }),
      { written: 3, pending: [3, 0] },
    ],
    [
      'ready replicas of a number that is no longer written',
      view('d', 0, { upToDate: false, replicasOnCluster: 3, ready: 3 }),
      { written: 0, pending: [3], cap: expired },
    ],
    [
      'ready replicas that the agent last reported before it removed them',
      view('d', 0, { replicasOnCluster: 3, ready: 3 }),
      { written: 0, pending: [3], cap: expired },
    ],
  ])('does not count %s, so that no cluster gives up its own', (_, joined, observation) => {
    const observations = { ...Object.fromEntries(['a', 'b', 'c'].map((name) => [name, healthy(4)])), d: observation };
    const { next, waiting } = asked([...three(4, 4, 4), joined], { observations });
    expect(Object.fromEntries(next)).toEqual({ a: 4, b: 4, c: 4, d: 3 });
    expect(waiting).toBe(3);
  });

  it.each<[string, number | undefined]>([
    ['once the agent has reported the last write', 3],
    ['once the agent has applied the last write, of a kind whose number is not reported', undefined],
  ])('counts them %s', (_, replicasOnCluster) => {
    const observations = {
      ...Object.fromEntries(['a', 'b', 'c'].map((name) => [name, healthy(4)])),
      d: { written: 3, pending: [3, 0] },
    };
    const { replicasOnCluster: all, ...d } = view('d', 3);
    const joined = { ...d, ...(replicasOnCluster !== undefined && { replicasOnCluster: all }) } as View;
    const { next } = asked([...three(4, 4, 4), joined], { observations });
    expect(Object.fromEntries(next)).toEqual({ a: 3, b: 3, c: 3, d: 3 });
  });

  it('records what each cluster reports when a higher number is written for it', () => {
    const { replicasOnCluster: _, ...silent } = view('b', 4);
    expect(asked([view('a', 4, { replicasOnCluster: 2, ready: 1 }), silent]).memory.observations).toStrictEqual({
      a: { written: 6, pending: [4, 2], short: { since: NOW, most: 1 } },
      b: { written: 6, pending: [4, 6], short: { since: NOW, most: 4 } },
    });
  });

  it('ends the override of a cluster that was scaled to its share, and nothing else', () => {
    const observations = { a: healthy(4), b: { ...healthy(4), pin: 4 }, c: healthy(4) };
    const balance = asked(three(4, 4, 4), { observations });
    const after = { a: healthy(4), b: { ...healthy(4), past: 4 }, c: healthy(4) };
    expect(Object.fromEntries(balance.observations)).toStrictEqual(after);
    expect(balance.memory.observations).toStrictEqual(after);
  });

  it('reads the override from the ManifestWork if the reconciler state is lost', () => {
    const balance = asked([view('a', 5), view('b', 2, { scaledThere: 2 }), view('c', 5)]);
    expect(balance.memory.observations).toStrictEqual({ a: healthy(5), b: { ...healthy(2), pin: 2 }, c: healthy(5) });
    expect(Object.fromEntries(balance.next)).toEqual({ a: 5, b: 2, c: 5 });
  });

  it.each<[string, readonly View[], Given, object]>([
    ['less than its share', three(5, 2, 5), {}, { b: { replicas: 2, until: NOW + FIVE, guessed: true } }],
    ['its share', three(4, 4, 4), {}, {}],
    ['less, and not all are written,', three(5, 2, 4), {}, {}],
    ['less, and nothing is borrowed,', three(5, 2, 5), { balance: none }, {}],
    ['nothing yet', [view('a', 6), view('b', 6), joining('c')], {}, {}],
    [
      'less, and the state of the other clusters exists,',
      three(5, 2, 5),
      { observations: { a: healthy(5), c: healthy(5) } },
      {},
    ],
  ])('infers the learned limits from a cluster that has %s: %o', (_, views, given, caps) => {
    const found = [...asked(views, given).observations].flatMap(([cluster, { cap }]) => (cap ? [[cluster, cap]] : []));
    expect(Object.fromEntries(found)).toStrictEqual(caps);
  });

  it.each<[string, Partial<View>, number]>([
    ['all written replicas, including those that are not ready', { ready: 2 }, 4],
    ['no more than the observed replicas', { replicasOnCluster: 2, ready: 2 }, 2],
    ['no more than the written replicas', { replicasOnCluster: 9, ready: 9 }, 4],
    ['no replicas if its ManifestWork is being deleted', { deleting: true, ready: 0 }, 0],
    ['no replicas if it is unreachable', { reachable: false, ready: 0 }, 0],
  ])('keeps on a deselected cluster, until the others are ready, %s', (_, over, kept) => {
    const { next } = asked([view('a', 4, { selected: false, ...over }), joining('b')]);
    expect(Object.fromEntries(next)).toEqual({ a: kept, b: 12 });
  });
});
