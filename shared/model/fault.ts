/**
 * What went wrong, as a verdict that says what to do about it.
 *
 * - `terminal`: trying again cannot help (an event that does not parse, a hub that is not configured). To the dead letters, with the reason.
 * - `limited`: the other side asked for patience (429, throttling). Again after `retryAfterMs`.
 * - `retryable`: anything else, the unknown included. Again with backoff, then the dead letters; resync redrives.
 */
export type Verdict = 'terminal' | 'limited' | 'retryable';

export interface FaultDetails {
  /** A word of CamelCase that names the kind of fault, as Kubernetes' reasons do. */
  readonly reason: string;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** An error that knows its verdict. Its message names what was wrong, where, and the way out; it never carries a secret. */
export class Fault extends Error {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly retryAfterMs: number | undefined;

  constructor(verdict: Verdict, message: string, details: FaultDetails) {
    super(message, { cause: details.cause });
    this.name = 'Fault';
    this.verdict = verdict;
    this.reason = details.reason;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Reads any thrown value as a fault: what nobody classified is retryable. */
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const message =
    thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'something that is not an Error was thrown';
  return new Fault('retryable', message, { reason: 'Unclassified', cause: thrown });
}
