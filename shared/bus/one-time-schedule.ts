/** Publishes an event later. */

import type { Instant } from '../core/time.ts';
import type { EvenkeelEvent } from './event.ts';

export interface OneTimeSchedule {
  /**
   * Publishes the event at or after `at`; a schedule of the same name is replaced. Names: 1 to 64 of [0-9A-Za-z_.-].
   * A schedule can't be cancelled: the consumer of the event reads the hub and finds nothing to do.
   */
  put(name: string, at: Instant, event: EvenkeelEvent): Promise<void>;
}
