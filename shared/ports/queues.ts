/** The queues between bus and functions, for those who look after a deployment: what waits in each, and what could not be delivered. */
import type { Instant } from '../model/time.ts';

export interface QueueSight {
  /** Of the route. */
  readonly name: string;
  /** Which it feeds: "workload-rebalancer/plan-rebalance". */
  readonly function: string;
  /** About how many; a queue that is busy knows no better. */
  readonly waiting: number;
  readonly inFlight: number;
  readonly deadLetters: number;
}

/** A message that was given up. */
export interface DeadLetter {
  readonly queue: string;
  readonly id: string;
  readonly body: string;
  /** As a Fault's: a word of CamelCase. */
  readonly reason: string;
  readonly error: string;
  readonly sentAt?: Instant;
}

/** Those with these ids, those of this queue, or all. */
export interface Redrive {
  readonly queue?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** A queue that is named and that no route has is a terminal Fault (`UnknownQueue`). */
export interface Queues {
  /** Every queue, in the order of the routes. */
  sights(): Promise<readonly QueueSight[]>;
  /** At most `limit`; they stay where they are. One that somebody else looks at in the same moment may be left out. */
  deadLetters(limit: number, queue?: string): Promise<readonly DeadLetter[]>;
  /**
   * Has dead letters delivered again, each on its own queue and as if for the first time; returns how many. Each is sent before it
   * is taken away, so none is lost and one may come twice. Those that are given up again meanwhile are left for the next time.
   */
  redrive(which: Redrive): Promise<number>;
}
