/** What one look makes of what is remembered of a cluster, case by case; balance-replicas.test.ts has the same over time. */
import { describe, expect, it } from 'vitest';
import {
  afterWrite,
  observe,
  observeAgainAt,
  type PlacementObservation,
  type View,
} from '../../../shared/elastic-workload/observe-placement.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');
/** Of hesitation. */
const FIVE = 300_000;
const looking = { now: NOW, hesitationMs: FIVE };
const ago = (ms: number) => NOW - ms;

function seen(over: Partial<View> = {}): View {
  const all = {
    selected: true,
    reachable: true,
    deleting: false,
    upToDate: true,
    written: 4,
    replicasOnCluster: 4,
    ready: 4,
  };
  return { cluster: 'a', ...all, ...over };
}

const healthy: PlacementObservation = { written: 4, reached: true, readySince: ago(1000) };
const short = (ms: number, most = 2): PlacementObservation => ({
  written: 4,
  reached: true,
  short: { since: ago(ms), most },
});

function expectLook(before: PlacementObservation | undefined, view: View, after: PlacementObservation): void {
  expect(observe(before, view, looking)).toStrictEqual(after);
}

describe('a cluster that has its number', () => {
  it('is healthy since it was first observed as healthy', () => {
    expectLook(undefined, seen(), { written: 4, reached: true, readySince: NOW });
    expectLook(healthy, seen(), healthy);
  });

  it('is not healthy while it is deselected', () => {
    expectLook(healthy, seen({ selected: false }), { written: 4, reached: true });
  });

  it('is healthy with 0 written replicas if it has no ManifestWork', () => {
    const { written: _, replicasOnCluster: __, ...nothing } = seen({ ready: 0 });
    expectLook(undefined, nothing, { written: 0, readySince: NOW });
  });

  it.each([
    ['not before it was healthy for as long as the current delay', 2 * FIVE - 1, 1],
    ['and then', 2 * FIVE, undefined],
  ])('resets its failures %s', (_, ms, failures) => {
    const before = { ...healthy, readySince: ago(ms), failures: 1 };
    expect(observe(before, seen(), looking).failures).toBe(failures);
  });
});

describe('a cluster that is short of its number', () => {
  it('is short since the first observation', () => {
    expectLook(healthy, seen({ ready: 2 }), short(0));
    expectLook(short(1000), seen({ ready: 2 }), short(1000));
  });

  it('restarts its time with every additional ready replica, and not with one less', () => {
    expectLook(short(1000), seen({ ready: 3 }), short(0, 3));
    expectLook(short(1000), seen({ ready: 1 }), short(1000));
  });

  it('restarts its time if a higher number is written, and not if a lower one is', () => {
    expect(observe({ ...short(1000), written: 3 }, seen({ ready: 2 }), looking).short?.since).toBe(NOW);
    expect(observe({ ...short(1000), written: 5 }, seen({ ready: 2 }), looking).short?.since).toBe(ago(1000));
  });

  it('gets a learned limit after the hesitation, and not before', () => {
    expectLook(short(FIVE - 1), seen({ ready: 2 }), short(FIVE - 1));
    const cap = { replicas: 2, until: NOW + FIVE };
    expectLook(short(FIVE), seen({ ready: 2 }), { ...short(FIVE), cap, failures: 1 });
  });

  it('gets a limit that is marked as unreachable, if it is unreachable', () => {
    const cap = { replicas: 0, until: NOW + FIVE, unreachable: true };
    expect(observe(short(FIVE), seen({ ready: 0, reachable: false }), looking).cap).toStrictEqual(cap);
  });

  it.each([
    [0, FIVE, FIVE],
    [1, FIVE, 2 * FIVE],
    [3, FIVE, 8 * FIVE],
    [4, FIVE, 3_600_000],
    [2000, FIVE, 3_600_000],
    [3, 7_200_000, 7_200_000],
  ])('gets a learned limit after %i failures and a hesitation of %i ms for %i ms', (failures, hesitationMs, ms) => {
    const { cap, failures: counted } = observe({ ...short(hesitationMs), failures }, seen({ ready: 2 }), {
      now: NOW,
      hesitationMs,
    });
    expect([cap?.until, counted]).toEqual([NOW + ms, failures + 1]);
  });
});

describe('the learned capacity limit of a cluster', () => {
  const capped = (until: number, more: object = {}): PlacementObservation => ({
    ...{ written: 2, reached: true, failures: 1 },
    cap: { replicas: 2, until, ...more },
  });
  const two = { written: 2, replicasOnCluster: 2, ready: 2 };

  it('is believed until its time is over', () => {
    expectLook(capped(NOW + 1), seen(two), capped(NOW + 1));
    expectLook(capped(NOW), seen(two), { written: 2, reached: true, failures: 1, readySince: NOW });
  });

  it('expires: the next attempt starts its own time', () => {
    const before = { ...short(FIVE), cap: { replicas: 2, until: NOW }, failures: 1 };
    expectLook(before, seen({ ready: 2 }), { ...short(0), failures: 1 });
  });

  it('adds no failure while it is valid', () => {
    const before = { ...short(FIVE), cap: { replicas: 2, until: NOW + 1 }, failures: 1 };
    expectLook(before, seen({ ready: 2 }), before);
  });

  it('is renewed for an unreachable cluster', () => {
    const silent = { ...two, reachable: false, ready: 0 };
    const cap = (until: number) => observe(capped(until, { unreachable: true }), seen(silent), looking).cap;
    expect([cap(NOW + 1), cap(NOW)]).toEqual([
      { replicas: 2, until: NOW + 1, unreachable: true },
      { replicas: 2, until: NOW + FIVE, unreachable: true },
    ]);
  });

  it('is kept for at most the hesitation time after the cluster is reachable again', () => {
    const cap = (until: number) => observe(capped(until, { unreachable: true }), seen(two), looking).cap;
    expect([cap(NOW + 9 * FIVE), cap(NOW + 1)]).toStrictEqual([
      { replicas: 2, until: NOW + FIVE },
      { replicas: 2, until: NOW + 1 },
    ]);
    expect(observe(capped(NOW + 9 * FIVE), seen(two), looking).cap?.until).toBe(NOW + 9 * FIVE);
  });
});

describe('a replica count that differs from the written one', () => {
  const taken: PlacementObservation = { written: 4, reached: true };
  const scaled = { replicasOnCluster: 2, ready: 2 };

  it('is a manual override of the managed cluster, if the agent had applied the written number', () => {
    expectLook(taken, seen(scaled), { ...short(0), pin: 2 });
  });

  it('is not classified while the managed cluster is unreachable or its agent is behind: the previous result applies', () => {
    for (const over of [{ reachable: false }, { upToDate: false }]) {
      expect(observe(taken, seen({ ...scaled, ...over }), looking).pin).toBeUndefined();
      expect(observe({ ...taken, pin: 6 }, seen({ ...scaled, ...over }), looking).pin).toBe(6);
    }
  });

  it('remains an override if it equals the written number by now, or nothing is reported', () => {
    const { replicasOnCluster: _, ...silent } = seen();
    for (const view of [seen(), silent]) expect(observe({ ...taken, pin: 4 }, view, looking).pin).toBe(4);
  });

  it('is no override on a deselected cluster', () => {
    expect(observe({ ...taken, pin: 6 }, seen({ ...scaled, selected: false }), looking).pin).toBeUndefined();
  });

  it('is no override without a ManifestWork', () => {
    const { written: _, ...unwritten } = seen({ replicasOnCluster: 0, ready: 0 });
    expectLook(undefined, unwritten, { written: 0, reached: true, readySince: NOW });
  });

  it('is no override while the number of an ended override stays', () => {
    const before = { ...taken, past: 2 };
    expect(observe(before, seen(scaled), looking)).toStrictEqual({ ...short(0), past: 2 });
    expect(observe(before, seen({ replicasOnCluster: 3, ready: 2 }), looking)).toStrictEqual({ ...short(0), pin: 3 });
    expect(observe(before, seen(), looking)).toStrictEqual({ ...healthy, readySince: NOW });
    expect(observe({ ...taken, past: 4 }, seen(), looking)).toStrictEqual({ ...healthy, readySince: NOW });
  });

  it('is no override if it is an earlier number of ours that the managed cluster still has; any other number is one', () => {
    const before: PlacementObservation = { written: 4, pending: [2, 3] };
    const of = (replicasOnCluster: number, upToDate = true) =>
      observe(before, seen({ replicasOnCluster, upToDate, ready: 4 }), looking);
    expect(of(3)).toStrictEqual({ written: 4, pending: [2, 3], readySince: NOW });
    expect(of(5)).toStrictEqual({ written: 4, reached: true, pin: 5, readySince: NOW });
    expect(of(5, false)).toStrictEqual({ written: 4, pending: [2, 3], readySince: NOW });
    expect(of(4)).toStrictEqual({ written: 4, reached: true, readySince: NOW });
    const { replicasOnCluster: _, ...silent } = seen();
    expect(observe(before, silent, looking)).toStrictEqual({ written: 4, pending: [2, 3], readySince: NOW });
  });

  it('is not classified if another user wrote the number: the earlier numbers are unknown', () => {
    expect(observe({ ...taken, written: 3, pending: [2] }, seen({ replicasOnCluster: 5 }), looking)).toStrictEqual({
      written: 4,
      readySince: NOW,
    });
    expect(observe({ written: 4 }, seen({ replicasOnCluster: 5 }), looking).pin).toBeUndefined();
  });

  it.each([
    ['for the time of hesitation', FIVE, 2],
    ['for less', FIVE - 1, undefined],
    ['for an unknown time', undefined, undefined],
  ])('is classified, without reconciler state, by our number being written %s', (_, ms, pin) => {
    const writtenAt = ms === undefined ? {} : { writtenAt: ago(ms) };
    expect(observe(undefined, seen({ ...scaled, ...writtenAt }), looking).pin).toBe(pin);
  });

  it('is not classified, without reconciler state, if the status does not name the cluster', () => {
    expect(
      observe(undefined, seen({ ...scaled, writtenAt: ago(FIVE), unreported: true }), looking).pin,
    ).toBeUndefined();
  });
});

describe('the written number', () => {
  it('changes no observation if it was written before', () => {
    expect(afterWrite(healthy, { next: 4, ready: 4 }, NOW)).toBe(healthy);
  });

  it('must be applied again, and become ready from now', () => {
    expect(afterWrite(healthy, { next: 6, ready: 4, replicasOnCluster: 4 }, NOW)).toStrictEqual({
      written: 6,
      pending: [4],
      short: { since: NOW, most: 4 },
    });
  });

  it('keeps a cluster healthy that already has enough', () => {
    expect(afterWrite(healthy, { next: 3, ready: 4, replicasOnCluster: 4 }, NOW)).toStrictEqual({
      written: 3,
      pending: [4],
      readySince: ago(1000),
    });
  });

  it('sets no cluster healthy that was not observed as healthy', () => {
    expect(afterWrite({ written: 4, reached: true }, { next: 3, ready: 4, replicasOnCluster: 4 }, NOW)).toStrictEqual({
      written: 3,
      pending: [4],
    });
  });

  it('keeps a cluster short that is scaled down and still lacks replicas', () => {
    expect(afterWrite(short(1000), { next: 3, ready: 2, replicasOnCluster: 4 }, NOW).short).toEqual({
      since: ago(1000),
      most: 2,
    });
    expect(afterWrite(healthy, { next: 3, ready: 2, replicasOnCluster: 4 }, NOW).short).toEqual({
      since: NOW,
      most: 2,
    });
    expect(afterWrite(short(1000), { next: 6, ready: 2, replicasOnCluster: 4 }, NOW).short).toEqual({
      since: NOW,
      most: 2,
    });
    expect(afterWrite(short(1000), { next: 2, ready: 2, replicasOnCluster: 4 }, NOW).short).toBeUndefined();
  });

  it('records the earlier written and reported numbers as pending, each once, the last eight', () => {
    const before = { written: 9, pending: [1, 2, 3, 4, 5, 6, 7, 8] };
    expect(afterWrite(before, { next: 10, ready: 10, replicasOnCluster: 5 }, NOW).pending).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9,
    ]);
    expect(afterWrite({ written: 4 }, { next: 5, ready: 5, replicasOnCluster: 2 }, NOW).pending).toEqual([4, 2]);
    expect(afterWrite({ written: 4 }, { next: 5, ready: 5 }, NOW).pending).toEqual([4, 5]);
  });
});

describe('the next reconcile', () => {
  it.each<[string, PlacementObservation, number]>([
    ['is when a learned limit expires', { ...short(1000), cap: { replicas: 2, until: NOW + 7 } }, NOW + 7],
    ['is when the hesitation of a short cluster ends', short(1000), NOW + FIVE - 1000],
    ['is not scheduled if all is healthy', healthy, Number.POSITIVE_INFINITY],
  ])('%s', (_, observation, at) => {
    expect(observeAgainAt(observation, looking)).toBe(at);
  });
});
