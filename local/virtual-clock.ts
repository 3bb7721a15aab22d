/** A clock that tests and backtests turn: timers run in the order of their time, none of them for real. */
import type { Clock } from './clock.ts';

export interface VirtualClock extends Clock {
  /** Runs what is due in the next `ms`, what that brings forth included. */
  advance(ms: number): void;
  /** Runs the one timer that is due next, if it is due by `until`; false where none is. */
  step(until: number): boolean;
  /** Runs timers until none is left; throws where they never end. */
  runAll(): void;
}

const ENDLESS = 100_000;

interface Timer {
  readonly at: number;
  readonly id: number;
  readonly fn: () => void;
  isCanceled: boolean;
}

export function createVirtualClock(start: string): VirtualClock {
  let now = Date.parse(start);
  let sequence = 0;
  const timers = new TimerHeap();

  function runNext(until: number): boolean {
    const next = timers.takeUntil(until);
    if (next === undefined) return false;
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
      const timer = { at: now + ms, id: sequence++, fn, isCanceled: false };
      timers.add(timer);
      return () => {
        timer.isCanceled = true;
      };
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

/** The timers as a binary heap: a deployment with a thousand hubs has thousands of them, and runs millions. */
class TimerHeap {
  readonly #timers: Timer[] = [];

  add(timer: Timer): void {
    const timers = this.#timers;
    let place = timers.push(timer) - 1;
    for (let parent = (place - 1) >> 1; place > 0 && isBefore(timer, timers[parent]); parent = (place - 1) >> 1) {
      timers[place] = timers[parent] as Timer;
      place = parent;
    }
    timers[place] = timer;
  }

  /** Removes and returns the first timer, if it is due by then; timers that are due at once run in the order of their creation. */
  takeUntil(until: number): Timer | undefined {
    while (this.#timers[0]?.isCanceled) this.#removeFirst();
    const [first] = this.#timers;
    if (first === undefined || first.at > until) return undefined;
    this.#removeFirst();
    return first;
  }

  #removeFirst(): void {
    const timers = this.#timers;
    const last = timers.pop();
    if (last === undefined || timers.length === 0) return;
    let place = 0;
    for (let child = 1; child < timers.length; child = 2 * place + 1) {
      const [left, right] = [timers[child] as Timer, timers[child + 1]];
      const [next, at] = right !== undefined && isBefore(right, left) ? [right, child + 1] : [left, child];
      if (!isBefore(next, last)) break;
      timers[place] = next;
      place = at;
    }
    timers[place] = last;
  }
}

function isBefore(a: Timer, b: Timer | undefined): boolean {
  return b === undefined || a.at < b.at || (a.at === b.at && a.id < b.id);
}
