/** An API server's answer that is no success, as a Fault. */
import { Fault } from '../../model/fault.ts';
import type { ApiResponse } from './transport.ts';

/** Whether it asks for patience, rather than refusing. */
export function isLimited({ status }: Pick<ApiResponse, 'status'>): boolean {
  return status === 429 || status === 503;
}

/** `who`: "hub karmada". What is refused for good (403, 422) is retryable all the same: a person can mend it, and then the work goes on. */
export function refusal(
  who: string,
  { status, body, retryAfterMs }: Pick<ApiResponse, 'status' | 'body' | 'retryAfterMs'>,
  what: string,
): Fault {
  const { reason, message } = (typeof body === 'object' && body !== null ? body : {}) as {
    reason?: unknown;
    message?: unknown;
  };
  const said = typeof message === 'string' ? message.slice(0, 300) : 'no message';
  return new Fault(isLimited({ status }) ? 'limited' : 'retryable', `${who} answered ${status} to ${what}: ${said}`, {
    reason: typeof reason === 'string' && reason !== '' ? reason : `Http${status}`,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
