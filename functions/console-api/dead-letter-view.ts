/** The view of a dead letter: its event, the event's detail, and why it failed. */

import type { DeadLetter } from '../../shared/bus/queues.ts';
import type { DeadLetterAnswer } from '../../shared/console-api/operations/health.ts';
import { toTimestamp } from '../../shared/core/time.ts';

export function deadLetterView({ body, sentAt, queue, id, reason, error }: DeadLetter): DeadLetterAnswer {
  return {
    ...{ queue, id, reason, error },
    ...eventOf(body),
    ...(sentAt !== undefined && { sentAt: toTimestamp(sentAt) }),
  };
}

/** A dead letter may be there because it can't be parsed. */
function eventOf(body: string): Pick<DeadLetterAnswer, 'event' | 'detail'> {
  try {
    const { 'detail-type': event, detail } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    return {
      ...(typeof event === 'string' && { event }),
      ...(typeof detail === 'object' && detail !== null && { detail: detail as Record<string, unknown> }),
    };
  } catch {
    return {};
  }
}
