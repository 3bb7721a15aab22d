import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scheduleName } from '../../../shared/core/digest.ts';
import { DAY, fromTimestamp, toTimestamp, wholeSecond } from '../../../shared/core/time.ts';
import { anyCharacter } from '../../any-character.ts';
import { at } from '../../builders.ts';

describe('a timestamp', () => {
  it('is cut to the whole second, never rounded up', () => {
    expect(toTimestamp(at(5) + 999)).toBe('2026-11-21T10:00:05Z');
  });

  it.each([
    ['2026-11-21T10:00:05Z', at(5)],
    ['2026-11-21T12:00:05+02:00', at(5)],
    ['2026-11-21T10:00:05.123456Z', at(5) + 123],
  ])('%s is read', (text, instant) => {
    expect(fromTimestamp(text)).toBe(instant);
  });

  it.each([
    '',
    'now',
    '2026-11-21',
    '2026-11-21 10:00:05Z',
    '2026-13-21T10:00:05Z',
    '1795263043',
    '2026-11-21T10:00:05',
    '+002026-11-21T10:00:05Z',
    '2026-11-21T10:00:05+02:00(UTC)',
  ])('%j is none', (text) => {
    expect(fromTimestamp(text)).toBeUndefined();
  });

  it('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: at(0) * 2 }), (instant) => {
        expect(fromTimestamp(toTimestamp(instant))).toBe(wholeSecond(instant));
      }),
    );
  });
});

describe('a day', () => {
  it('has 86,400 seconds', () => {
    expect(DAY).toBe(86_400_000);
  });
});

describe('the name of a schedule', () => {
  it('is valid on AWS for any hub and uid, and differs between tasks and purposes', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: anyCharacter }), (hub, uid) => {
        const name = scheduleName('confirm', { hub, uid });
        expect(name).toMatch(/^[0-9A-Za-z_.-]{1,64}$/);
        expect(name).not.toBe(scheduleName('confirm', { hub: `${hub}x`, uid }));
        expect(name).not.toBe(scheduleName('expire', { hub, uid }));
      }),
    );
  });
});
