/** Calendars by worked examples, the hours that clocks skip and repeat among them. */
import { describe, expect, it } from 'vitest';
import { lastTime, nextTime, opensAt, whyNotCron } from '../../../shared/rebalance-policy/calendar.ts';

const at = (text: string) => Date.parse(text);
const text = (instant: number | undefined) => instant && new Date(instant).toISOString();
const nightly = { cron: '0 3 * * *', timeZone: 'UTC' };

describe('a calendar', () => {
  it.each([
    ['2026-11-21T02:59:59.999Z', '2026-11-20T03:00:00.000Z', '2026-11-21T03:00:00.000Z'],
    ['2026-11-21T03:00:00.000Z', '2026-11-21T03:00:00.000Z', '2026-11-22T03:00:00.000Z'],
    ['2026-11-21T03:00:00.999Z', '2026-11-21T03:00:00.000Z', '2026-11-22T03:00:00.000Z'],
    ['2026-11-21T23:00:00.000Z', '2026-11-21T03:00:00.000Z', '2026-11-22T03:00:00.000Z'],
  ])('at %s came last at %s and comes next at %s', (now, last, next) => {
    expect([text(lastTime(nightly, at(now))), text(nextTime(nightly, at(now)))]).toEqual([last, next]);
  });

  it.each([
    ['in summer', '2026-07-01T00:00:00Z', '2026-07-01T00:30:00.000Z'],
    ['in winter', '2026-12-01T00:00:00Z', '2026-12-01T01:30:00.000Z'],
    ['in the night that has no such hour', '2026-03-29T00:00:00Z', '2026-03-29T01:00:00.000Z'],
  ])('keeps to its time zone: %s', (_, now, next) => {
    expect(text(nextTime({ cron: '30 2 * * *', timeZone: 'Europe/Berlin' }, at(now)))).toBe(next);
  });

  it('fires once in the night in which the hour repeats', () => {
    const calendar = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' };
    const first = nextTime(calendar, at('2026-10-24T12:00:00Z')) ?? 0;
    expect([text(first), text(nextTime(calendar, first))]).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it.each([
    [{ cron: '0 25 * * *', timeZone: 'UTC' }, 'cron is "0 25 * * *" (Invalid value for hour: 25); write minute'],
    [{ cron: '0 3 * *', timeZone: 'UTC' }, 'cron is "0 3 * *" ('],
    [{ cron: '0 0 3 * * *', timeZone: 'UTC' }, 'cron is "0 0 3 * * *" ('],
    [{ cron: '0 0 31 2 *', timeZone: 'UTC' }, 'cron is "0 0 31 2 *", which never comes; write a time that there is'],
    [
      { cron: '0 3 * * *', timeZone: 'Mars/Base' },
      'timeZone is "Mars/Base"; write a name of the IANA time zone database',
    ],
  ])('reports what is wrong with %j', (calendar, why) => {
    expect(whyNotCron(calendar)).toContain(why);
  });

  it('supports a day that occurs every four years', () => {
    expect(whyNotCron({ cron: '0 0 29 2 *', timeZone: 'UTC' })).toBeUndefined();
  });
});

describe('windows', () => {
  const night = { cron: '0 22 * * *', timeZone: 'UTC', durationMs: 8 * 3_600_000 };
  const noon = { cron: '0 12 * * *', timeZone: 'UTC', durationMs: 60_000 };

  it.each([
    ['2026-11-21T23:00:00Z', '2026-11-21T23:00:00.000Z'],
    ['2026-11-22T05:59:59Z', '2026-11-22T05:59:59.000Z'],
    ['2026-11-22T06:00:00Z', '2026-11-22T12:00:00.000Z'],
    ['2026-11-22T12:00:30Z', '2026-11-22T12:00:30.000Z'],
    ['2026-11-22T12:01:00Z', '2026-11-22T22:00:00.000Z'],
  ])('at %s open at %s', (now, opens) => {
    expect(text(opensAt([night, noon], at(now)))).toBe(opens);
  });

  it('are always open if there are none', () => {
    expect(opensAt([], 5)).toBe(5);
  });
});
