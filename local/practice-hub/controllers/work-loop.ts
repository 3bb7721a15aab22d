/** The event loop of all controllers of the practice hub: queues of keys, timers, and a check for pending work. */
import type { Clock } from '../../clock.ts';
import type { ObjectStore, StoreChange } from '../store/objects.ts';

export interface Controller {
  onChange(change: StoreChange): void;
}

/** What every controller has. */
export interface ControllerContext {
  readonly store: ObjectStore;
  readonly loop: WorkLoop;
  readonly now: () => number;
}

export interface WorkQueue {
  /** Queues the object for a reconcile; a key is queued only once. */
  add(key: string): void;
  /** Queues it later, unless it is reconciled before; replaces the key's last timer. */
  addAfter(key: string, ms: number): void;
  /** Keys are still queued, but not reconciled. */
  pause(): void;
  resume(): void;
}

export interface WorkLoop {
  /** Queues are served in the order of their creation. */
  queue(reconcile: (key: string) => void, batch?: number): WorkQueue;
  /** Called when every queue was served. */
  afterRound(fn: () => void): void;
  /** A timer that counts as pending work. */
  readonly later: (ms: number, fn: () => void) => () => void;
  /** Resolves when no key is queued, except in paused queues, and no timer runs; at once if so, or after close. */
  settled(): Promise<void>;
  close(): void;
}

export interface WorkLoopOptions {
  readonly clock: Clock;
  /** Called for every failed attempt; the key is retried up to `ATTEMPTS` times. */
  readonly onFault: (key: string, error: unknown) => void;
}

/** Keys per turn of a queue: a few milliseconds, so that the API responds in between. */
const BATCH = 100;
const ATTEMPTS = 5;
const RETRY_MS = 1000;

interface KeyQueue {
  readonly keys: Set<string>;
  readonly failures: Map<string, number>;
  /** Cancels the timer of `addAfter`. */
  readonly timers: Map<string, () => void>;
  readonly reconcile: (key: string) => void;
  readonly batch: number;
  paused: boolean;
}

/**
 * A change in the store only queues a key; the reconcile runs in a later turn of the event loop. A controller that wrote
 * inside a change would write during another write, and the listeners after it would receive the changes in the wrong
 * order.
 */
export function createWorkLoop({ clock, onFault }: WorkLoopOptions): WorkLoop {
  const queues: KeyQueue[] = [];
  const hooks: (() => void)[] = [];
  const timers = new Set<() => void>();
  const waiters = new Set<() => void>();
  let nextRound: (() => void) | undefined;
  let closed = false;

  const runnable = (): boolean => queues.some(({ paused, keys }) => !paused && keys.size > 0);

  function wake(): void {
    if (nextRound === undefined && !closed && runnable()) nextRound = clock.after(0, round);
  }

  function round(): void {
    nextRound = undefined;
    for (const queue of queues) serve(queue);
    for (const hook of hooks) hook();
    wake();
    answerIfSettled();
  }

  function serve(queue: KeyQueue): void {
    let left = queue.batch;
    for (const key of queue.keys) {
      if (queue.paused || left-- <= 0) return;
      queue.keys.delete(key);
      cancelTimer(queue, key);
      try {
        queue.reconcile(key);
        queue.failures.delete(key);
      } catch (error) {
        onFault(key, error);
        tryAgain(queue, key);
      }
    }
  }

  function cancelTimer({ timers: ofQueue }: KeyQueue, key: string): void {
    ofQueue.get(key)?.();
    ofQueue.delete(key);
  }

  function tryAgain(queue: KeyQueue, key: string): void {
    const failures = (queue.failures.get(key) ?? 0) + 1;
    if (failures >= ATTEMPTS) {
      queue.failures.delete(key);
      return;
    }
    queue.failures.set(key, failures);
    later(RETRY_MS * 2 ** (failures - 1), () => {
      queue.keys.add(key);
    });
  }

  function later(ms: number, fn: () => void): () => void {
    if (closed) return () => {};
    const cancelAtClock = clock.after(ms, () => {
      timers.delete(cancel);
      fn();
      wake();
      answerIfSettled();
    });
    const cancel = (): void => {
      cancelAtClock();
      if (timers.delete(cancel)) answerIfSettled();
    };
    timers.add(cancel);
    return cancel;
  }

  function answerIfSettled(): void {
    if (!closed && (nextRound !== undefined || timers.size > 0)) return;
    for (const answer of waiters) answer();
    waiters.clear();
  }

  return {
    queue(reconcile, batch = BATCH) {
      const state = {
        keys: new Set<string>(),
        failures: new Map<string, number>(),
        timers: new Map<string, () => void>(),
      };
      const queue: KeyQueue = { ...state, reconcile, batch, paused: false };
      queues.push(queue);
      const add = (key: string) => {
        queue.keys.add(key);
        wake();
      };
      return {
        add,
        addAfter(key, ms) {
          cancelTimer(queue, key);
          queue.timers.set(
            key,
            later(ms, () => add(key)),
          );
        },
        pause() {
          queue.paused = true;
        },
        resume() {
          queue.paused = false;
          wake();
        },
      };
    },
    afterRound: (fn) => void hooks.push(fn),
    later,
    settled: () =>
      new Promise((resolve) => {
        waiters.add(resolve);
        answerIfSettled();
      }),
    close() {
      closed = true;
      nextRound?.();
      nextRound = undefined;
      for (const cancel of [...timers]) cancel();
      answerIfSettled();
    },
  };
}
