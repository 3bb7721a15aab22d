/** The bus between the functions. */
import type { EvenkeelEvent } from './event.ts';

export interface EventBus {
  /** Resolves when all events are accepted. Events rejected for a transient reason are retried, others throw a Fault. */
  publish(events: readonly EvenkeelEvent[]): Promise<void>;
}
