import { describe, expect, it } from 'vitest';
import { SECOND } from '../../../shared/core/time.ts';
import { putBacks } from '../../../shared/elastic-workload/drift-correction.ts';
import type { View } from '../../../shared/elastic-workload/observe-placement.ts';

const writtenAt = Date.parse('2026-11-22T10:00:00Z');
const MINUTE = 60 * SECOND;
const NEVER = Number.POSITIVE_INFINITY;

const seen = { selected: true, reachable: true, deleting: false, upToDate: true, ready: 0 };

/** 4 are written, and 9 stand there. */
const above: View = { ...seen, cluster: 'a', written: 4, writtenAt, replicasOnCluster: 9 };
const below: View = { ...above, replicasOnCluster: 2 };

const { written: _written, ...unwritten } = above;
const { writtenAt: _writtenAt, ...undated } = above;
const { replicasOnCluster: _replicasOnCluster, ...unheard } = above;

/** With 4 wanted on every cluster. */
function decided(views: readonly View[], after: number, borrows = false) {
  const next = new Map(views.map(({ cluster }) => [cluster, 4]));
  return putBacks(views, next, { borrows, now: writtenAt + after });
}

describe('a replica count on a managed cluster that differs from the written one', () => {
  it.each([
    ['just before its time', 30 * SECOND - 1, [], writtenAt + 30 * SECOND],
    ['at its time', 30 * SECOND, ['a'], NEVER],
    ['after it', 30 * SECOND + 1, ['a'], NEVER],
  ])('is reset 30 s after it was written: %s', (_, after, names, later) => {
    expect(decided([above], after)).toStrictEqual({ putBack: new Set(names), later });
  });

  it.each([
    [0, 30 * SECOND],
    [1, 60 * SECOND],
    [2, 2 * MINUTE],
    [6, 32 * MINUTE],
    [7, 60 * MINUTE],
    [2000, 60 * MINUTE],
  ])('is reset again after %i resets only after %i ms', (times, wait) => {
    expect(decided([{ ...above, putBacks: times }], 0).later).toBe(writtenAt + wait);
  });

  it.each([
    ['the cluster is not selected', { ...above, selected: false }],
    ['the cluster is unreachable', { ...above, reachable: false }],
    ['its ManifestWork goes', { ...above, deleting: true }],
    ['the agent has not seen what is written', { ...above, upToDate: false }],
    ['another number is written now', { ...above, written: 5 }],
    ['none is written', unwritten],
    ['the time of the write is unknown', undated],
    ['none is reported', unheard],
    ['it is the written one', { ...above, replicasOnCluster: 4 }],
  ])('is not reset if %s', (_, view) => {
    expect(decided([view], MINUTE)).toStrictEqual({ putBack: new Set(), later: NEVER });
  });

  it.each([
    ['is raised to the written one if nothing is borrowed', below, false, ['a']],
    ['stays below if other clusters borrow the rest', below, true, []],
    ['is reset if its author is ambiguous', { ...below, contested: true }, true, ['a']],
    ['is lowered to the written one if nothing is borrowed', above, false, ['a']],
    ['is lowered to the written one if replicas are borrowed', above, true, ['a']],
  ])('%s', (_, view, borrows, names) => {
    expect(decided([view], MINUTE, borrows)).toStrictEqual({ putBack: new Set(names), later: NEVER });
  });

  it('has its own reset time on each cluster, and the earliest one is returned', () => {
    const late = { ...above, cluster: 'b', putBacks: 3 };
    const soon = { ...above, cluster: 'c', putBacks: 1 };
    expect(decided([above, late, soon], 45 * SECOND)).toStrictEqual({
      putBack: new Set(['a']),
      later: writtenAt + MINUTE,
    });
  });

  it('is reset to 0 if the cluster must have no replicas', () => {
    const { putBack } = putBacks([{ ...above, written: 0 }], new Map(), { borrows: true, now: writtenAt + MINUTE });
    expect(putBack).toEqual(new Set(['a']));
  });
});
