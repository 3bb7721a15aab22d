/** What one look makes of what is remembered of a cluster, case by case; balance-replicas.test.ts has the same over time. */
import { describe, expect, it } from 'vitest';
import {
  afterWrite,
  look,
  lookAgainAt,
  type Sight,
  type View,
} from '../../../../shared/model/elastic-workload/sights.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');
/** Of hesitation. */
const FIVE = 300_000;
const looking = { now: NOW, hesitationMs: FIVE };
const ago = (ms: number) => NOW - ms;

function seen(over: Partial<View> = {}): View {
  const all = { selected: true, reachable: true, deleting: false, upToDate: true, written: 4, onSpoke: 4, ready: 4 };
  return { cluster: 'a', ...all, ...over };
}

const well: Sight = { written: 4, reached: true, wellSince: ago(1000) };
const short = (ms: number, most = 2): Sight => ({ written: 4, reached: true, short: { since: ago(ms), most } });

function expectLook(before: Sight | undefined, view: View, after: Sight): void {
  expect(look(before, view, looking)).toStrictEqual(after);
}

describe('a cluster that has its number', () => {
  it('is well since it was first seen so', () => {
    expectLook(undefined, seen(), { written: 4, reached: true, wellSince: NOW });
    expectLook(well, seen(), well);
  });

  it('is not called well while it is on its way out', () => {
    expectLook(well, seen({ selected: false }), { written: 4, reached: true });
  });

  it('has none where no ManifestWork is', () => {
    const { written: _, onSpoke: __, ...nothing } = seen({ ready: 0 });
    expectLook(undefined, nothing, { written: 0, wellSince: NOW });
  });

  it.each([
    ['not before it was well for as long as it would be put off now', 2 * FIVE - 1, 1],
    ['and then', 2 * FIVE, undefined],
  ])('is forgiven what it failed %s', (_, ms, failures) => {
    const before = { ...well, wellSince: ago(ms), failures: 1 };
    expect(look(before, seen(), looking).failures).toBe(failures);
  });
});

describe('a cluster that is short of its number', () => {
  it('is so since it was first seen so', () => {
    expectLook(well, seen({ ready: 2 }), short(0));
    expectLook(short(1000), seen({ ready: 2 }), short(1000));
  });

  it('is so anew with every replica more than there were, and not with one less', () => {
    expectLook(short(1000), seen({ ready: 3 }), short(0, 3));
    expectLook(short(1000), seen({ ready: 1 }), short(1000));
  });

  it('is so anew where more is written, and not where less is', () => {
    expect(look({ ...short(1000), written: 3 }, seen({ ready: 2 }), looking).short?.since).toBe(NOW);
    expect(look({ ...short(1000), written: 5 }, seen({ ready: 2 }), looking).short?.since).toBe(ago(1000));
  });

  it('is believed not to manage more after the time of hesitation, and not before', () => {
    expectLook(short(FIVE - 1), seen({ ready: 2 }), short(FIVE - 1));
    const cap = { replicas: 2, until: NOW + FIVE };
    expectLook(short(FIVE), seen({ ready: 2 }), { ...short(FIVE), cap, failures: 1 });
  });

  it('is noted as one that nothing is heard of, where that is so', () => {
    const cap = { replicas: 0, until: NOW + FIVE, unreachable: true };
    expect(look(short(FIVE), seen({ ready: 0, reachable: false }), looking).cap).toStrictEqual(cap);
  });

  it.each([
    [0, FIVE, FIVE],
    [1, FIVE, 2 * FIVE],
    [3, FIVE, 8 * FIVE],
    [4, FIVE, 3_600_000],
    [2000, FIVE, 3_600_000],
    [3, 7_200_000, 7_200_000],
  ])('is put off after %i failures and a hesitation of %i ms for %i ms', (failures, hesitationMs, ms) => {
    const { cap, failures: counted } = look({ ...short(hesitationMs), failures }, seen({ ready: 2 }), {
      now: NOW,
      hesitationMs,
    });
    expect([cap?.until, counted]).toEqual([NOW + ms, failures + 1]);
  });
});

describe('what a cluster was learned to manage', () => {
  const capped = (until: number, more: object = {}): Sight => ({
    ...{ written: 2, reached: true, failures: 1 },
    cap: { replicas: 2, until, ...more },
  });
  const two = { written: 2, onSpoke: 2, ready: 2 };

  it('is believed until its time is over', () => {
    expectLook(capped(NOW + 1), seen(two), capped(NOW + 1));
    expectLook(capped(NOW), seen(two), { written: 2, reached: true, failures: 1, wellSince: NOW });
  });

  it('is tried anew then: time counts from there', () => {
    const before = { ...short(FIVE), cap: { replicas: 2, until: NOW }, failures: 1 };
    expectLook(before, seen({ ready: 2 }), { ...short(0), failures: 1 });
  });

  it('fails nothing more while it is believed', () => {
    const before = { ...short(FIVE), cap: { replicas: 2, until: NOW + 1 }, failures: 1 };
    expectLook(before, seen({ ready: 2 }), before);
  });

  it('is believed on of one that nothing is heard of, time after time', () => {
    const silent = { ...two, reachable: false, ready: 0 };
    const cap = (until: number) => look(capped(until, { unreachable: true }), seen(silent), looking).cap;
    expect([cap(NOW + 1), cap(NOW)]).toEqual([
      { replicas: 2, until: NOW + 1, unreachable: true },
      { replicas: 2, until: NOW + FIVE, unreachable: true },
    ]);
  });

  it('is believed of one that is heard of again for the time of hesitation at most', () => {
    const cap = (until: number) => look(capped(until, { unreachable: true }), seen(two), looking).cap;
    expect([cap(NOW + 9 * FIVE), cap(NOW + 1)]).toStrictEqual([
      { replicas: 2, until: NOW + FIVE },
      { replicas: 2, until: NOW + 1 },
    ]);
    expect(look(capped(NOW + 9 * FIVE), seen(two), looking).cap?.until).toBe(NOW + 9 * FIVE);
  });
});

describe('a number that is not what was written', () => {
  const taken: Sight = { written: 4, reached: true };
  const scaled = { onSpoke: 2, ready: 2 };

  it("is its own people's wish, once the spoke had taken ours over", () => {
    expectLook(taken, seen(scaled), { ...short(0), pin: 2 });
  });

  it('is none that can be told while the spoke is not heard of, or its agent is behind: what was told before counts', () => {
    for (const over of [{ reachable: false }, { upToDate: false }]) {
      expect(look(taken, seen({ ...scaled, ...over }), looking).pin).toBeUndefined();
      expect(look({ ...taken, pin: 6 }, seen({ ...scaled, ...over }), looking).pin).toBe(6);
    }
  });

  it('stays a wish where it is written by now, or nothing is reported', () => {
    const { onSpoke: _, ...silent } = seen();
    for (const view of [seen(), silent]) expect(look({ ...taken, pin: 4 }, view, looking).pin).toBe(4);
  });

  it('is no wish on a cluster that is on its way out', () => {
    expect(look({ ...taken, pin: 6 }, seen({ ...scaled, selected: false }), looking).pin).toBeUndefined();
  });

  it('is no wish where no ManifestWork is', () => {
    const { written: _, ...unwritten } = seen({ onSpoke: 0, ready: 0 });
    expectLook(undefined, unwritten, { written: 0, reached: true, wellSince: NOW });
  });

  it('is a wish that is over for as long as it stands', () => {
    const before = { ...taken, past: 2 };
    expect(look(before, seen(scaled), looking)).toStrictEqual({ ...short(0), past: 2 });
    expect(look(before, seen({ onSpoke: 3, ready: 2 }), looking)).toStrictEqual({ ...short(0), pin: 3 });
    expect(look(before, seen(), looking)).toStrictEqual({ ...well, wellSince: NOW });
    expect(look({ ...taken, past: 4 }, seen(), looking)).toStrictEqual({ ...well, wellSince: NOW });
  });

  it('is one of ours from before, which the spoke has not left yet; any other is a wish', () => {
    const before: Sight = { written: 4, pending: [2, 3] };
    const of = (onSpoke: number, upToDate = true) => look(before, seen({ onSpoke, upToDate, ready: 4 }), looking);
    expect(of(3)).toStrictEqual({ written: 4, pending: [2, 3], wellSince: NOW });
    expect(of(5)).toStrictEqual({ written: 4, reached: true, pin: 5, wellSince: NOW });
    expect(of(5, false)).toStrictEqual({ written: 4, pending: [2, 3], wellSince: NOW });
    expect(of(4)).toStrictEqual({ written: 4, reached: true, wellSince: NOW });
    const { onSpoke: _, ...silent } = seen();
    expect(look(before, silent, looking)).toStrictEqual({ written: 4, pending: [2, 3], wellSince: NOW });
  });

  it('tells nothing of a number that somebody else wrote: which ones were before is not known', () => {
    expect(look({ ...taken, written: 3, pending: [2] }, seen({ onSpoke: 5 }), looking)).toStrictEqual({
      written: 4,
      wellSince: NOW,
    });
    expect(look({ written: 4 }, seen({ onSpoke: 5 }), looking).pin).toBeUndefined();
  });

  it.each([
    ['for the time of hesitation', FIVE, 2],
    ['for less', FIVE - 1, undefined],
    ['since nobody knows when', undefined, undefined],
  ])('is judged, where nothing is remembered, by ours having stood %s', (_, ms, pin) => {
    const writtenAt = ms === undefined ? {} : { writtenAt: ago(ms) };
    expect(look(undefined, seen({ ...scaled, ...writtenAt }), looking).pin).toBe(pin);
  });
});

describe('what is written', () => {
  it('changes nothing where it was written before', () => {
    expect(afterWrite(well, { next: 4, ready: 4 }, NOW)).toBe(well);
  });

  it('is to be taken over anew, and to be ready from now', () => {
    expect(afterWrite(well, { next: 6, ready: 4, onSpoke: 4 }, NOW)).toStrictEqual({
      written: 6,
      pending: [4],
      short: { since: NOW, most: 4 },
    });
  });

  it('leaves a cluster well that has enough already', () => {
    expect(afterWrite(well, { next: 3, ready: 4, onSpoke: 4 }, NOW)).toStrictEqual({
      written: 3,
      pending: [4],
      wellSince: ago(1000),
    });
  });

  it('makes none well that was not seen so', () => {
    expect(afterWrite({ written: 4, reached: true }, { next: 3, ready: 4, onSpoke: 4 }, NOW)).toStrictEqual({
      written: 3,
      pending: [4],
    });
  });

  it('leaves one short that is to have less and lacks some still', () => {
    expect(afterWrite(short(1000), { next: 3, ready: 2, onSpoke: 4 }, NOW).short).toEqual({
      since: ago(1000),
      most: 2,
    });
    expect(afterWrite(well, { next: 3, ready: 2, onSpoke: 4 }, NOW).short).toEqual({ since: NOW, most: 2 });
    expect(afterWrite(short(1000), { next: 6, ready: 2, onSpoke: 4 }, NOW).short).toEqual({ since: NOW, most: 2 });
    expect(afterWrite(short(1000), { next: 2, ready: 2, onSpoke: 4 }, NOW).short).toBeUndefined();
  });

  it('has the spoke behind by what was written and reported before, each once, the last eight', () => {
    const before = { written: 9, pending: [1, 2, 3, 4, 5, 6, 7, 8] };
    expect(afterWrite(before, { next: 10, ready: 10, onSpoke: 5 }, NOW).pending).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(afterWrite({ written: 4 }, { next: 5, ready: 5, onSpoke: 2 }, NOW).pending).toEqual([4, 2]);
    expect(afterWrite({ written: 4 }, { next: 5, ready: 5 }, NOW).pending).toEqual([4, 5]);
  });
});

describe('the next look', () => {
  it.each<[string, Sight, number]>([
    ['is when a cap is over', { ...short(1000), cap: { replicas: 2, until: NOW + 7 } }, NOW + 7],
    ['is when one that is short had its time', short(1000), NOW + FIVE - 1000],
    ['is due at no time where all is well', well, Number.POSITIVE_INFINITY],
  ])('%s', (_, sight, at) => {
    expect(lookAgainAt(sight, looking)).toBe(at);
  });
});
