/** The bus the functions meet on. */
import type { EvenkeelEvent } from '../events/event.ts';

export interface EventBus {
  /** Resolves when every event was accepted; those refused for a passing reason are sent again, the others raise a Fault. */
  publish(events: readonly EvenkeelEvent[]): Promise<void>;
}
