/** A clock that tests turn: timers run in the order of their time, none of them for real. */
import type { Clock } from '../../local/clock.ts';

export interface VirtualClock extends Clock {
  /** Runs what is due in the next `ms`, what that brings forth included. */
  advance(ms: number): void;
  /** Runs the one timer that is due next, if it is due by `until`; false where none is. */
  step(until: number): boolean;
  /** Runs timers until none is left; throws where they never end. */
  runAll(): void;
}

const ENDLESS = 100_000;

export function createVirtualClock(start: string): VirtualClock {
  let now = Date.parse(start);
  let sequence = 0;
  const timers = new Map<number, { at: number; fn: () => void }>();

  function runNext(until: number): boolean {
    let next: { id: number; at: number; fn: () => void } | undefined;
    for (const [id, { at, fn }] of timers)
      if (at <= until && at < (next?.at ?? Number.POSITIVE_INFINITY)) next = { id, at, fn };
    if (next === undefined) return false;
    timers.delete(next.id);
    now = Math.max(now, next.at);
    next.fn();
    return true;
  }

  function run(until: number): void {
    for (let turns = 0; runNext(until); turns++) {
      if (turns > ENDLESS) throw new Error('the timers never end: something wakes itself');
    }
  }

  return {
    now: () => now,
    after(ms, fn) {
      const id = sequence++;
      timers.set(id, { at: now + ms, fn });
      return () => timers.delete(id);
    },
    advance(ms) {
      const until = now + ms;
      run(until);
      now = until;
    },
    step: runNext,
    runAll: () => run(Number.MAX_SAFE_INTEGER),
  };
}
