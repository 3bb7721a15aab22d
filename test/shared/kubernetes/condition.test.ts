import { describe, expect, it } from 'vitest';
import { withCondition } from '../../../shared/kubernetes/condition.ts';
import { at } from '../../builders.ts';

const ready = { type: 'Ready', status: 'True', reason: 'AllReady', message: 'all are ready' } as const;
const stored = { ...ready, lastTransitionTime: '2026-11-21T09:00:00Z' };
const other = { type: 'Other', status: 'True', lastTransitionTime: '2026-11-21T08:00:00Z' };

describe('a condition that is set', () => {
  it('comes last where there was none, with the time of now', () => {
    expect(withCondition([other], ready, at(5))).toEqual([
      other,
      { ...ready, lastTransitionTime: '2026-11-21T10:00:05Z' },
    ]);
  });

  it('keeps its place, and its time while the status is the same', () => {
    const next = { ...ready, message: 'all 3 are ready' };
    expect(withCondition([stored, other], next, at(5))).toEqual([{ ...stored, message: 'all 3 are ready' }, other]);
  });

  it('gets the time of now where its status turns', () => {
    const next = { ...ready, status: 'False' } as const;
    expect(withCondition([stored, other], next, at(5))).toEqual([
      { ...next, lastTransitionTime: '2026-11-21T10:00:05Z' },
      other,
    ]);
  });
});
