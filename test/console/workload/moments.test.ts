import { describe, expect, it } from 'vitest';
import { merged } from '../../../console/workload/moments.ts';
import type { Moment } from '../../../shared/console-api/operations/fleet.ts';

const moment = (at: string, text: string): Moment => ({ at, who: 'scheduler', what: 'written', text });

describe('the history of a workload', () => {
  it('merges logged and known moments, newest first, without duplicates', () => {
    const known = [moment('2026-11-22T12:00:05Z', 'b'), moment('2026-11-22T12:00:01Z', 'a')];
    const logged = [moment('2026-11-22T12:00:03Z', 'c'), moment('2026-11-22T12:00:01Z', 'a')];
    expect(merged(known, logged).map(({ text }) => text)).toEqual(['b', 'c', 'a']);
  });

  it('keeps the order of moments of the same second', () => {
    const known = ['x', 'y', 'z'].map((text) => moment('2026-11-22T12:00:05Z', text));
    expect(merged(known, []).map(({ text }) => text)).toEqual(['x', 'y', 'z']);
  });
});
