/** Events from outside a hub in the table. They are few, and of the whole deployment: which hub they concern is decided by its clusters. */
import type { Instant } from '../core/time.ts';
import type { ExternalEvent } from './external-event.ts';

/** A stored event with the number of its writes. */
export interface StoredEvent {
  readonly version: number;
  readonly event: ExternalEvent;
}

export interface ExternalEventStore {
  /** Those that have not expired. */
  list(now: Instant): Promise<readonly ExternalEvent[]>;
  read(id: string): Promise<StoredEvent | undefined>;
  /** Replaces the event if it still has this version, 0 if there is none yet. Returns whether it did. */
  save(event: ExternalEvent, version: number): Promise<boolean>;
}
