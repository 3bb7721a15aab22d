/** Whether a hub counts as reachable; expected states by the meaning of each. */
import { describe, expect, it } from 'vitest';
import { type ReachObservation, reachOf } from '../../../shared/kubernetes/hub-reach.ts';

const MINUTE = 60_000;
const now = Date.parse('2026-11-23T10:00:00Z');
const observed = (over: Partial<ReachObservation>): ReachObservation => ({
  comparedAt: now - 5 * MINUTE,
  resyncMinutes: 5,
  now,
  ...over,
});

describe('a hub', () => {
  it('is Reachable while it answers and resync succeeded within three intervals', () => {
    expect(reachOf(observed({}))).toEqual({ state: 'Reachable', comparedAt: now - 5 * MINUTE });
    expect(reachOf(observed({ comparedAt: now - 15 * MINUTE })).state).toBe('Reachable');
  });

  it('is NotCompared once resync has not succeeded for three intervals, even if it answers', () => {
    const comparedAt = now - 15 * MINUTE - 1;
    expect(reachOf(observed({ comparedAt }))).toEqual({
      state: 'NotCompared',
      message: 'resync has not succeeded for 3 intervals',
      comparedAt,
    });
    expect(reachOf(observed({ comparedAt: undefined }))).toEqual({
      state: 'NotCompared',
      message: 'it was never compared with its tasks',
    });
  });

  it('is Unreachable at once when a request fails, and reports the last comparison', () => {
    expect(reachOf(observed({ error: 'connect ECONNREFUSED' }))).toEqual({
      state: 'Unreachable',
      message: 'connect ECONNREFUSED',
      comparedAt: now - 5 * MINUTE,
    });
  });
});
