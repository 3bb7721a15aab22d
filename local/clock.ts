/** Time for everything that runs locally: a port, so that tests run hours in no time. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `fn` once, after so many milliseconds and never before this call returned; what it returns takes that back. */
  after(ms: number, fn: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};
