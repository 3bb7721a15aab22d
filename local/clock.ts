/** The clock of everything that runs locally: a port, so that tests can simulate hours. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `fn` once after so many milliseconds, never before this call returns; returns the cancel function. */
  after(ms: number, fn: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};
