/** What a decision publishes. */
import type { Outcome } from '../core/invocation.ts';
import type { EvenkeelEvent } from './event.ts';

/** An outcome with the events that are published for it. */
export interface PublishedOutcome extends Outcome {
  readonly events: readonly EvenkeelEvent[];
}
