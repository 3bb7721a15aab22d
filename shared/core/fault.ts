/**
 * Error classes by their handling.
 *
 * - `terminal`: a retry cannot help (an event that does not parse, a hub that is not configured). Goes to the dead letters, with the reason.
 * - `limited`: the server requested a delay (429, throttling). Retried after `retryAfterMs`.
 * - `retryable`: anything else, including unknown errors. Retried with backoff, then dead letters; resync redrives.
 */
export type RetryClass = 'terminal' | 'limited' | 'retryable';

/** Reason of a Fault: a request to a hub got no answer. */
export const HUB_UNREACHABLE = 'HubUnreachable';

export interface FaultDetails {
  /** A CamelCase reason, as in Kubernetes. */
  readonly reason: string;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** An error with its retry class. Its message states what is wrong, where, and the fix; it never contains a secret. */
export class Fault extends Error {
  readonly retryClass: RetryClass;
  readonly reason: string;
  readonly retryAfterMs: number | undefined;

  constructor(result: RetryClass, message: string, details: FaultDetails) {
    super(message, { cause: details.cause });
    this.name = 'Fault';
    this.retryClass = result;
    this.reason = details.reason;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** For an option or a file that a user gave. The message names it, its value, and the fix. */
export function invalidOption(message: string): Fault {
  return new Fault('terminal', message, { reason: 'InvalidOptions' });
}

/** Converts any thrown value to a Fault: unclassified errors are retryable. */
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const message =
    thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'something that is not an Error was thrown';
  return new Fault('retryable', message, { reason: 'Unclassified', cause: thrown });
}

/** The hub does not serve the kind or its group. */
export function isNotServed(thrown: unknown): boolean {
  const { reason } = asFault(thrown);
  return reason === 'NotFound' || reason === 'Http404';
}
