import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { SqsSourceQueue } from '../../../../shared/aws/sqs/sqs-source-queue.ts';
import { Fault } from '../../../../shared/core/fault.ts';
import { startAwsEndpoint } from '../../../fakes/aws-endpoint.ts';

const message = { id: 'm', receipt: 'r', body: '{"a":1}', receiveCount: 4 };

async function callsOf(use: (queue: SqsSourceQueue) => Promise<void>) {
  const endpoint = await startAwsEndpoint(() => ({}));
  const client = new SQSClient({ ...endpoint.config, md5: false });
  await use(new SqsSourceQueue(client, { url: 'http://sqs/q', deadLetterUrl: 'http://sqs/q-dead' }, 6));
  await endpoint.close();
  return endpoint.calls;
}

describe('the queue of a message', () => {
  it.each([
    ['UnknownHub', 'there is no hub x', 'UnknownHub', 'there is no hub x'],
    ['', '', '-', '-'],
    ['Long', 'x'.repeat(2000), 'Long', 'x'.repeat(1024)],
  ])('takes a dead letter with the reason %j', async (reason, error, sentReason, sentError) => {
    const text = (StringValue: string) => ({ DataType: 'String', StringValue });
    expect(await callsOf((queue) => queue.deadLetter(message, new Fault('terminal', error, { reason })))).toEqual([
      {
        operation: 'SendMessage',
        input: {
          QueueUrl: 'http://sqs/q-dead',
          MessageBody: message.body,
          MessageAttributes: { reason: text(sentReason), error: text(sentError), deliveries: text('4') },
        },
      },
    ]);
  });

  it('delivers a message again after the requested delay', async () => {
    const input = { QueueUrl: 'http://sqs/q', ReceiptHandle: 'r', VisibilityTimeout: 17 };
    expect(await callsOf((queue) => queue.deliverAgain(message, 17))).toEqual([
      { operation: 'ChangeMessageVisibility', input },
    ]);
  });

  it('sends a copy of a message after the requested delay, in the message group of its hub', async () => {
    const input = { QueueUrl: 'http://sqs/q', MessageBody: message.body, DelaySeconds: 8, MessageGroupId: 'karmada' };
    expect(await callsOf((queue) => queue.sendAgain(message, 'karmada', 8))).toEqual([
      { operation: 'SendMessage', input },
    ]);
  });
});
