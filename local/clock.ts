/** Time for everything that runs locally: real, or a test's own. */
export interface Clock {
  now(): number;
  /** Calls `fn` after `ms`; returns what takes it back. */
  after(ms: number, fn: () => void): () => void;
}

export const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};
