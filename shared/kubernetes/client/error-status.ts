/** Converts an API server's error response to a Fault. */
import { Fault } from '../../core/fault.ts';
import type { ApiResponse } from './transport.ts';

/** Whether the API server is throttling instead of rejecting the request. */
export function isLimited({ status }: Pick<ApiResponse, 'status'>): boolean {
  return status === 429 || status === 503;
}

/** `who`: "hub karmada". Permanent rejections (403, 422) are retryable too: an operator can fix the cause, then processing continues. */
export function errorStatusFault(
  who: string,
  { status, body, retryAfterMs }: Pick<ApiResponse, 'status' | 'body' | 'retryAfterMs'>,
  what: string,
): Fault {
  const { reason, message } = (typeof body === 'object' && body !== null ? body : {}) as {
    reason?: unknown;
    message?: unknown;
  };
  const text = typeof message === 'string' ? message.slice(0, 300) : 'no message';
  return new Fault(isLimited({ status }) ? 'limited' : 'retryable', `${who} answered ${status} to ${what}: ${text}`, {
    reason: typeof reason === 'string' && reason !== '' ? reason : `Http${status}`,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
