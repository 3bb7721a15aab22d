/** The queues between bus and functions, for operators: waiting messages and dead letters. */
import type { Instant } from '../core/time.ts';

export interface QueueStatus {
  /** Name of the route. */
  readonly name: string;
  /** The function that it triggers: "workload-rebalancer/plan-rebalance". */
  readonly function: string;
  /** Approximate: SQS has no exact number for a busy queue. */
  readonly waiting: number;
  readonly inFlight: number;
  readonly deadLetters: number;
}

/** A dead-letter message. */
export interface DeadLetter {
  readonly queue: string;
  readonly id: string;
  readonly body: string;
  /** A CamelCase reason, as in a Fault. */
  readonly reason: string;
  readonly error: string;
  readonly sentAt?: Instant;
}

/** Selects by ids, by queue, or all. */
export interface Redrive {
  readonly queue?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** An unknown queue name throws a terminal Fault (`UnknownQueue`). */
export interface Queues {
  /** Every queue, in the order of the routes. */
  statuses(): Promise<readonly QueueStatus[]>;
  /** At most `limit`; the messages stay in their queues. A message that is in flight elsewhere may be omitted. */
  deadLetters(limit: number, queue?: string): Promise<readonly DeadLetter[]>;
  /**
   * Redelivers dead letters on their own queues, with a new receive count; returns their number. Each is sent before it
   * is deleted, so none is lost and one may be delivered twice. Messages that fail again meanwhile are left for the next call.
   */
  redrive(which: Redrive): Promise<number>;
}
