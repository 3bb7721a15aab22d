/** Why an operation was not carried out, as it goes over the wire and comes back as a Fault. */
import { Fault } from '../model/fault.ts';

export interface Refused {
  /** As HTTP says it. */
  readonly status: number;
  readonly reason: string;
  /** For people: what was wrong, and the way out. */
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

export function refusedAs({ reason, verdict, message }: Fault): Refused {
  const status = Object.hasOwn(statuses, reason) ? statuses[reason] : undefined;
  return { status: status ?? (verdict === 'terminal' ? 500 : 503), reason, error: message };
}

export function faultOf({ status, reason, error }: Refused): Fault {
  return new Fault(status === 503 ? 'retryable' : 'terminal', error, { reason });
}

export function notFound(message: string): Fault {
  return new Fault('terminal', message, { reason: 'NotFound' });
}
