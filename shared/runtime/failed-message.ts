/** Decides what becomes of a message that could not be handled. */
import type { QueueMessage } from '../bus/source-queue.ts';
import type { Fault } from '../core/fault.ts';
import { type Instant, SECOND } from '../core/time.ts';
import { isCircuitOpen } from '../kubernetes/hub-circuit.ts';
import { isUnknownHub } from '../kubernetes/hub-record.ts';

export interface FailedMessage extends Pick<QueueMessage, 'receiveCount'> {
  /** A schedule publishes its event again. */
  readonly recurs: boolean;
  /** When the event was published; undefined if that is unknown. */
  readonly publishedAt: Instant | undefined;
  /** Published by the bridge of a hub. */
  readonly isOfBridge: boolean;
}

/**
 * `deadLetter`: with its reason. `expire`: dropped, because the next event repeats it. `retry`: delivered again, and counted. `wait`: delivered again
 * after the circuit of its hub is closed, and not counted as a failed delivery. `drop`: of a schedule, while the circuit is open; or of a hub that was removed.
 */
export type MessageResult =
  | { readonly action: 'deadLetter' | 'expire' | 'drop' }
  | { readonly action: 'retry' | 'wait'; readonly seconds: number };

/**
 * How long an event waits for its hub without counting deliveries. After that it ends among the dead letters, as an event of a hub that is down for long
 * should: there an operator sees it.
 */
const WAITING_MS = 3600 * SECOND;
/** The most that SQS takes. */
const MAX_DELAY_SECONDS = 900;

/**
 * Terminal errors and the last delivery go to the dead letters. Recurring events expire instead: otherwise a hub that is down for a day would leave one
 * useless dead letter a minute.
 */
export function resultOf(
  { receiveCount, recurs, publishedAt, isOfBridge }: FailedMessage,
  fault: Fault,
  { maxReceives, now }: { readonly maxReceives: number; readonly now: Instant },
): MessageResult {
  // A function or a schedule publishes it only for a hub that was registered then. A bridge may have a wrong name, which an operator must see.
  if (isUnknownHub(fault) && !isOfBridge) return { action: 'drop' };
  if (isCircuitOpen(fault)) {
    if (recurs) return { action: 'drop' };
    if (publishedAt !== undefined && now < publishedAt + WAITING_MS)
      return {
        action: 'wait',
        seconds: Math.min(Math.ceil((fault.retryAfterMs ?? SECOND) / SECOND), MAX_DELAY_SECONDS),
      };
  }
  const last = receiveCount >= maxReceives;
  if (fault.retryClass === 'terminal' || last) return { action: recurs ? 'expire' : 'deadLetter' };
  return { action: 'retry', seconds: backoffSeconds(receiveCount, fault) };
}

/** 1, 2, 4 … up to 300 s; or the server's Retry-After, if that is longer, up to 900 s. */
export function backoffSeconds(receiveCount: number, fault: Fault): number {
  const own = Math.min(2 ** (receiveCount - 1), 300);
  return Math.min(Math.max(own, Math.ceil((fault.retryAfterMs ?? 0) / SECOND)), MAX_DELAY_SECONDS);
}
