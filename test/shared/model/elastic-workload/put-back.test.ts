import { describe, expect, it } from 'vitest';
import { putBacks } from '../../../../shared/model/elastic-workload/put-back.ts';
import type { View } from '../../../../shared/model/elastic-workload/sights.ts';
import { SECOND } from '../../../../shared/model/time.ts';

const writtenAt = Date.parse('2026-11-22T10:00:00Z');
const MINUTE = 60 * SECOND;
const NEVER = Number.POSITIVE_INFINITY;

const seen = { selected: true, reachable: true, deleting: false, upToDate: true, ready: 0 };

/** 4 are written, and 9 stand there. */
const above: View = { ...seen, cluster: 'a', written: 4, writtenAt, onSpoke: 9 };
const below: View = { ...above, onSpoke: 2 };

const { written: _written, ...unwritten } = above;
const { writtenAt: _writtenAt, ...undated } = above;
const { onSpoke: _onSpoke, ...unheard } = above;

/** With 4 wanted on every cluster. */
function decided(views: readonly View[], after: number, lends = false) {
  const next = new Map(views.map(({ cluster }) => [cluster, 4]));
  return putBacks(views, next, { lends, now: writtenAt + after });
}

describe('a number that stands on a spoke against the written one', () => {
  it.each([
    ['just before its time', 30 * SECOND - 1, [], writtenAt + 30 * SECOND],
    ['at its time', 30 * SECOND, ['a'], NEVER],
    ['after it', 30 * SECOND + 1, ['a'], NEVER],
  ])('is put back 30 s after it was written: %s', (_, after, names, later) => {
    expect(decided([above], after)).toStrictEqual({ putBack: new Set(names), later });
  });

  it.each([
    [0, 30 * SECOND],
    [1, 60 * SECOND],
    [2, 2 * MINUTE],
    [6, 32 * MINUTE],
    [7, 60 * MINUTE],
    [2000, 60 * MINUTE],
  ])('that was put back %i times is left for %i ms', (times, wait) => {
    expect(decided([{ ...above, putBacks: times }], 0).later).toBe(writtenAt + wait);
  });

  it.each([
    ['the cluster is not selected', { ...above, selected: false }],
    ['nothing is heard of the cluster', { ...above, reachable: false }],
    ['its ManifestWork goes', { ...above, deleting: true }],
    ['the agent has not seen what is written', { ...above, upToDate: false }],
    ['another number is written now', { ...above, written: 5 }],
    ['none is written', unwritten],
    ['nobody knows when it was written', undated],
    ['none is reported', unheard],
    ['it is the written one', { ...above, onSpoke: 4 }],
  ])('is left alone where %s', (_, view) => {
    expect(decided([view], MINUTE)).toStrictEqual({ putBack: new Set(), later: NEVER });
  });

  it.each([
    ['is put back from below where nothing is lent', below, false, ['a']],
    ['stays below where others are lent the rest', below, true, []],
    ['is put back where nobody can tell whose wish it is', { ...below, contested: true }, true, ['a']],
    ['is put back from above where nothing is lent', above, false, ['a']],
    ['is put back from above where something is lent', above, true, ['a']],
  ])('%s', (_, view, lends, names) => {
    expect(decided([view], MINUTE, lends)).toStrictEqual({ putBack: new Set(names), later: NEVER });
  });

  it('has its own time on each cluster, and the next one counts', () => {
    const late = { ...above, cluster: 'b', putBacks: 3 };
    const soon = { ...above, cluster: 'c', putBacks: 1 };
    expect(decided([above, late, soon], 45 * SECOND)).toStrictEqual({
      putBack: new Set(['a']),
      later: writtenAt + MINUTE,
    });
  });

  it('is put back to 0 where the cluster is to have none', () => {
    const { putBack } = putBacks([{ ...above, written: 0 }], new Map(), { lends: true, now: writtenAt + MINUTE });
    expect(putBack).toEqual(new Set(['a']));
  });
});
