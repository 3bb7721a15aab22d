/** The work queue of the practice hub's controllers. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../local/clock.ts';
import { createWorkLoop } from '../../local/practice-hub/controllers/work-loop.ts';
import { createVirtualClock } from '../../local/virtual-clock.ts';

function world() {
  const clock = createVirtualClock('2026-11-21T10:00:00Z');
  const faults: string[] = [];
  const loop = createWorkLoop({ clock, onFault: (key, error) => faults.push(`${key}: ${String(error)}`) });
  return { clock, loop, faults };
}

describe('the work loop', () => {
  it('does nothing within the call that adds a key, and handles a pending key once', () => {
    const { clock, loop } = world();
    const seen: string[] = [];
    const queue = loop.queue((key) => void seen.push(key));
    for (const key of ['a', 'b', 'a']) queue.add(key);
    expect(seen).toEqual([]);
    clock.runAll();
    expect(seen).toEqual(['a', 'b']);
  });

  it('handles queues in turn, however long one of them is', () => {
    const { clock, loop } = world();
    const seen: string[] = [];
    const first = loop.queue((key) => void seen.push(key), 2);
    const second = loop.queue((key) => void seen.push(key), 2);
    for (const key of ['a1', 'a2', 'a3']) first.add(key);
    second.add('b1');
    clock.runAll();
    expect(seen).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('retries a failing key five times with backoff, and then only when it changes', () => {
    const { clock, loop, faults } = world();
    const queue = loop.queue(() => {
      throw new Error('no');
    });
    queue.add('a');
    const started = clock.now();
    clock.runAll();
    expect(faults).toEqual(Array.from({ length: 5 }, () => 'a: Error: no'));
    // 1 + 2 + 4 + 8 seconds.
    expect(clock.now() - started).toBe(15_000);
    queue.add('a');
    clock.advance(0);
    expect(faults).toHaveLength(6);
  });

  it('has settled at once if it never had keys', async () => {
    await world().loop.settled();
  });

  it('has not settled while a timer runs, and has when the timer is cancelled', async () => {
    const { loop } = world();
    const takeBack = loop.later(1000, () => {});
    let settled = false;
    const settling = loop.settled().then(() => (settled = true));
    await Promise.resolve();
    expect(settled).toBe(false);
    takeBack();
    await settling;
  });

  it('starts no timer and no reconcile after close', async () => {
    const { clock, loop } = world();
    const seen: string[] = [];
    const queue = loop.queue((key) => void seen.push(key));
    loop.close();
    loop.later(1, () => seen.push('timer'));
    queue.add('a');
    clock.runAll();
    expect(seen).toEqual([]);
    await loop.settled();
  });

  it('runs on real time', async () => {
    const loop = createWorkLoop({ clock: systemClock, onFault: () => {} });
    const seen: string[] = [];
    const queue = loop.queue((key) => void seen.push(key));
    queue.add('a');
    loop.later(5, () => queue.add('b'));
    await loop.settled();
    expect(seen).toEqual(['a', 'b']);
  });
});
