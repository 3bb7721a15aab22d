/**
 * Divides the time of an invocation. A function that reaches its timeout loses unsaved results, and its message is redelivered
 * only after the queue's visibility timeout. So requests to a hub end earlier, and the rest of the time is for saving.
 */
import { Fault } from './fault.ts';
import { SECOND } from './time.ts';

/** Reserved for saving and publishing: one AWS call that hangs (5 s) must not lose results. */
const SAVING_MS = 5 * SECOND;
/** A request that would have less is not sent: a write that is cut off may be carried out without our knowing. */
const LEAST_REQUEST_MS = 5 * SECOND;

export const DEADLINE_EXCEEDED = 'DeadlineExceeded';

/** Timeout of a request that is sent now, within the invocation's remaining time; 0 if it must not be sent. */
export function timeForRequest(timeLeftMs: number): number {
  const forRequest = timeLeftMs - SAVING_MS;
  return forRequest < LEAST_REQUEST_MS ? 0 : forRequest;
}

/** `what` was not started: "PATCH /apis/…". */
export function deadlineExceeded(what: string): Fault {
  return new Fault(
    'limited',
    `${what}: not begun, the time of this invocation is nearly over; a later delivery does it`,
    {
      reason: DEADLINE_EXCEEDED,
    },
  );
}
