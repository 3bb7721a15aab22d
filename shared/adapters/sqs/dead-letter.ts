/** A dead letter as it lies on SQS: who gave it up, and why, is said by its attributes, or by there being none. */
import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { DeadLetter } from '../../ports/queues.ts';

/** What tells it from others, and by what it is taken away. */
export interface Held {
  readonly id: string;
  readonly receipt: string;
  readonly letter: DeadLetter;
}

export function heldOf(queue: string, message: Message): Held {
  const { MessageId: id = '', ReceiptHandle: receipt = '', Body: body = '', Attributes } = message;
  const sentAt = Number(Attributes?.SentTimestamp);
  const why = reasonOf(message.MessageAttributes ?? {});
  return { id, receipt, letter: { queue, id, body, ...why, ...(sentAt > 0 && { sentAt }) } };
}

function reasonOf(attributes: Readonly<Record<string, MessageAttributeValue>>): Pick<DeadLetter, 'reason' | 'error'> {
  const said = (name: string) => attributes[name]?.StringValue;
  // A function's own words: SqsSourceQueue put them there.
  if (said('reason') !== undefined) return { reason: said('reason') ?? '', error: said('error') ?? '' };
  const code = said('ERROR_CODE');
  if (code !== undefined) {
    return { reason: code, error: `the bus could not put it on the queue: ${said('ERROR_MESSAGE') ?? code}` };
  }
  return {
    reason: 'MaxReceives',
    error: 'the function said nothing of it as often as it was delivered: it crashed, or ran out of time or memory',
  };
}
