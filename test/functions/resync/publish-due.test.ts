import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dueEvents, hubsToCompare } from '../../../functions/resync/publish-due.ts';
import type { Instant } from '../../../shared/core/time.ts';
import { at } from '../../builders.ts';
import { cases } from '../../depth.ts';

const MINUTE = 60_000;
const rates = { resyncMinutes: 10, deschedulingMinutes: 10, tokenHours: 48 };
/** Of a token of 48 hours, an eighth. */
const CHECK_MINUTES = 360;
const pause = { since: at(0), reason: 'maintenance' };

const active = (name: string) => ({ name, state: 'Active' as const });
const thousand = Array.from({ length: 1000 }, (_, i) => active(`hub-${i}`));

interface Window {
  readonly after: Instant | undefined;
  readonly until: Instant;
}

function published(hubs: Parameters<typeof dueEvents>[0]['hubs'], { after, until }: Window): readonly string[] {
  return dueEvents({ hubs, after, until, rates }).map(({ type, detail }) => `${detail.hub} ${type}`);
}

function countsOf(events: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const event of events) counts.set(event, (counts.get(event) ?? 0) + 1);
  return counts;
}

describe('the events that are due', () => {
  it('are one of each kind for a hub in a window of the longest interval', () => {
    const window = { after: at(0), until: at(0) + CHECK_MINUTES * MINUTE };
    expect(published([active('karmada')], window).toSorted()).toEqual([
      'karmada DeschedulingDue',
      'karmada HubTokenCheckDue',
      'karmada ResyncDue',
    ]);
  });

  it('have no descheduling for a hub whose record states that it has no estimator', () => {
    const window = { after: undefined, until: at(0) };
    const hubs = [true, false, undefined].map((hasEstimator) => ({ ...active(String(hasEstimator)), hasEstimator }));
    const due = published(hubs, window).filter((event) => event.endsWith('DeschedulingDue'));
    expect(due).toEqual(['true DeschedulingDue', 'undefined DeschedulingDue']);
    expect(published(hubs, window)).toHaveLength(8);
  });

  it('are none in a window of length zero', () => {
    for (let minute = 0; minute < 10; minute += 1) {
      const instant = at(0) + minute * MINUTE;
      expect(published(thousand, { after: instant, until: instant })).toEqual([]);
    }
  });

  it('are none if the clock went back', () => {
    expect(published(thousand, { after: at(600), until: at(0) })).toEqual([]);
  });

  it('are one of each kind and hub before the first window', () => {
    expect(published(thousand.slice(0, 5), { after: undefined, until: at(0) }).length).toBe(15);
  });

  it('are one of each kind and hub after a day in which no window was published', () => {
    const window = { after: at(0), until: at(24 * 3600) };
    const counts = countsOf(published(thousand, window));
    expect([counts.size, Math.max(...counts.values())]).toEqual([3000, 1]);
  });

  it('of a paused hub are its token checks', () => {
    const hubs = [{ ...active('karmada'), pause }];
    expect(published(hubs, { after: at(0), until: at(24 * 3600) })).toEqual(['karmada HubTokenCheckDue']);
    expect(hubsToCompare({ hubs, after: at(0), until: at(24 * 3600), rates })).toEqual([]);
  });

  it('of a hub that is being removed are none', () => {
    const hubs = [{ name: 'karmada', state: 'Removing' as const }];
    expect(published(hubs, { after: at(0), until: at(24 * 3600) })).toEqual([]);
    expect(hubsToCompare({ hubs, after: at(0), until: at(24 * 3600), rates })).toEqual([]);
  });

  it('name the hubs to compare', () => {
    const window = { hubs: thousand, after: at(0), until: at(60), rates };
    const due = dueEvents(window).flatMap(({ type, detail }) => (type === 'ResyncDue' ? [detail.hub] : []));
    expect(hubsToCompare(window)).toEqual(due);
    expect(due.length).toBeGreaterThan(0);
  });

  it.each([
    ['ResyncDue', 10],
    ['DeschedulingDue', 10],
    ['HubTokenCheckDue', CHECK_MINUTES],
  ])('spread %s of a thousand hubs evenly over its interval', (type, minutes) => {
    // Ten equal parts of the interval: of 10 minutes each is a minute.
    const part = (minutes * MINUTE) / 10;
    const perPart = Array.from({ length: 10 }, (_, i) => {
      const window = { after: at(0) + i * part, until: at(0) + (i + 1) * part };
      return published(thousand, window).filter((event) => event.endsWith(` ${type}`)).length;
    });
    expect(perPart.reduce((sum, each) => sum + each, 0)).toBe(1000);
    expect(Math.max(...perPart)).toBeLessThanOrEqual(150);
  });

  it('are one of each kind and hub in each of its intervals, whatever the windows', () => {
    const hub = fc.stringMatching(/^[a-z]([-a-z0-9]{0,10}[a-z0-9])?$/);
    const windows = fc.array(fc.integer({ min: 0, max: 7 * MINUTE }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(
        fc.uniqueArray(hub, { maxLength: 5 }),
        windows,
        fc.integer({ min: 0, max: 1e9 }),
        (names, steps, start) => {
          // No window is as long as the shortest interval, so none holds two occurrences of a hub and kind.
          const hubs = names.map(active);
          let until = at(0) + start;
          const instants = new Map<string, Instant[]>();
          for (const step of steps) {
            const window = { after: until, until: until + step };
            until = window.until;
            for (const event of published(hubs, window)) instants.set(event, [...(instants.get(event) ?? []), until]);
          }
          const elapsed = until - at(0) - start;
          for (const name of names) {
            const count = instants.get(`${name} ResyncDue`)?.length ?? 0;
            const intervals = elapsed / (10 * MINUTE);
            expect(count).toBeGreaterThanOrEqual(Math.floor(intervals));
            expect(count).toBeLessThanOrEqual(Math.ceil(intervals));
          }
        },
      ),
      { numRuns: cases({ few: 50, all: 1000 }) },
    );
  });

  it('are the same for one window as for its parts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 * MINUTE }), fc.integer({ min: 0, max: 10 * MINUTE }), (length, cut) => {
        const [after, until] = [at(0), at(0) + length];
        const between = Math.min(after + cut, until);
        const hubs = thousand.slice(0, 30);
        const parts = [...published(hubs, { after, until: between }), ...published(hubs, { after: between, until })];
        expect(parts.toSorted()).toEqual(published(hubs, { after, until }).toSorted());
      }),
      { numRuns: cases({ few: 50, all: 1000 }) },
    );
  });
});
