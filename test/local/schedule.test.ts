import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LocalSchedule } from '../../local/schedule.ts';
import { createVirtualClock } from '../../local/virtual-clock.ts';
import { RebalancerExpiryDue } from '../../shared/bus/catalogue.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function scene() {
  folder = mkdtempSync(join(tmpdir(), 'schedule-'));
  const clock = createVirtualClock('2026-11-21T10:00:00Z');
  const published: EvenkeelEvent[] = [];
  const bus = { publish: async (events: readonly EvenkeelEvent[]) => void published.push(...events) };
  const open = () => new LocalSchedule(bus, clock, join(folder, 'schedules.json'));
  return { clock, published, open };
}

const due = (name: string) => RebalancerExpiryDue.of({ hub: 'karmada', uid: 'u', name });
const DAY = 24 * 3600 * 1000;

describe('one-time schedules on disk', () => {
  it('publish their event once, at their time', async () => {
    const s = scene();
    await s.open().put('a', s.clock.now() + 5000, due('a'));
    s.clock.advance(4999);
    expect(s.published).toEqual([]);
    s.clock.advance(60_000);
    expect(s.published).toEqual([due('a')]);
  });

  it('are replaced by one of the same name', async () => {
    const s = scene();
    const schedule = s.open();
    await schedule.put('a', s.clock.now() + 5000, due('first'));
    await schedule.put('a', s.clock.now() + 9000, due('second'));
    s.clock.advance(60_000);
    expect(s.published).toEqual([due('second')]);
  });

  it('continue after a restart, and overdue ones fire at once', async () => {
    const s = scene();
    const first = s.open();
    await first.put('early', s.clock.now() + 5000, due('early'));
    await first.put('late', s.clock.now() + 60_000, due('late'));
    first.close();
    s.clock.advance(10_000);
    expect(s.published).toEqual([]);
    s.open();
    s.clock.advance(0);
    expect(s.published).toEqual([due('early')]);
    s.clock.advance(60_000);
    expect(s.published).toEqual([due('early'), due('late')]);
  });

  it('are kept for the restart if a function creates them while the run ends', async () => {
    const s = scene();
    const first = s.open();
    first.close();
    await first.put('a', s.clock.now() + 5000, due('a'));
    s.clock.advance(10_000);
    expect(s.published).toEqual([]);
    s.open();
    s.clock.advance(0);
    expect(s.published).toEqual([due('a')]);
  });

  it('may be further in the future than the limit of a timer', async () => {
    const s = scene();
    await s.open().put('a', s.clock.now() + 100 * DAY, due('a'));
    s.clock.advance(99 * DAY);
    expect(s.published).toEqual([]);
    s.clock.advance(2 * DAY);
    expect(s.published).toEqual([due('a')]);
  });
});
