/** A dead-letter message on SQS: its attributes contain the sender and the reason; without attributes SQS moved it. */
import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { DeadLetter } from '../../bus/queues.ts';

/** The message id and the receipt for its deletion. */
export interface ReceivedDeadLetter {
  readonly id: string;
  readonly receipt: string;
  readonly deadLetter: DeadLetter;
}

export function receivedDeadLetterOf(queue: string, message: Message): ReceivedDeadLetter {
  const { MessageId: id = '', ReceiptHandle: receipt = '', Body: body = '', Attributes } = message;
  const sentAt = Number(Attributes?.SentTimestamp);
  const why = reasonOf(message.MessageAttributes ?? {});
  return { id, receipt, deadLetter: { queue, id, body, ...why, ...(sentAt > 0 && { sentAt }) } };
}

function reasonOf(attributes: Readonly<Record<string, MessageAttributeValue>>): Pick<DeadLetter, 'reason' | 'error'> {
  const attribute = (name: string) => attributes[name]?.StringValue;
  // Set by SqsSourceQueue in the function.
  const reason = attribute('reason');
  if (reason !== undefined) return { reason, error: attribute('error') ?? '' };
  const code = attribute('ERROR_CODE');
  if (code !== undefined) {
    return { reason: code, error: `the bus could not put it on the queue: ${attribute('ERROR_MESSAGE') ?? code}` };
  }
  return {
    reason: 'MaxReceives',
    error: 'the function reported no result on any delivery: it crashed, or ran out of time or memory',
  };
}
