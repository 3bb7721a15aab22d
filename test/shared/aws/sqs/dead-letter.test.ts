import { describe, expect, it } from 'vitest';
import { receivedDeadLetterOf } from '../../../../shared/aws/sqs/dead-letter.ts';

describe('a dead-letter message', () => {
  const message = { MessageId: 'm', ReceiptHandle: 'r', Body: '{}', Attributes: { SentTimestamp: '1795340000000' } };
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });

  it('names the function, with the error that it reported', () => {
    const MessageAttributes = { reason: text('UnknownHub'), error: text('there is no hub x'), deliveries: text('1') };
    const { deadLetter } = receivedDeadLetterOf('resync', { ...message, MessageAttributes });
    const failure = { reason: 'UnknownHub', error: 'there is no hub x' };
    expect(deadLetter).toEqual({ queue: 'resync', id: 'm', body: '{}', ...failure, sentAt: 1_795_340_000_000 });
  });

  it('has an empty error if the function reported none', () => {
    const { deadLetter } = receivedDeadLetterOf('resync', {
      ...message,
      MessageAttributes: { reason: text('UnknownHub') },
    });
    expect(deadLetter).toMatchObject({ reason: 'UnknownHub', error: '' });
  });

  it('names the bus if its rule could not reach the queue, with the error of AWS', () => {
    const MessageAttributes = {
      RULE_ARN: text('arn:aws:events:eu-west-1:1:rule/evenkeel/evenkeel-resync'),
      ERROR_CODE: text('NO_PERMISSIONS'),
      ERROR_MESSAGE: text('Not authorized to invoke the target'),
    };
    expect(receivedDeadLetterOf('resync', { ...message, MessageAttributes }).deadLetter).toMatchObject({
      reason: 'NO_PERMISSIONS',
      error: 'the bus could not put it on the queue: Not authorized to invoke the target',
    });
  });

  it('names SQS if the function ended without an error for the maximum number of receives', () => {
    const { deadLetter } = receivedDeadLetterOf('resync', { ...message, Attributes: undefined });
    expect(deadLetter).toMatchObject({ reason: 'MaxReceives', error: expect.stringContaining('crashed') as string });
    expect(deadLetter).not.toHaveProperty('sentAt');
  });

  it('has empty fields if SQS leaves them out', () => {
    expect(receivedDeadLetterOf('resync', {})).toMatchObject({ id: '', receipt: '', deadLetter: { id: '', body: '' } });
  });

  it('has no time if SQS reports none', () => {
    const { deadLetter } = receivedDeadLetterOf('resync', { ...message, Attributes: { SentTimestamp: '0' } });
    expect(deadLetter).not.toHaveProperty('sentAt');
  });
});
