/** The queue of a message: operations on a message besides handling it. */
import type { Fault } from '../core/fault.ts';

export interface QueueMessage {
  readonly id: string;
  readonly receipt: string;
  readonly body: string;
  /** 1 for the first delivery. */
  readonly receiveCount: number;
}

export interface SourceQueue {
  /** Number of deliveries before a message goes to the dead letters. */
  readonly maxReceives: number;
  /** Puts the message among the dead letters, with the fault's reason and message beside it. */
  deadLetter(message: QueueMessage, fault: Fault): Promise<void>;
  /** Has the message delivered again after this many seconds. */
  deliverAgain(message: QueueMessage, seconds: number): Promise<void>;
  /** Sends a copy of the message, delivered after this many seconds as if for the first time; the caller acknowledges the message. */
  sendAgain(message: QueueMessage, hub: string, seconds: number): Promise<void>;
}
