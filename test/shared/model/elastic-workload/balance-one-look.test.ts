/** What one look decides, and what it remembers; balance-replicas.test.ts has the same over time. */
import { describe, expect, it } from 'vitest';
import { type Balance, balanceReplicas } from '../../../../shared/model/elastic-workload/balance-replicas.ts';
import type { Sight, View } from '../../../../shared/model/elastic-workload/sights.ts';
import { none, roomy, specOf } from './spokes.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');
const FIVE = 300_000;

interface Given {
  readonly balance?: object;
  /** Undefined where the memory is lost. */
  readonly sights?: Readonly<Record<string, Sight>>;
}

/** One look at twelve replicas, with the same strategies as the look before. */
function asked(views: readonly View[], { balance = roomy, sights }: Given = {}): Balance {
  const weights = new Map(views.map(({ cluster }) => [cluster, 1]));
  const question = { uid: 'uid', spec: specOf({ total: 12, balance }), views, weights, memory: undefined, now: NOW };
  if (sights === undefined) return balanceReplicas(question);
  const { strategy } = balanceReplicas(question).memory;
  return balanceReplicas({ ...question, memory: { strategy, sights } });
}

/** A cluster that has all that is written for it. */
function view(cluster: string, written: number, over: Partial<View> = {}): View {
  const all = { selected: true, reachable: true, deleting: false, upToDate: true };
  return { ...all, cluster, written, onSpoke: written, ready: written, ...over };
}

function joining(cluster: string): View {
  return { cluster, selected: true, reachable: true, deleting: false, upToDate: false, ready: 0 };
}

function three(a: number, b: number, c: number): readonly View[] {
  return [view('a', a), view('b', b), view('c', c)];
}

const well = (written: number): Sight => ({ written, reached: true, wellSince: NOW });

describe('balanceReplicas, of one look,', () => {
  const conservative = { ...roomy, transfer: 'Conservative' };

  it.each<[string, readonly View[], number, number]>([
    ['a second where replicas wait for what another look has given', three(4, 6, 0), 8, NOW + 1000],
    ['the hesitation where they wait for what all looks know of', three(4, 6, 0), 6, NOW + FIVE],
    ['nothing where another look has given something, and none wait', three(4, 4, 4), 8, Number.POSITIVE_INFINITY],
  ])('waits for %s', (_, views, given, lookAt) => {
    const sights = Object.fromEntries(views.map(({ cluster, written = 0 }) => [cluster, { written }]));
    expect(asked(views, { balance: conservative, sights: { ...sights, b: { written: given } } }).lookAt).toBe(lookAt);
  });

  it('remembers what each cluster reports when more is written for it', () => {
    const { onSpoke: _, ...silent } = view('b', 4);
    expect(asked([view('a', 4, { onSpoke: 2, ready: 1 }), silent]).memory.sights).toStrictEqual({
      a: { written: 6, pending: [4, 2], short: { since: NOW, most: 1 } },
      b: { written: 6, pending: [4, 6], short: { since: NOW, most: 4 } },
    });
  });

  it('forgets that a cluster was scaled to its share, and nothing else', () => {
    const sights = { a: well(4), b: { ...well(4), pin: 4 }, c: well(4) };
    const balance = asked(three(4, 4, 4), { sights });
    const after = { a: well(4), b: { ...well(4), past: 4 }, c: well(4) };
    expect(Object.fromEntries(balance.sights)).toStrictEqual(after);
    expect(balance.memory.sights).toStrictEqual(after);
  });

  it('finds what a cluster was scaled to on its ManifestWork, where the memory is lost', () => {
    const balance = asked([view('a', 5), view('b', 2, { scaledThere: 2 }), view('c', 5)]);
    expect(balance.memory.sights).toStrictEqual({ a: well(5), b: { ...well(2), pin: 2 }, c: well(5) });
    expect(Object.fromEntries(balance.next)).toEqual({ a: 5, b: 2, c: 5 });
  });

  it.each<[string, readonly View[], Given, object]>([
    ['less than its share', three(5, 2, 5), {}, { b: { replicas: 2, until: NOW + FIVE, guessed: true } }],
    ['its share', three(4, 4, 4), {}, {}],
    ['less, and not all are written,', three(5, 2, 4), {}, {}],
    ['less, and nothing is lent,', three(5, 2, 5), { balance: none }, {}],
    ['nothing yet', [view('a', 6), view('b', 6), joining('c')], {}, {}],
    ['less, and the memory of others is there,', three(5, 2, 5), { sights: { a: well(5), c: well(5) } }, {}],
  ])('guesses what was lent where a cluster has %s as %o', (_, views, given, caps) => {
    const found = [...asked(views, given).sights].flatMap(([cluster, { cap }]) => (cap ? [[cluster, cap]] : []));
    expect(Object.fromEntries(found)).toStrictEqual(caps);
  });

  it.each<[string, Partial<View>, number]>([
    ['all that is written, those that are not ready as well', { ready: 2 }, 4],
    ['no more than stand there', { onSpoke: 2, ready: 2 }, 2],
    ['no more than is written', { onSpoke: 9, ready: 9 }, 4],
    ['nothing where its ManifestWork is being deleted', { deleting: true, ready: 0 }, 0],
    ['nothing where it is not heard of', { reachable: false, ready: 0 }, 0],
  ])('keeps on a cluster that is left, until the others are ready, %s', (_, over, kept) => {
    const { next } = asked([view('a', 4, { selected: false, ...over }), joining('b')]);
    expect(Object.fromEntries(next)).toEqual({ a: kept, b: 12 });
  });
});
