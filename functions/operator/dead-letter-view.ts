/** What people see of a dead letter: which event it was, what about, and why nobody could handle it. */
import { toTimestamp } from '../../shared/model/time.ts';
import type { DeadLetterAnswer } from '../../shared/operator/operations/health.ts';
import type { DeadLetter } from '../../shared/ports/queues.ts';

export function deadLetterView({ body, sentAt, queue, id, reason, error }: DeadLetter): DeadLetterAnswer {
  return {
    ...{ queue, id, reason, error },
    ...eventOf(body),
    ...(sentAt !== undefined && { sentAt: toTimestamp(sentAt) }),
  };
}

/** A letter may be there because nobody could read it. */
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
