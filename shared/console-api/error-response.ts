/** The error of an operation: its format on the wire, and the conversion from and to a Fault. */
import { Fault } from '../core/fault.ts';
import { ownValue } from '../core/own-value.ts';

export interface ErrorResponse {
  /** The HTTP status code. */
  readonly status: number;
  readonly reason: string;
  /** For the user: the problem and the fix. */
  readonly error: string;
}

const statuses: Readonly<Record<string, number>> = {
  InvalidInput: 400,
  Forbidden: 403,
  UnknownOperation: 404,
  UnknownHub: 404,
  UnknownQueue: 404,
  NotFound: 404,
  Conflict: 409,
  HubPaused: 409,
};

export function errorResponseOf({ reason, retryClass, message }: Fault): ErrorResponse {
  const status = ownValue(statuses, reason);
  return { status: status ?? (retryClass === 'terminal' ? 500 : 503), reason, error: message };
}

export function faultOf({ status, reason, error }: ErrorResponse): Fault {
  return new Fault(status === 503 ? 'retryable' : 'terminal', error, { reason });
}

export function notFound(message: string): Fault {
  return new Fault('terminal', message, { reason: 'NotFound' });
}
