import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeadLetterReceiver } from '../../../../shared/aws/sqs/dead-letter-receiver.ts';
import { SqsSourceQueue } from '../../../../shared/aws/sqs/sqs-source-queue.ts';
import { Fault } from '../../../../shared/core/fault.ts';
import { type FakeSqs, startFakeSqs } from '../../../fakes/sqs.ts';

const deadLetterUrl = 'http://sqs/1/first-dead-letters';
const limits = { forSeconds: 60, waitSeconds: 2 };

let sqs: FakeSqs;
let receiver: DeadLetterReceiver;
beforeEach(async () => {
  sqs = await startFakeSqs();
  const client = new SQSClient({ ...sqs.endpoint.config, maxAttempts: 1 });
  receiver = new DeadLetterReceiver(client, { name: 'first', deadLetterUrl });
  const queue = new SqsSourceQueue(client, { url: 'http://sqs/1/first', deadLetterUrl }, 7);
  for (let i = 0; i < 14; i++)
    await queue.deadLetter(
      { id: 'm', receipt: 'r', body: `body-${i}`, receiveCount: 7 },
      new Fault('terminal', 'e', { reason: 'R' }),
    );
});
afterEach(() => sqs.endpoint.close());

const received = () =>
  sqs.endpoint.calls.filter(({ operation }) => operation === 'ReceiveMessage').map(({ input }) => input);

describe('receiving dead-letter messages', () => {
  it.each([
    [3, 3, [3]],
    [10, 10, [10]],
    [13, 13, [10, 3]],
    [20, 14, [10, 10, 6]],
  ])('takes at most %i of 14 messages, in requests for at most ten', async (most, taken, asked) => {
    const held = await receiver.take({ ...limits, most });
    expect([...held.values()].map(({ deadLetter }) => deadLetter.body)).toEqual(
      Array.from({ length: taken }, (_, i) => `body-${i}`),
    );
    expect(received().map(({ MaxNumberOfMessages }) => MaxNumberOfMessages)).toEqual(asked);
  });

  it('asks for the attributes with the reason and the time, and hides the messages for the given time', async () => {
    await receiver.take({ ...limits, most: 1 });
    expect(received()).toEqual([
      {
        ...{ QueueUrl: deadLetterUrl, MaxNumberOfMessages: 1, VisibilityTimeout: 60, WaitTimeSeconds: 2 },
        ...{ MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['SentTimestamp'] },
      },
    ]);
  });

  it('ends as soon as it has enough', async () => {
    const held = await receiver.take({ ...limits, most: 100, isEnough: ({ size }) => size >= 5 });
    expect([held.size, received().length]).toEqual([10, 1]);
  });
});
