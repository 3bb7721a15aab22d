import { describe, expect, it } from 'vitest';
import { heldOf } from '../../../shared/adapters/sqs/dead-letter.ts';

describe('a dead letter says who gave it up', () => {
  const message = { MessageId: 'm', ReceiptHandle: 'r', Body: '{}', Attributes: { SentTimestamp: '1795340000000' } };
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });

  it('a function, in its own words', () => {
    const MessageAttributes = { reason: text('UnknownHub'), error: text('there is no hub x'), deliveries: text('1') };
    const { letter } = heldOf('resync', { ...message, MessageAttributes });
    const said = { reason: 'UnknownHub', error: 'there is no hub x' };
    expect(letter).toEqual({ queue: 'resync', id: 'm', body: '{}', ...said, sentAt: 1_795_340_000_000 });
  });

  it("the bus, whose rule could not reach the queue, with AWS's own words", () => {
    const MessageAttributes = {
      RULE_ARN: text('arn:aws:events:eu-west-1:1:rule/evenkeel/evenkeel-resync'),
      ERROR_CODE: text('NO_PERMISSIONS'),
      ERROR_MESSAGE: text('Not authorized to invoke the target'),
    };
    expect(heldOf('resync', { ...message, MessageAttributes }).letter).toMatchObject({
      reason: 'NO_PERMISSIONS',
      error: 'the bus could not put it on the queue: Not authorized to invoke the target',
    });
  });

  it('SQS, where the function ended without a word as often as may be', () => {
    const { letter } = heldOf('resync', { ...message, Attributes: undefined });
    expect(letter).toMatchObject({ reason: 'MaxReceives', error: expect.stringContaining('crashed') as string });
    expect(letter).not.toHaveProperty('sentAt');
  });
});
